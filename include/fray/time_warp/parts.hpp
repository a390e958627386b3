#pragma once
// A game of parts: state that a rollback repairs piece by piece instead of as a whole.
//
// A part is a small value of the game's own: a tank with its shells, a door, a line of memory. In one tick a
// part may read and write other parts, but only those that Game::reach() names. So a message that comes late
// concerns the parts it can have touched, and all the others need not be executed again.

#include <fray/time_warp/stamp.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace fray {

/// Counts steps of a game since it began. State number n is the state before tick n is executed.
using Tick = std::int64_t;

using PartNumber = std::uint32_t;

/// Some of a game's parts, in the order in which they were added.
class PartSet {
public:
    explicit PartSet(std::size_t parts = 0) : has_(parts) {}

    /// True if it is new.
    bool add(PartNumber part) {
        if (has_[part] != 0) return false;
        has_[part] = 1;
        members_.push_back(part);
        return true;
    }
    void add_all() {
        for (PartNumber part = 0; part < has_.size(); ++part) add(part);
    }
    void clear() {
        for (const PartNumber part : members_) has_[part] = 0;
        members_.clear();
    }
    [[nodiscard]] bool contains(PartNumber part) const { return has_[part] != 0; }
    [[nodiscard]] bool has_all() const { return members_.size() == has_.size(); }
    [[nodiscard]] std::size_t size() const { return members_.size(); }
    [[nodiscard]] std::span<const PartNumber> members() const { return members_; }

private:
    std::vector<std::uint8_t> has_;
    std::vector<PartNumber> members_;
};

/// A message in its place among all others.
template <class Body>
struct Stamped {
    Stamp stamp;
    Body body;
};

/// What a game of parts offers. All of it is deterministic.
///
///     using Part = ...;     // plain values that can be copied and compared
///     using Message = ...;  // what a player does; takes effect at the beginning of a tick
///     struct Outcome { PartNumber part; ... };  // what happened: a death, a score
///
///     std::size_t parts() const;                   // the same throughout a match
///     Part get(PartNumber) const;
///     void set(PartNumber, const Part&);
///     static PartNumber part_of(const Message&);   // the part that it acts on
///
///     // Adds to `set` every part that may, in this tick, read or write a member of the set, or be read or
///     // written by one; and so on for those added. `at(part)` is a part before the tick. May add too many.
///     // `messages`: all of this tick; it must hold whether or not they are executed.
///     template <class At>
///     void reach(Tick tick, std::span<const Stamped<Message>> messages, At&& at, PartSet& set) const;
///
///     // Executes the messages that act on members of the set, then one step of the members. The values of
///     // all others are undefined here: they are neither read nor written.
///     void step(Tick tick, std::span<const Stamped<Message>> messages, const PartSet& set);
///     std::span<const Outcome> outcomes() const;   // of the last step
template <class Game>
concept Parted =
    std::copyable<Game> && std::is_trivially_copyable_v<typename Game::Part> &&
    std::equality_comparable<typename Game::Part> &&
    requires(Game game, const Game constant, PartNumber part, const typename Game::Part value, Tick tick,
             std::span<const Stamped<typename Game::Message>> messages, const PartSet& set) {
        { constant.parts() } -> std::convertible_to<std::size_t>;
        { constant.get(part) } -> std::convertible_to<typename Game::Part>;
        game.set(part, value);
        { Game::part_of(messages[0].body) } -> std::convertible_to<PartNumber>;
        game.step(tick, messages, set);
        { constant.outcomes() } -> std::convertible_to<std::span<const typename Game::Outcome>>;
        { typename Game::Outcome{}.part } -> std::convertible_to<PartNumber>;
    };

}  // namespace fray
