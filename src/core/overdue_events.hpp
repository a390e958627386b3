#pragma once
// Life-cycle events for which the mailbox has no room, because the game does not fetch events. None of them
// is lost. What appeared and is gone again cancels out, so their number is bounded by the links and entities
// that exist now, and those that the game was told of.

#include <fray/event.hpp>

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace fray {

class OverdueEvents {
public:
    void add(Event event);
    [[nodiscard]] bool empty() const { return events_.empty(); }
    /// Removes the oldest event; there must be one.
    [[nodiscard]] Event take();
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    /// What appears and disappears: a peer, in one of its stays, or an entity of it.
    struct Subject {
        PeerId peer;
        std::uint32_t number = 0;  // of the entity, or the incarnation
        bool is_entity = false;
        friend auto operator<=>(const Subject&, const Subject&) = default;
    };
    [[nodiscard]] static std::optional<Subject> appearing(const Event& event);
    [[nodiscard]] static std::optional<Subject> vanishing(const Event& event);
    void cancel(std::uint64_t position);
    void drop_cancelled();

    std::deque<std::optional<Event>> events_;    // cancelled ones are empty, but never the first
    std::uint64_t first_ = 0;                    // position of the first one, counted since ever
    std::map<Subject, std::uint64_t> appeared_;  // positions of events that may still be cancelled
    std::optional<std::uint64_t> join_;          // the last Joined or Refused
    std::optional<std::uint64_t> completed_;     // the JoinCompleted after it
    std::size_t cancelled_ = 0;
};

}  // namespace fray
