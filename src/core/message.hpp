#pragma once
// Messages between the parts of two peers. A part registers the kinds it reads, sends through an Outbox, and
// answers each message that arrives with a Receipt.

#include <fray/bits.hpp>
#include <fray/event.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fray {

/// What a message is about. Each kind can be sent unreliably or reliably, and has the same number either way.
enum class MessageKind : std::uint8_t {
    // Read by the link itself.
    end = 0,
    reliable = 1,    ///< the frame around a reliable message (link/reliable_sender.hpp)
    fragment = 2,    ///< a piece of a message that is too long for one datagram
    keep_alive = 3,  ///< empty; requests an acknowledgement
    goodbye = 4,
    // Read by parts. These end where their reader stops.
    state = 5,  ///< updates of the sender's entities
    game = 6,   ///< a message of the game
    clock_ping = 7,
    clock_pong = 8,
    relayed = 9,  ///< states of another peer's entities
    // Read by parts. These carry their length if they are sent unreliably.
    overlay = 10,      ///< a message between two overlays
    withdraw = 11,     ///< the sender withdrew an entity
    consistency = 12,  ///< the algorithm that the sender chose for an entity
    overruled = 13,    ///< the last valid state, from the validator to the owner
    request = 14,      ///< acts on an entity of the receiver
    reply = 15,        ///< the owner's decision about a request
    spare_1 = 16,      ///< free, for a part that is added to a session
    spare_2 = 17,      ///< likewise
    ownership = 18,    ///< about an entity that may change its owner
    attention = 19,    ///< how much attention the sender's player pays to the receiver's
    guidance = 20,  ///< what the sender's entities will do, and which of the receiver's are shown as they are
    bundle = 21,    ///< states of several other peers' entities
    tidings = 22,   ///< as `game`, but rides
    settled = 23,   ///< requests of the receiver that were applied as expected
};
inline constexpr std::size_t kMessageKinds = 24;
inline constexpr MessageKind kFirstOfParts = MessageKind::state;

/// The reader of such a message gets its bytes and no others, so it cannot read into the next message.
[[nodiscard]] constexpr bool is_framed(MessageKind kind) { return kind >= MessageKind::overlay; }

/// Such a message is sent reliably and causes no datagram: it leaves with whatever leaves next for its link,
/// and so does its acknowledgement.
[[nodiscard]] constexpr bool rides(MessageKind kind) { return kind >= MessageKind::tidings; }

/// Its sender waits for what the receiver decides: acknowledged with the reply, or in the next frame.
[[nodiscard]] constexpr bool is_acked_soon(MessageKind kind) {
    return kind == MessageKind::request || kind == MessageKind::reply || kind == MessageKind::ownership;
}

// In a datagram, a kind takes four bits. Kinds from kLongKind on take four more.
inline constexpr unsigned kMessageKindBits = 4;
inline constexpr std::uint8_t kLongKind = 15;
static_assert(kMessageKinds <= kLongKind + (1U << kMessageKindBits));

[[nodiscard]] constexpr unsigned kind_bits(MessageKind kind) {
    return static_cast<std::uint8_t>(kind) < kLongKind ? kMessageKindBits : 2 * kMessageKindBits;
}
inline void write_kind(BitWriter& out, MessageKind kind) {
    const auto number = static_cast<std::uint8_t>(kind);
    out.bits(std::min(number, kLongKind), kMessageKindBits);
    if (number >= kLongKind) out.bits(number - std::uint64_t{kLongKind}, kMessageKindBits);
}
/// Returns `end` for a number that is no kind, after failing the reader.
[[nodiscard]] inline MessageKind read_kind(BitReader& in) {
    std::uint64_t number = in.bits(kMessageKindBits);
    if (number == kLongKind) number += in.bits(kMessageKindBits);
    if (number < kMessageKinds) return static_cast<MessageKind>(number);
    in.fail();
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
    Rejection why{};          ///< counted, unless the message was taken
    bool acknowledge = true;  ///< the sender waits for an acknowledgement of the datagram
    bool can_wait = false;    ///< that acknowledgement may wait for a datagram that leaves anyway
};

[[nodiscard]] constexpr Receipt taken() { return {}; }
/// The sender repeats such messages whether or not they arrive: no acknowledgement is sent on their account.
[[nodiscard]] constexpr Receipt taken_unacknowledged() { return {.acknowledge = false}; }
[[nodiscard]] constexpr Receipt later(Rejection why = Rejection::no_room) {
    return {Receipt::Verdict::later, why};
}
[[nodiscard]] constexpr Receipt malformed(Rejection why = Rejection::malformed) {
    return {Receipt::Verdict::malformed, why};
}

}  // namespace fray
