#pragma once
// What the game has not yet fetched, and messages whose time has not yet come.

#include <fray/event.hpp>
#include <fray/time.hpp>

#include <optional>
#include <vector>

namespace fray {

class Mailbox {
public:
    /// False where the game fetches nothing and the box is full.
    bool put(Event event);
    /// Whether it would take an event with so many bytes.
    [[nodiscard]] bool has_room(std::size_t bytes) const;
    /// Handed out once session time reaches message.at.
    bool put_timed(Message message, SessionInstant now);
    /// Messages that are due by now become events.
    void release(SessionInstant now);
    [[nodiscard]] std::optional<Event> take();
    /// When the next held message is due.
    [[nodiscard]] std::optional<SessionInstant> next_due() const;
    [[nodiscard]] bool empty() const { return next_ == events_.size(); }

    [[nodiscard]] std::size_t memory_bytes() const {
        return events_.capacity() * sizeof(Event) + held_.capacity() * sizeof(Held) + bytes_;
    }

private:
    std::vector<Event> events_;  // from next_ on
    std::size_t next_ = 0;
    std::size_t bytes_ = 0;  // of all that other peers wrote
    struct Held {
        SessionInstant due;  // of an ordered message, not before its predecessor's
        Message message;
    };
    std::vector<Held> held_;  // by due time, then by arrival
};

}  // namespace fray
