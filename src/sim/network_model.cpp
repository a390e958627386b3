#include <fray/network_model.hpp>

#include "sim/check.hpp"

#include <string>

namespace fray {

namespace {

using sim::Check;

constexpr std::size_t kMostRules = 65'000;
constexpr PeerIndex kMostPartitionPeer = 16'000'000;
constexpr double kMostSigma = 5;
constexpr Duration kMostDelay{3600s};

bool is_delay(Duration value) { return value.count() >= 0 && value <= kMostDelay; }
bool is_share(double value) { return value >= 0 && value <= 1; }

void check(Check& check, const ConstantLatency& latency) {
    check.that(is_delay(latency.delay), "constant latency: delay must be between 0 and an hour");
}
void check(Check& check, const NormalLatency& latency) {
    check.that(is_delay(latency.mean) && is_delay(latency.deviation) && is_delay(latency.least),
               "normal latency: mean, deviation and least must be between 0 and an hour");
}
void check(Check& check, const PoissonLatency& latency) {
    check.that(is_delay(latency.least) && is_delay(latency.mean),
               "Poisson latency: mean and least must be between 0 and an hour");
    check.that(latency.step.count() > 0 && latency.step <= kMostDelay,
               "Poisson latency: step must be above 0");
    check.that(latency.mean >= latency.least + latency.step / 2,
               "Poisson latency: mean must be at least half a step above least");
}
void check(Check& check, const LogNormalLatency& latency) {
    check.that(is_delay(latency.least) && is_delay(latency.median) && latency.median >= latency.least,
               "log-normal latency: 0 <= least <= median <= an hour must hold");
    check.that(latency.sigma >= 0 && latency.sigma <= kMostSigma,
               "log-normal latency: sigma must be between 0 and 5");
}
void check(Check& check, const TraceLatency& latency) {
    check.that(latency.samples && !latency.samples->empty(), "trace latency: there must be samples");
    check.that(latency.share > 0 && latency.share <= 1, "trace latency: share must be above 0 and at most 1");
    check.that(latency.interval.count() >= 0, "trace latency: interval must not be negative");
    if (!latency.samples) return;
    for (const Duration sample : *latency.samples) {
        check.that(sample <= kMostDelay, "trace latency: no sample may be above an hour");
    }
}
void check(Check& check, const MatrixLatency& latency) {
    check.that(latency.matrix && latency.matrix->size > 0, "matrix latency: there must be a matrix");
    check.that(is_delay(latency.same_site), "matrix latency: same_site must be between 0 and an hour");
    if (!latency.matrix) return;
    const std::size_t size = latency.matrix->size;
    check.that(latency.matrix->one_way.size() == size * size,
               "matrix latency: one_way must hold size x size delays");
    for (const Duration delay : latency.matrix->one_way) {
        check.that(is_delay(delay), "matrix latency: every delay must be between 0 and an hour");
    }
}
void check(Check& check, const WorldLatency& latency) {
    check.that(latency.scale > 0 && latency.scale <= 100,
               "world latency: scale must be above 0 and at most 100");
    check.that(is_delay(latency.last_mile_median),
               "world latency: last_mile_median must be between 0 and an hour");
    check.that(latency.last_mile_sigma >= 0 && latency.last_mile_sigma <= kMostSigma,
               "world latency: last_mile_sigma must be between 0 and 5");
}

void check(Check& check, const IndependentLoss& loss) {
    check.that(is_share(loss.mean), "loss: mean must be between 0 and 1");
}
void check(Check& check, const BurstLoss& loss) {
    check.that(loss.mean >= 0 && loss.mean < 1, "burst loss: mean must be at least 0 and below 1");
    check.that(loss.burst >= 1 && loss.burst <= 1e9 && loss.burst * (1 - loss.mean) >= loss.mean,
               "burst loss: burst must be at least 1 and mean / (1 - mean)");
}

void check(Check& check, const Jitter& jitter) {
    check.that(is_delay(jitter.mean) && is_delay(jitter.spike_mean),
               "jitter: mean and spike_mean must be between 0 and an hour");
    check.that(is_share(jitter.spike_chance), "jitter: spike_chance must be between 0 and 1");
}

template <class Variant>
void check_variant(Check& checks, const Variant& variant) {
    std::visit([&checks](const auto& model) { check(checks, model); }, variant);
}

void check(Check& checks, const PathRule& rule) {
    checks.that(rule.from != rule.to, "path rule: from and to must differ");
    if (rule.latency) check_variant(checks, *rule.latency);
    if (rule.jitter) check(checks, *rule.jitter);
    if (rule.loss) check_variant(checks, *rule.loss);
}

void check(Check& check, const LineOptions& line, const std::string& which) {
    constexpr std::uint32_t kLargestDatagram = 1200 + kHeaderBytes;
    const bool limited = line.kbps > 0 || line.trace;
    check.that(!limited || line.queue_bytes >= kLargestDatagram,
               which + ": queue_bytes must hold the largest datagram, " + std::to_string(kLargestDatagram));
    if (!line.trace) return;
    bool any = false;
    for (const std::uint8_t packets : line.trace->packets_per_ms) any = any || packets > 0;
    check.that(any, which + ": the capacity trace must not be zero throughout");
}

void check_shares(Check& check, const NetworkModel& model) {
    check.that(is_share(model.reordering.chance) && is_delay(model.reordering.extra),
               "reordering: chance must be between 0 and 1, extra between 0 and an hour");
    check.that(is_share(model.duplication.chance) && is_delay(model.duplication.extra),
               "duplication: chance must be between 0 and 1, extra between 0 and an hour");
    check.that(is_delay(model.shift.every) && is_delay(model.shift.mean),
               "level shift: every and mean must be between 0 and an hour");
}

}  // namespace

namespace sim {

Result<void> check_access(const AccessOptions& access) {
    Check checks;
    check(checks, access.upload, "upload line");
    check(checks, access.download, "download line");
    return checks.result();
}

Result<void> check_partition(const Partition& partition) {
    Check checks;
    checks.that(partition.from.count() >= 0 && partition.until >= partition.from,
                "partition: 0 <= from <= until must hold");
    for (const auto& group : partition.groups) {
        for (const PeerIndex peer : group) {
            checks.that(peer < kMostPartitionPeer, "partition: there is no peer " + std::to_string(peer));
        }
    }
    return checks.result();
}

}  // namespace sim

Result<void> NetworkModel::check() const {
    Check checks;
    check_variant(checks, latency);
    check_variant(checks, loss);
    fray::check(checks, jitter);
    check_shares(checks, *this);
    checks.that(paths.size() <= kMostRules, "path rules: at most " + std::to_string(kMostRules));
    for (const PathRule& rule : paths) fray::check(checks, rule);
    if (Result<void> result = checks.result(); !result) return result;
    for (const Partition& partition : partitions) {
        if (Result<void> result = sim::check_partition(partition); !result) return result;
    }
    return sim::check_access(access);
}

}  // namespace fray
