#pragma once
// What pSense overlays tell each other, beside the updates themselves.
//
//   request     | kind 2 | sector 6 | vision 16 | position 3 x 16 |
//   suggestion  | kind 2 | sector 6 | itself 1 | position 3 x 16 | [contact] |
//   receivers   | kind 2 | partial 1 | id set |                       goes with the sender's own update
//   greeting    | kind 2 | vision 16 | upload 5 |                     goes with the first updates over a link
//   forward     | 0 | hops 4 | contact | vision 16 | id set |         behind another peer's state
//   help        | 1 | name 16 |                                       the same, for those who know that peer
//
// Positions are those of the moment, in 65,535ths of the world, and guide only whom to ask next; a game sees
// none of them. Receivers are named by 16 bits of their id: who is taken for another one is found a moment
// later by somebody else.

#include <fray/fingerprint.hpp>
#include <fray/serialize.hpp>
#include <fray/world.hpp>

#include "overlay/introduction.hpp"
#include "overlay/overlay.hpp"
#include "wire/id_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fray {

inline constexpr std::size_t kMaxReceivers = 1024;  // in one list
inline constexpr unsigned kMaxSectors = 64;
inline constexpr unsigned kMaxHops = 15;

// What these would take in the paper's marshalling: 4-byte ids, nothing compressed. It gives no size of any
// message. With headers of IP and UDP (28), a request has the asker's id, the sector, a position of two
// coordinates; a suggestion has the chosen one's id and address beside. An update is
// PSense::paper_update_bytes: the paper says that about 30 nodes are reached directly with 5 KByte a round; a
// copy with a list of 30 then takes 170 bytes, of which the list is 120.
inline constexpr std::uint16_t kPaperId = 4;
inline constexpr std::size_t kPaperRequest = 44;
inline constexpr std::size_t kPaperSuggestion = 52;

enum class PSenseKind : std::uint8_t { request = 0, suggestion = 1, receivers = 2, greeting = 3 };

[[nodiscard]] inline std::uint32_t short_id(const PeerId& id) {
    return static_cast<std::uint32_t>(Fingerprint{}.add(std::span<const std::uint8_t>{id.bytes}).value() &
                                      0xFFFFU);
}

/// A length of about three digits, never shorter than it is: the upper half of a 32-bit float.
template <class Stream>
void serialize_length(Stream& s, float& value) {
    constexpr std::uint32_t kHalf = 16;
    constexpr std::uint16_t kInfinite = 0x7F80;
    std::uint16_t bits = 0;
    if constexpr (!Stream::kReading) {
        const auto whole = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t up = (whole + 0xFFFFU) >> kHalf;
        bits = static_cast<std::uint16_t>(std::min<std::uint32_t>(up, kInfinite - 1U));
    }
    s.whole(bits);
    if constexpr (Stream::kReading) {
        if (bits >= kInfinite) return s.fail();  // not a number, endless, or less than nothing
        value = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << kHalf);
    }
}

/// Where somebody is, in 65,535ths of the world along each axis: nowhere else can anybody be.
struct Place {
    std::array<std::uint16_t, 3> at{};
    bool operator==(const Place&) const = default;
};

template <class Stream>
void serialize(Stream& s, Place& place) {
    for (std::uint16_t& a : place.at) s.whole(a);
}

[[nodiscard]] inline Place quantise(const World& world, const Vec3& position) {
    constexpr float kMost = 65'535;
    const auto along = [](float low, float high, float value) {
        if (!(high > low)) return std::uint16_t{0};
        return static_cast<std::uint16_t>(
            std::lround(std::clamp((value - low) / (high - low), 0.0F, 1.0F) * kMost));
    };
    return {{along(world.low.x, world.high.x, position.x), along(world.low.y, world.high.y, position.y),
             along(world.low.z, world.high.z, position.z)}};
}

[[nodiscard]] inline Vec3 restore(const World& world, const Place& place) {
    constexpr float kMost = 65'535;
    const auto along = [](float low, float high, std::uint16_t at) {
        return low + (high - low) * (static_cast<float>(at) / kMost);
    };
    return {along(world.low.x, world.high.x, place.at[0]), along(world.low.y, world.high.y, place.at[1]),
            along(world.low.z, world.high.z, place.at[2])};
}

struct SensorRequest {
    std::uint8_t sector = 0;
    float vision = 0;
    Place position;
};
template <class Stream>
void serialize(Stream& s, SensorRequest& r) {
    s.integer(r.sector, 0, kMaxSectors - 1);
    serialize_length(s, r.vision);
    serialize(s, r.position);
}

struct SensorSuggestion {
    std::uint8_t sector = 0;
    bool itself = false;  ///< who answers is the best it knows
    Place position;
    Contact contact;
};
template <class Stream>
void serialize(Stream& s, SensorSuggestion& r) {
    s.integer(r.sector, 0, kMaxSectors - 1);
    s.boolean(r.itself);
    serialize(s, r.position);
    if (!r.itself) serialize(s, r.contact);
}

struct PSenseGreeting {
    float vision = 0;
    std::uint8_t upload = 0;  ///< bits in the number of bytes per round
};
template <class Stream>
void serialize(Stream& s, PSenseGreeting& g) {
    serialize_length(s, g.vision);
    s.integer(g.upload, 0, 31);
}

struct ForwardHeader {
    std::uint8_t hops = 0;
    Contact origin;
    float vision = 0;
    bool helping = false;    ///< for one who knows the originator and only waits for its turn:
    std::uint16_t name = 0;  ///< a short id is enough, and it goes no further
};
template <class Stream>
void serialize(Stream& s, ForwardHeader& h) {
    s.boolean(h.helping);
    if (h.helping) return s.whole(h.name);
    s.integer(h.hops, 0, kMaxHops);
    serialize(s, h.origin);
    serialize_length(s, h.vision);
}

/// A message whose bytes are still to be said.
inline OverlayActions::Message& begin_message(OverlayActions& actions, LinkNumber link,
                                              bool this_frame_only) {
    OverlayActions::Message& message = actions.messages.add();
    message.link = link;
    message.this_frame_only = this_frame_only;
    return message;
}

template <class T>
void send_message(OverlayActions& actions, LinkNumber link, PSenseKind kind, const T& value) {
    OverlayActions::Message& message = begin_message(actions, link, false);
    message.bytes.resize(64);
    BitWriter out{message.bytes};
    out.bits(static_cast<std::uint64_t>(kind), 2);
    write(out, value);
    message.bytes.resize(out.finish().size());
}

}  // namespace fray
