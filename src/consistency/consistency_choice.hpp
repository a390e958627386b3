#pragma once
// The message by which an owner tells other peers which algorithm it chose for an entity.

#include <fray/consistency.hpp>
#include <fray/serialize.hpp>

#include <cstdint>
#include <utility>

namespace fray {

struct ConsistencyChoice {
    std::uint32_t number = 0;   ///< the entity's
    std::uint16_t version = 0;  ///< counts the owner's choices: the newest one wins
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
    // least_lag is not sent: only the owner's peer needs it, to find the lag, and the lag is sent.
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
void serialize(Stream& stream, ConsistencyChoice& choice) {
    constexpr std::size_t kKinds = std::variant_size_v<ConsistencyAlgorithmOptions>;
    stream.varint(choice.number);
    stream.whole(choice.version);
    auto index = static_cast<std::uint32_t>(choice.consistency.algorithm.index());
    stream.integer(index, 0, kKinds - 1);
    if constexpr (Stream::kReading) {
        detail::become(choice.consistency.algorithm, index, std::make_index_sequence<kKinds>{});
    }
    std::visit([&](auto& o) { detail::serialize(stream, o); }, choice.consistency.algorithm);
    detail::serialize_ms(stream, choice.consistency.interval, kMostLag);
    detail::serialize_ms(stream, choice.consistency.horizon, kMostHorizon);
}

}  // namespace fray
