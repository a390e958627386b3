#pragma once
// Time Warp (Panzer Battalion, 3.3): every peer executes the messages of all peers in the order of their
// stamps, at once when they arrive. A message that arrives too late rolls the game back to a state saved
// before it, and all messages since are executed again.
//
// The game is Rewindable: its state can be saved and restored, and execute() is deterministic. execute()
// returns whether the message was possible. If re-execution finds that a message of this peer's own was not
// (the tank that fired had been destroyed), the other peers are told by a null-message.
//
// Sans-IO: the program carries messages and null-messages between the peers, by their stamps.

#include <fray/time_warp/inner_queue.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace fray {

template <class Game>
concept Rewindable = requires(Game game, const Game constant, typename Game::State state,
                              const typename Game::Message message, Stamp stamp) {
    { constant.save() } -> std::convertible_to<typename Game::State>;
    game.restore(state);
    { game.execute(stamp, message) } -> std::same_as<bool>;
};

struct TimeWarpOptions {
    Duration save_interval{100ms};  ///< between two saved states; Panzer Battalion: 100 ms
    Duration lag{};                 ///< the middle queue: messages of others are held back for this long
    /// A straggler that is late by less is executed at once, without a rollback, as published. Peers then
    /// differ until a later message overwrites what differs.
    Duration ignored_lateness{};
    Duration window{10s};  ///< how far back a rollback may reach
};

struct TimeWarpCounts {
    std::uint64_t executed = 0;  ///< messages, again included
    std::uint64_t rollbacks = 0;
    std::uint64_t stragglers = 0;     ///< messages and null-messages that needed one
    std::uint64_t null_messages = 0;  ///< for own messages
    std::uint64_t ignored = 0;        ///< late by less than ignored_lateness
    std::uint64_t refused = 0;        ///< before the window, or too many
};

/// One rollback.
struct Rollback {
    SessionInstant at{};  ///< when it happened
    Duration lateness{};  ///< of the latest of its stragglers
    Duration depth{};     ///< from the saved state to the present
};

template <Rewindable Game>
class TimeWarp {
public:
    using Message = typename Game::Message;

    TimeWarp(Game& game, const PeerId& self, const TimeWarpOptions& options, SessionInstant start)
        : game_{game}, self_{self}, options_{options}, done_{start} {
        saved_.push_back({start, game.save()});
    }

    /// A message of this peer that takes effect now; send it to the others under the stamp.
    Stamp add_own(SessionInstant now, Message message) {
        const Stamp stamp{std::max(now, done_), {self_, ++last_number_}};
        enter(stamp, std::move(message));
        return stamp;
    }
    /// A message of another peer; a stamp with this peer's own author is refused.
    void receive(SessionInstant now, const Stamp& stamp, Message message) {
        if (stamp.name.author == self_)
            ++counts_.refused;
        else
            middle_.push_back({now + options_.lag, stamp, std::move(message)});
    }
    /// A null-message of another peer. It voids only messages of its own author.
    void receive_null(SessionInstant now, const PeerId& author, const Stamp& stamp) {
        if (stamp.name.author != author || author == self_)
            ++counts_.refused;
        else
            middle_.push_back({now + options_.lag, stamp, std::nullopt});
    }
    /// Executes everything up to `now`. All stragglers that have come since the last call cause one rollback.
    void run(SessionInstant now) {
        empty_middle(now);
        if (earliest_) roll_back(now);
        advance(now);
        drop_old(now);
    }
    /// Stamps of own messages that should not have been sent, since the last call: send them as
    /// null-messages.
    [[nodiscard]] std::vector<Stamp> take_nulls() { return std::exchange(nulls_, {}); }
    /// The middle queue may change while playing; what is in it keeps its time.
    void set_lag(Duration lag) { options_.lag = lag; }

    [[nodiscard]] const TimeWarpCounts& counts() const { return counts_; }
    [[nodiscard]] const std::vector<Rollback>& rollbacks() const { return rollbacks_; }
    [[nodiscard]] std::size_t saved_states() const { return saved_.size(); }

private:
    struct Saved {
        SessionInstant at;
        typename Game::State state;
    };
    struct Held {
        SessionInstant due;
        Stamp stamp;
        std::optional<Message> message;  // none: a null-message
    };

    void empty_middle(SessionInstant now) {
        for (Held& held : middle_) {
            if (held.due > now) continue;
            if (held.message)
                enter(held.stamp, std::move(*held.message));
            else
                judge(held.stamp, queue_.annul(held.stamp));
        }
        std::erase_if(middle_, [&](const Held& held) { return held.due <= now; });
    }
    void enter(const Stamp& stamp, Message message) {
        const Duration late = done_ - stamp.at;
        if (stamp.at < done_ && late < options_.ignored_lateness) {
            ++counts_.ignored;
            ++counts_.executed;
            (void)game_.execute(stamp, message);
            (void)queue_.add(stamp, std::move(message));
            return;
        }
        judge(stamp, queue_.add(stamp, std::move(message)));
    }
    void judge(const Stamp& stamp, Arrival arrival) {
        if (arrival == Arrival::too_old || arrival == Arrival::no_room) ++counts_.refused;
        if (arrival != Arrival::late) return;
        ++counts_.stragglers;
        latest_ = std::max(latest_, done_ - stamp.at);
        if (!earliest_ || stamp.at < *earliest_) earliest_ = stamp.at;
    }
    void roll_back(SessionInstant now) {
        // The saved state at the straggler's own time is from before its messages.
        while (saved_.size() > 1 && saved_.back().at > *earliest_) saved_.pop_back();
        game_.restore(saved_.back().state);
        queue_.rewind(saved_.back().at);
        ++counts_.rollbacks;
        rollbacks_.push_back({now, latest_, done_ - saved_.back().at});
        done_ = saved_.back().at;
        earliest_.reset();
        latest_ = {};
    }
    void advance(SessionInstant now) {
        while (done_ < now) {
            const SessionInstant save_at = saved_.back().at + options_.save_interval;
            const SessionInstant until = std::min(now, save_at);
            execute_until(until);
            done_ = until;
            queue_.pass(until);
            if (until == save_at) saved_.push_back({until, game_.save()});
        }
    }
    void execute_until(SessionInstant until) {
        while (const auto next = queue_.next(until)) {
            ++counts_.executed;
            queue_.pass(next->stamp);
            if (game_.execute(next->stamp, next->body) || next->stamp.name.author != self_) continue;
            // Should not have been sent. It has no effect here; the others are told.
            (void)queue_.annul(next->stamp);
            ++counts_.null_messages;
            nulls_.push_back(next->stamp);
        }
    }
    void drop_old(SessionInstant now) {
        const SessionInstant oldest = now - options_.window;
        while (saved_.size() > 1 && saved_[1].at <= oldest) saved_.pop_front();
        queue_.set_horizon(saved_.front().at);
    }

    Game& game_;
    PeerId self_;
    TimeWarpOptions options_;
    SessionInstant done_;  // everything before it is executed
    InnerQueue<Message> queue_;
    std::deque<Saved> saved_;  // oldest first; never empty
    std::vector<Held> middle_;
    std::optional<SessionInstant> earliest_;  // straggler that waits for the rollback
    Duration latest_{};
    std::vector<Stamp> nulls_;
    std::vector<Rollback> rollbacks_;
    std::uint32_t last_number_ = 0;
    TimeWarpCounts counts_;
};

}  // namespace fray
