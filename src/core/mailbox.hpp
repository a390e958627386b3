#pragma once
// Events that the game has not fetched yet, and timed messages that are not due yet.

#include <fray/event.hpp>
#include <fray/time.hpp>

#include "core/overdue_events.hpp"

#include <optional>
#include <vector>

namespace fray {

class Mailbox {
public:
    /// False if the mailbox is full because the game does not fetch events.
    [[nodiscard]] bool put(Event event);
    /// For events that must not be lost and whose number is bounded by links and entities: they always fit.
    void report(Event event);
    /// Whether put() would accept an event with this many bytes.
    [[nodiscard]] bool has_room(std::size_t bytes) const;
    /// Holds the message until session time reaches message.at. False if there is no room.
    [[nodiscard]] bool put_timed(Message message, SessionInstant now);
    /// Turns messages that are due into events.
    void release(SessionInstant now);
    [[nodiscard]] std::optional<Event> take() {
        if (empty()) return std::nullopt;  // mostly: asked after every datagram
        return take_first();
    }
    /// When the next held message is due.
    [[nodiscard]] std::optional<SessionInstant> next_due() const {
        if (held_.empty()) return std::nullopt;
        return held_.front().due;
    }
    [[nodiscard]] bool empty() const { return events_.empty(); }

    [[nodiscard]] std::size_t memory_bytes() const {
        return sizeof(*this) + events_.capacity() * sizeof(Event) + held_.capacity() * sizeof(Held) + bytes_ +
               overdue_.memory_bytes();
    }

private:
    [[nodiscard]] Event take_first();

    std::vector<Event> events_;  // from next_ on; empty once the last one was taken
    std::size_t next_ = 0;
    OverdueEvents overdue_;  // come after events_; meanwhile no further event is put
    std::size_t bytes_ = 0;  // of everything that other peers sent
    struct Held {
        SessionInstant due;  // an ordered message is not due before its predecessor
        Message message;
    };
    std::vector<Held> held_;  // by due time, then by arrival
};

}  // namespace fray
