#pragma once
// A part of a peer owns its state, per-link state included, and shares one life-cycle with all other parts.
// The session composes parts: it calls these methods in a fixed order and decides nothing itself.

#include <fray/bits.hpp>
#include <fray/event.hpp>
#include <fray/time.hpp>

#include "core/contact.hpp"
#include "core/message.hpp"

#include <cstddef>
#include <span>

namespace fray {

/// A link that came up.
struct LinkUp {
    LinkNumber link = 0;
    Contact contact;
    bool newcomer = false;  ///< the other side asked to be introduced
};
/// A link that went down. Its number may soon belong to another link.
struct LinkDown {
    LinkNumber link = 0;
    Contact contact;
    Reason reason{};
};

class Part {
public:
    virtual ~Part() = default;

    /// The kinds of message that this part reads. No two parts share a kind.
    [[nodiscard]] virtual std::span<const MessageKind> kinds() const { return {}; }
    /// Reads one message of these kinds.
    [[nodiscard]] virtual Receipt handle_message(const Arrival&, MessageKind, BitReader&) {
        return malformed(Rejection::unknown_message);
    }
    virtual void handle_link_up(Instant, const LinkUp&) {}
    virtual void handle_link_down(Instant, const LinkDown&) {}
    /// The number of a link, even one that never came up, or of an acquaintance is free again: forgets the
    /// state kept for it.
    virtual void forget_link(LinkNumber) {}
    /// A peer has another number from now on: an acquaintance became a link, or the reverse. Between the
    /// calls of handle_link_up() and handle_link_down().
    virtual void handle_moved(LinkNumber /*from*/, LinkNumber /*to*/) {}
    /// After a clock step: earlier stamps are invalid.
    virtual void handle_clock_set(Instant) {}
    /// This peer left the session: forgets everything learnt in it, but keeps our own entities.
    virtual void reset() {}
    /// Bytes this part holds, itself included.
    [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace fray
