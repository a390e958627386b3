#pragma once
// How an owner tells the others which algorithm it chose for an entity.

#include <fray/consistency.hpp>
#include <fray/serialize.hpp>

#include <cstdint>
#include <utility>

namespace fray {

struct ConsistencyWord {
    std::uint32_t number = 0;   ///< the entity's
    std::uint16_t version = 0;  ///< counts the owner's choices: a later one stays
    Consistency consistency;
};

namespace detail {

template <class Stream>
void serialize_ms(Stream& stream, Duration& span, Duration most) {
    auto ms = static_cast<std::uint32_t>(span / Duration{1ms});
    stream.integer(ms, 0, static_cast<std::uint32_t>(most / Duration{1ms}));
    span = std::chrono::milliseconds{ms};
}

template <class Stream>
void serialize(Stream& stream, EverQuest& o) {
    stream.boolean(o.motion_model);
    bool validated = o.validator.has_value();
    stream.boolean(validated);
    if (!validated) return;
    PeerId validator = o.validator.value_or(PeerId{});
    stream.array(validator.bytes);
    o.validator = validator;
}
template <class Stream>
void serialize(Stream& stream, CentralizedSerialization& o) {
    stream.array(o.serializer.bytes);
}
template <class Stream>
void serialize(Stream& stream, LocalLag& o) {
    serialize_ms(stream, o.lag, kMostLag);
}
template <class Stream>
void serialize(Stream& stream, BucketSync& o) {
    serialize_ms(stream, o.bucket, kMostLag);
    stream.integer(o.depth, 1, kMostBuckets);
}
template <class Stream>
void serialize(Stream& stream, HalfLife& o) {
    serialize_ms(stream, o.remote_lag, kMostLag);
}
template <class Stream>
void serialize(Stream& stream, Adaptive& o) {
    // least_lag is between the owner and its peer, who says what the lag is.
    serialize_ms(stream, o.most_lag, kMostLag);
    serialize_ms(stream, o.blend, kMostLag);
    serialize_ms(stream, o.lag, kMostLag);
}

template <class Variant, std::size_t... I>
void become(Variant& variant, std::size_t index, std::index_sequence<I...>) {
    (void)((index == I && (variant.template emplace<I>(), true)) || ...);
}

}  // namespace detail

template <class Stream>
void serialize(Stream& stream, ConsistencyWord& word) {
    constexpr std::size_t kKinds = std::variant_size_v<ConsistencyAlgorithmOptions>;
    stream.varint(word.number);
    stream.whole(word.version);
    auto index = static_cast<std::uint32_t>(word.consistency.algorithm.index());
    stream.integer(index, 0, kKinds - 1);
    if constexpr (Stream::kReading) {
        detail::become(word.consistency.algorithm, index, std::make_index_sequence<kKinds>{});
    }
    std::visit([&](auto& o) { detail::serialize(stream, o); }, word.consistency.algorithm);
    detail::serialize_ms(stream, word.consistency.interval, kMostLag);
    detail::serialize_ms(stream, word.consistency.horizon, kMostHorizon);
}

}  // namespace fray
