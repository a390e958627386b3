#include <fray/assert.hpp>
#include <fray/consistency.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace fray {

namespace {

bool whole_ms(Duration d) { return d % Duration{1ms} == Duration{0}; }

/// Spans are sent in whole milliseconds.
Result<void> check_span(const char* name, Duration span, Duration least, Duration most) {
    if (span >= least && span <= most && whole_ms(span)) return {};
    const std::string value =
        whole_ms(span) ? std::to_string(span / 1ms) + " ms" : std::to_string(span / 1us) + " us";
    return Error{std::string{name} + " must be a whole number of milliseconds from " +
                 std::to_string(least / 1ms) + " to " + std::to_string(most / 1ms) + ", not " + value};
}

struct Checker {
    Result<void> operator()(const EverQuest& o) const {
        if (o.validator == PeerId{})
            return Error{"validator must be the id of a peer or empty, not the zero id"};
        return {};
    }
    Result<void> operator()(const CentralizedSerialization& o) const {
        if (o.serializer == PeerId{}) return Error{"serializer must be the id of a peer, not the zero id"};
        return {};
    }
    Result<void> operator()(const LocalLag& o) const { return check_span("lag", o.lag, 0ms, kMostLag); }
    Result<void> operator()(const BucketSync& o) const {
        if (o.depth < 1 || o.depth > kMostBuckets) {
            return Error{"depth must be between 1 and " + std::to_string(kMostBuckets) + ", not " +
                         std::to_string(o.depth)};
        }
        if (auto checked = check_span("bucket", o.bucket, 1ms, kMostLag); !checked) return checked;
        if (o.bucket * o.depth > kMostLag) {
            return Error{"depth times bucket must be at most " + std::to_string(kMostLag / 1ms) +
                         " ms, not " + std::to_string(o.bucket * o.depth / 1ms) + " ms"};
        }
        return {};
    }
    Result<void> operator()(const HalfLife& o) const {
        return check_span("remote_lag", o.remote_lag, 0ms, kMostLag);
    }
    Result<void> operator()(const Adaptive& o) const {
        if (auto checked = check_span("most_lag", o.most_lag, 0ms, kMostLag); !checked) return checked;
        if (auto checked = check_span("least_lag", o.least_lag, 0ms, o.most_lag); !checked) return checked;
        if (auto checked = check_span("blend", o.blend, 0ms, kMostLag); !checked) return checked;
        return check_span("lag", o.lag, 0ms, kMostLag);
    }
};

}  // namespace

Result<void> Consistency::check() const {
    if (auto checked = check_span("interval", interval, 0ms, kMostLag); !checked) return checked;
    if (auto checked = check_span("horizon", horizon, 0ms, kMostHorizon); !checked) return checked;
    return std::visit(Checker{}, algorithm);
}

std::string_view name_of(const ConsistencyAlgorithmOptions& algorithm) {
    constexpr std::array<std::string_view, std::variant_size_v<ConsistencyAlgorithmOptions>> kNames{
        "everquest", "centralized_serialization", "local_lag", "bucket_sync", "half_life", "adaptive"};
    return kNames[algorithm.index()];
}

InputBuckets::InputBuckets(const Consistency& consistency, std::span<const std::uint8_t> keys)
    : keys_(keys.begin(), keys.end()) {
    if (const auto* buckets = std::get_if<BucketSync>(&consistency.algorithm)) bucket_ = buckets->bucket;
}

std::span<const std::uint8_t> InputBuckets::apply(SessionInstant now, std::span<const std::uint8_t> input) {
    if (bucket_ == Duration{0}) {
        current_.assign(input.begin(), input.end());
        return current_;
    }
    const Duration since = now.time_since_epoch();
    const std::int64_t bucket = since / bucket_ - (since % bucket_ < Duration{0} ? 1 : 0);
    if (bucket != collecting_) {
        current_.swap(collected_);
        collected_.clear();
    }
    collecting_ = bucket;
    collect(input);
    return current_;
}

void InputBuckets::collect(std::span<const std::uint8_t> input) {
    // Of earlier inputs only the bits marked as keys remain. An input may be shorter than the one before.
    std::size_t size = input.size();
    for (std::size_t i = 0; i < collected_.size(); ++i) {
        collected_[i] &= i < keys_.size() ? keys_[i] : std::uint8_t{0};
        if (collected_[i] != 0) size = std::max(size, i + 1);
    }
    collected_.resize(size);
    for (std::size_t i = 0; i < input.size(); ++i) collected_[i] |= input[i];
}

}  // namespace fray
