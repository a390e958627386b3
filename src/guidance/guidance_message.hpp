#pragma once
// The message of kind guidance: which of the receiver's entities the sender shows directly from now on, and
// what the sender's own entities will do. The world's bounds and precision decide the ranges of the fields.

#include <fray/geometry.hpp>
#include <fray/guide.hpp>
#include <fray/ids.hpp>
#include <fray/serialize.hpp>
#include <fray/world.hpp>

#include "wire/limits.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray {

/// Predicted positions are coarse: they travel in so many steps of the world's precision.
inline constexpr float kCoarse = 4;
inline constexpr unsigned kDeviationBits = 8;
/// The moment of a prediction travels in steps of this, and wraps after 256 of them (4.2 s).
inline constexpr Duration kAdviceStep{16384};

[[nodiscard]] constexpr std::uint8_t advice_time(SessionInstant t) {
    return static_cast<std::uint8_t>((t + kAdviceStep / 2).time_since_epoch() / kAdviceStep);
}
/// The moment nearest to `about` that is written like this.
[[nodiscard]] constexpr SessionInstant complete_advice_time(std::uint8_t time, SessionInstant about) {
    const std::int64_t base = about.time_since_epoch() / kAdviceStep;
    const auto ahead = static_cast<std::int8_t>(time - static_cast<std::uint8_t>(base));
    return SessionInstant{(base + ahead) * kAdviceStep};
}

/// Names a peer in two bytes. On a collision the receiver may face another player.
[[nodiscard]] constexpr std::uint16_t short_name(const PeerId& peer) {
    return static_cast<std::uint16_t>(peer.bytes[14] << 8U | peer.bytes[15]);
}

/// What the owner of one entity tells.
struct Advice {
    std::uint32_t number = 0;  ///< of the entity
    std::uint8_t when = 0;     ///< advice_time() of the prediction
    /// Only if the receiver would predict another position from the state that the same datagram carries.
    std::optional<Vec3> position{};
    enum class Target : std::uint8_t { none, receiver, other };
    Target target{};         ///< what it aims at: the first entity of a peer
    std::uint16_t peer = 0;  ///< short_name() of another peer
    Facing deviation{};
};

struct GuidanceMessage {
    std::vector<std::uint32_t> converged;  ///< entities of the receiver: their guidance may stop
    std::vector<Advice> advice;            ///< about entities of the sender

    [[nodiscard]] bool empty() const { return converged.empty() && advice.empty(); }
    void clear() {
        converged.clear();
        advice.clear();
    }
};

/// A message together with the world that it is written for.
struct GuidanceInWorld {
    const World* world = nullptr;
    GuidanceMessage* message = nullptr;
};

template <class Stream>
void code_axis(Stream& s, float& value, float low, float high, float precision) {
    s.quantised(value, {.low = low, .high = high, .precision = precision * kCoarse});
}

template <class Stream>
void code_advice(Stream& s, const World& world, Advice& advice) {
    s.varint(advice.number);
    s.whole(advice.when);
    bool is_explicit = advice.position.has_value();
    s.boolean(is_explicit);
    if (is_explicit) {
        Vec3 position = advice.position.value_or(Vec3{});
        const float precision = world.position_precision;
        code_axis(s, position.x, world.low.x, world.high.x, precision);
        code_axis(s, position.y, world.low.y, world.high.y, precision);
        code_axis(s, position.z, world.low.z, world.high.z, precision);
        advice.position = position;
    }
    s.enumeration(advice.target, Advice::Target::other);
    if (advice.target == Advice::Target::none) return;
    if (advice.target == Advice::Target::other) s.whole(advice.peer);
    s.angle(advice.deviation.yaw, kDeviationBits);
    if (world.high.z > world.low.z) s.angle(advice.deviation.pitch, kDeviationBits);
}

template <class Stream>
void serialize(Stream& s, GuidanceInWorld& in) {
    s.list(in.message->converged, kMaxAdvice, [](auto& stream, std::uint32_t& n) { stream.varint(n); });
    s.list(in.message->advice, kMaxAdvice,
           [&](auto& stream, Advice& advice) { code_advice(stream, *in.world, advice); });
}

}  // namespace fray
