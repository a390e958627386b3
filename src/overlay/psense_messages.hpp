#pragma once
// What pSense overlays tell each other, beside the updates themselves.
//
//   request     | kind 2 | sector 6 | vision 32 | position 3 x 32 |
//   suggestion  | kind 2 | sector 6 | itself 1 | position 3 x 32 | [contact] |
//   receivers   | kind 2 | vision 32 | id set |                       goes with the sender's own update
//   forward     | hops 4 | contact | vision 32 | id set |             before another peer's state
//
// Positions are those of the moment and guide only whom to ask next; a game sees none of them. Receivers are
// named by 16 bits of their id: who is taken for another one is found a moment later by somebody else.

#include <fray/fingerprint.hpp>
#include <fray/serialize.hpp>

#include "overlay/introduction.hpp"
#include "wire/id_set.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxReceivers = 1024;  // in one list
inline constexpr unsigned kMaxSectors = 64;
inline constexpr unsigned kMaxHops = 15;

enum class PSenseKind : std::uint8_t { request = 0, suggestion = 1, receivers = 2 };

[[nodiscard]] inline std::uint32_t short_id(const PeerId& id) {
    return static_cast<std::uint32_t>(Fingerprint{}.add(std::span<const std::uint8_t>{id.bytes}).value() &
                                      0xFFFFU);
}

/// A number as it is in memory; whatever is not finite is refused.
template <class Stream>
void serialize_float(Stream& s, float& value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    s.whole(bits);
    if constexpr (Stream::kReading) {
        value = std::bit_cast<float>(bits);
        if (!std::isfinite(value)) {
            value = 0;
            s.fail();
        }
    }
}
/// A length: not negative, and zero has one spelling.
template <class Stream>
void serialize_length(Stream& s, float& value) {
    serialize_float(s, value);
    if constexpr (Stream::kReading) {
        if (std::signbit(value)) s.fail();
    }
}
template <class Stream>
void serialize_place(Stream& s, Vec3& place) {
    serialize_float(s, place.x);
    serialize_float(s, place.y);
    serialize_float(s, place.z);
}

struct SensorRequest {
    std::uint8_t sector = 0;
    float vision = 0;
    Vec3 position;
};
template <class Stream>
void serialize(Stream& s, SensorRequest& r) {
    s.integer(r.sector, 0, kMaxSectors - 1);
    serialize_length(s, r.vision);
    serialize_place(s, r.position);
}

struct SensorSuggestion {
    std::uint8_t sector = 0;
    bool itself = false;  ///< who answers is the best it knows
    Vec3 position;
    Contact contact;
};
template <class Stream>
void serialize(Stream& s, SensorSuggestion& r) {
    s.integer(r.sector, 0, kMaxSectors - 1);
    s.boolean(r.itself);
    serialize_place(s, r.position);
    if (!r.itself) serialize(s, r.contact);
}

struct ForwardHeader {
    std::uint8_t hops = 0;
    Contact origin;
    float vision = 0;
};
template <class Stream>
void serialize(Stream& s, ForwardHeader& h) {
    s.integer(h.hops, 0, kMaxHops);
    serialize(s, h.origin);
    serialize_length(s, h.vision);
}

}  // namespace fray
