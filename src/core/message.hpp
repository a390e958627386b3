#pragma once
// Messages between the parts of two peers. A part registers the kinds it reads, sends through an Outbox, and
// answers each message that arrives with a Receipt.

#include <fray/event.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <cstdint>

namespace fray {

/// The kinds up to kLastUnreliable appear in datagrams; the others are sent reliably only.
enum class MessageKind : std::uint8_t {
    end = 0,
    state = 1,     ///< updates of the sender's entities
    reliable = 2,  ///< the frame around a reliable message (link/reliable_sender.hpp)
    fragment = 3,  ///< a piece of a message that is too long for one datagram
    game = 4,      ///< a message of the game
    clock_ping = 5,
    clock_pong = 6,
    overlay = 7,  ///< a message between two overlays
    goodbye = 8,
    keep_alive = 9,    ///< empty; requests an acknowledgement
    forward = 10,      ///< another peer's state, relayed along a route of the overlay
    serialized = 11,   ///< another peer's state, relayed by the peer that orders it
    spare_1 = 12,      ///< free, for a part that is added to a session; unreliable or reliable
    spare_2 = 13,      ///< likewise
    withdraw = 14,     ///< the sender withdrew an entity
    consistency = 15,  ///< the algorithm that the sender chose for an entity
    overruled = 16,    ///< the last valid state, from the validator to the owner
    request = 17,      ///< acts on an entity of the receiver
    reply = 18,        ///< the owner's decision about a request
};
inline constexpr MessageKind kLastUnreliable = MessageKind::spare_2;
inline constexpr std::size_t kMessageKinds = 19;
inline constexpr unsigned kMessageKindBits = 4;

/// Overlays repeat their unreliable messages themselves, so these need no acknowledgement.
[[nodiscard]] constexpr bool wants_ack(MessageKind kind) {
    return kind != MessageKind::overlay && kind != MessageKind::forward;
}
/// An unreliable message of this kind carries its length, so that its reader cannot read into the next
/// message.
[[nodiscard]] constexpr bool is_framed(MessageKind kind) {
    return kind == MessageKind::overlay || kind == MessageKind::spare_1 || kind == MessageKind::spare_2;
}

/// The first byte of a reliable message.
[[nodiscard]] constexpr std::uint8_t reliable_code(MessageKind kind) {
    switch (kind) {
        case MessageKind::game:
            return 0;
        case MessageKind::withdraw:
            return 1;
        case MessageKind::overlay:
            return 2;
        case MessageKind::state:
            return 3;
        case MessageKind::consistency:
            return 4;
        case MessageKind::serialized:
            return 5;
        case MessageKind::overruled:
            return 6;
        case MessageKind::request:
            return 7;
        case MessageKind::reply:
            return 8;
        case MessageKind::spare_1:
            return 9;
        case MessageKind::spare_2:
            return 10;
        default:
            return 0xFF;
    }
}
[[nodiscard]] constexpr MessageKind kind_of_reliable(std::uint8_t code) {
    for (std::size_t kind = 0; kind < kMessageKinds; ++kind) {
        if (reliable_code(static_cast<MessageKind>(kind)) == code && code != 0xFF)
            return static_cast<MessageKind>(kind);
    }
    return MessageKind::end;
}

/// How a message arrived.
struct Arrival {
    Instant now;
    LinkNumber link = 0;
    Delivery delivery{};
    std::uint16_t sequence = 0;  ///< of the datagram that carried it
};

/// A part's answer to a message.
struct Receipt {
    enum class Verdict : std::uint8_t {
        taken,
        later,      ///< no room at the moment: a reliable message is offered again
        malformed,  ///< dropped; for an unreliable message, with the rest of its datagram
    };
    Verdict verdict = Verdict::taken;
    Rejection why{};  ///< counted, unless the message was taken
};

[[nodiscard]] constexpr Receipt taken() { return {}; }
[[nodiscard]] constexpr Receipt later(Rejection why = Rejection::no_room) {
    return {Receipt::Verdict::later, why};
}
[[nodiscard]] constexpr Receipt malformed(Rejection why = Rejection::malformed) {
    return {Receipt::Verdict::malformed, why};
}

}  // namespace fray
