#pragma once
// Time Warp (Panzer Battalion, 3.3): every peer executes the messages of all peers in the order of their
// stamps, at once when they arrive. A message that arrives too late rolls the game back to a state saved
// before it, and all messages since are executed again.
//
// The game is Rewindable: its state can be saved and restored, and execute() is deterministic. The state is
// driven by messages: it holds since when something is so, and what follows from the time that has passed is
// computed from that. So a message that is executed late, but in order, gives the same state.
//
// When a rollback is needed: if a message with a later stamp has been executed, or a state for a later time
// has been saved. Figure 3 shows both in one queue, left of the execution pointer, and a saved state that
// lacks an earlier message is as wrong as a message that was executed without it. Time that has merely passed
// since makes no message late. As in the paper, it is not asked whether the order would matter.
//
// execute() returns whether the message was possible. If a message of this peer's own turns out not to be
// (the tank that fired had been destroyed), the other peers are told by a null-message.
//
// A game may also have emitted(): the messages that this peer sends because of the message that was executed
// last (the owner of a tank that was hit tells its damage). They are stamped with the present. The engine
// remembers their cause: if it is executed again and has another effect, or is voided, they are voided.
//
// Sans-IO: the program carries messages and null-messages between the peers, by their stamps.

#include <fray/time_warp/inner_queue.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
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

/// A Rewindable game whose messages cause others. An impossible message causes none.
template <class Game>
concept Emitting = std::equality_comparable<typename Game::Message> && requires(const Game constant) {
    { constant.emitted() } -> std::convertible_to<std::span<const typename Game::Message>>;
};

struct TimeWarpOptions {
    Duration save_interval{100ms};  ///< between two saved states; Panzer Battalion: 100 ms
    Duration lag{};                 ///< the middle queue: messages of others are held back for this long
    /// A straggler that is late by less is executed at once, without a rollback, as published. Peers then
    /// differ until a later message overwrites what differs.
    Duration ignored_lateness{};
    /// A message of a time before the newest saved state is late, too. Otherwise only a message that was
    /// executed makes others late; the lab shows the difference (time_warp_rollbacks).
    bool late_by_state = true;
    Duration window{10s};  ///< how far back a rollback may reach; older messages are refused
    Duration ahead{2s};    ///< messages for a time further ahead are refused
    /// Messages of one author that are held at a time, and likewise its null-messages: further ones are
    /// refused. What a peer does in one pass is bounded by it: one rollback, and each message once.
    std::size_t most_per_author = 4096;
    std::size_t most_in_middle = 65'536;  ///< of all authors
};

struct TimeWarpCounts {
    std::uint64_t executed = 0;  ///< messages, again included
    std::uint64_t executed_again = 0;
    std::uint64_t rollbacks = 0;
    std::uint64_t late_messages = 0;  ///< that needed a rollback
    std::uint64_t late_nulls = 0;     ///< null-messages that did
    std::uint64_t emitted = 0;        ///< messages that other messages caused
    std::uint64_t null_messages = 0;  ///< for own messages
    std::uint64_t ignored = 0;        ///< late by less than ignored_lateness
    std::uint64_t refused = 0;        ///< too old, too far ahead, too many, or in another author's name
};

/// One rollback.
struct Rollback {
    SessionInstant at{};  ///< when it happened
    Duration lateness{};  ///< of the latest of its stragglers
    Duration depth{};     ///< from the saved state, or the straggler if that is older, to the present
};
inline constexpr std::size_t kMostRollbacksKept = 4096;

template <Rewindable Game>
class TimeWarp {
public:
    using Message = typename Game::Message;
    struct Sent {
        Stamp stamp;
        Message message;
    };

    TimeWarp(Game& game, const PeerId& self, const TimeWarpOptions& options, SessionInstant start)
        : game_{game}, self_{self}, options_{options}, now_{start}, queue_{options.most_per_author} {
        saved_.push_back({start, queue_.last(), game.save()});
    }

    /// A message of this peer takes effect now; send it to the others under the stamp. Messages that are due
    /// are executed before it.
    Stamp add_own(SessionInstant now, Message message) {
        now_ = std::max(now_, now);
        execute_due();
        const Stamp stamp = next_stamp();
        judge(stamp, queue_.add(stamp, std::move(message)), counts_.late_messages);
        execute_due();
        return stamp;
    }
    /// A message of another peer; a stamp with this peer's own author is refused.
    void receive(SessionInstant now, const Stamp& stamp, Message message) {
        if (accepts(now, stamp)) middle_.push_back({now + options_.lag, stamp, std::move(message)});
    }
    /// A null-message of another peer. It voids only messages of its own author.
    void receive_null(SessionInstant now, const PeerId& author, const Stamp& stamp) {
        if (stamp.name.author != author)
            ++counts_.refused;
        else if (accepts(now, stamp))
            middle_.push_back({now + options_.lag, stamp, std::nullopt});
    }
    /// A message that all peers have agreed on (a player has entered), or a message or null-message that this
    /// peer has said before the engine began.
    void receive_agreed(SessionInstant now, const Stamp& stamp, std::optional<Message> message) {
        const Duration lag = stamp.name.author == self_ ? Duration{} : options_.lag;
        middle_.push_back({now + lag, stamp, std::move(message)});
    }
    /// One pass: executes everything up to `now`. All stragglers that have come since the last call cause one
    /// rollback.
    void run(SessionInstant now) {
        now_ = std::max(now_, now);
        empty_middle();
        if (earliest_) roll_back();
        execute_due();
        save_before(now_);
        drop_old();
    }
    /// Messages of this peer that others have caused since the last call: send them under their stamps.
    [[nodiscard]] std::vector<Sent> take_emitted() { return std::exchange(emitted_, {}); }
    /// Stamps of own messages that should not have been sent, since the last call: send them as
    /// null-messages, after the messages.
    [[nodiscard]] std::vector<Stamp> take_nulls() { return std::exchange(nulls_, {}); }
    /// The rollbacks since the last call; the first kMostRollbacksKept of them.
    [[nodiscard]] std::vector<Rollback> take_rollbacks() { return std::exchange(rollbacks_, {}); }
    /// The middle queue may change while playing; what is in it keeps its time.
    void set_lag(Duration lag) { options_.lag = lag; }

    // --- for a match whose peers agree on what is final ---
    /// Nothing before this time changes any more: older states are freed, and older messages refused.
    void commit(SessionInstant at) {
        committed_ = std::max(committed_, at);
        drop_old();
    }
    /// The state after all messages before this time, which is not before the last commit.
    [[nodiscard]] typename Game::State state_at(SessionInstant at) const {
        const auto is_before = [&](const Saved& saved) {
            return saved.at <= at && saved.last < first_at(at);
        };
        const auto newest = std::find_if(saved_.rbegin(), saved_.rend(), is_before);
        const Saved& saved = newest == saved_.rend() ? saved_.front() : *newest;
        Game game = game_;
        game.restore(saved.state);
        queue_.for_each_between(saved.last, first_at(at), [&](const Stamp& stamp, const Message& message) {
            (void)game.execute(stamp, message);
        });
        return game.save();
    }
    /// The time of the earliest message that is in the middle queue, or is voided by a null-message there.
    [[nodiscard]] std::optional<SessionInstant> earliest_held() const {
        std::optional<SessionInstant> earliest;
        for (const Held& held : middle_) earliest = std::min(earliest.value_or(held.stamp.at), held.stamp.at);
        return earliest;
    }

    [[nodiscard]] const TimeWarpCounts& counts() const { return counts_; }
    [[nodiscard]] std::size_t saved_states() const { return saved_.size(); }
    [[nodiscard]] const InnerQueue<Message>& queue() const { return queue_; }

private:
    struct Saved {
        SessionInstant at;
        Stamp last;  // of the messages that it holds
        typename Game::State state;
    };
    struct Held {
        SessionInstant due;
        Stamp stamp;
        std::optional<Message> message;  // none: a null-message
    };

    bool accepts(SessionInstant now, const Stamp& stamp) {
        const bool is_accepted = stamp.name.author != self_ && stamp.at <= now + options_.ahead &&
                                 middle_.size() < options_.most_in_middle;
        if (!is_accepted) ++counts_.refused;
        return is_accepted;
    }
    [[nodiscard]] Stamp next_stamp() {
        Stamp stamp{std::max(now_, last_own_), {self_, ++last_number_}};
        if (stamp <= queue_.last()) stamp.at = queue_.last().at + 1us;
        last_own_ = stamp.at;
        return stamp;
    }

    void empty_middle() {
        for (Held& held : middle_) {
            if (held.due > now_) continue;
            if (held.stamp.at < oldest())
                ++counts_.refused;
            else if (held.message)
                enter(held.stamp, std::move(*held.message));
            else
                enter_null(held.stamp);
        }
        std::erase_if(middle_, [&](const Held& held) { return held.due <= now_; });
    }
    void enter(const Stamp& stamp, Message message) {
        const bool is_late = stamp <= queue_.last() || is_before_saved(stamp);
        if (!is_late || now_ - stamp.at >= options_.ignored_lateness)
            return judge(stamp, queue_.add(stamp, std::move(message)), counts_.late_messages);
        const bool is_behind = stamp > queue_.last();
        if (queue_.add(stamp, message) != (is_behind ? Arrival::in_time : Arrival::late)) return;
        ++counts_.ignored;
        if (is_behind) queue_.pass(stamp);
        execute(stamp, message);
    }
    void enter_null(const Stamp& stamp) {
        judge(stamp, queue_.annul(stamp), counts_.late_nulls);
        settle(stamp, {});
    }
    void judge(const Stamp& stamp, Arrival arrival, std::uint64_t& late) {
        if (arrival == Arrival::too_old || arrival == Arrival::no_room) ++counts_.refused;
        if (arrival != Arrival::late && !(arrival == Arrival::in_time && is_before_saved(stamp))) return;
        ++late;
        latest_ = std::max(latest_, now_ - stamp.at);
        if (!earliest_ || stamp < *earliest_) earliest_ = stamp;
    }
    [[nodiscard]] bool is_before_saved(const Stamp& stamp) const {
        return options_.late_by_state && stamp.at < saved_.back().at;
    }
    void roll_back() {
        // The newest state of a time before the straggler, without the message that was voided.
        const auto is_wrong = [&](const Saved& saved) {
            return saved.last >= *earliest_ || (options_.late_by_state && saved.at > earliest_->at);
        };
        while (saved_.size() > 1 && is_wrong(saved_.back())) saved_.pop_back();
        const Saved& saved = saved_.back();
        game_.restore(saved.state);
        queue_.rewind(saved.last);
        ++counts_.rollbacks;
        if (rollbacks_.size() < kMostRollbacksKept)
            rollbacks_.push_back({now_, latest_, now_ - std::min(saved.at, earliest_->at)});
        earliest_.reset();
        latest_ = {};
    }

    void execute_due() {
        while (const auto next = queue_.next(now_)) {
            save_before(next->stamp.at);
            queue_.pass(next->stamp);
            execute(next->stamp, next->body);
        }
    }
    /// The state of the last periodic time before this one, if it is not saved yet. Between two messages the
    /// state does not change, so one copy serves for all times between them.
    void save_before(SessionInstant at) {
        const Duration since = at - saved_.back().at;
        if (since < options_.save_interval) return;
        const Duration periods = since / options_.save_interval * options_.save_interval;
        saved_.push_back({saved_.back().at + periods, queue_.last(), game_.save()});
    }
    void execute(const Stamp& stamp, const Message& message) {
        ++counts_.executed;
        if (stamp <= newest_executed_)
            ++counts_.executed_again;
        else
            newest_executed_ = stamp;
        const bool is_possible = game_.execute(stamp, message);
        if constexpr (Emitting<Game>) settle(stamp, is_possible ? game_.emitted() : Messages{});
        // Should not have been sent. It has no effect here; the others are told.
        if (!is_possible && stamp.name.author == self_) (void)void_own(stamp);
    }

    // --- messages that other messages cause ---

    using Messages = std::span<const Message>;
    /// This is what the message causes now: what it caused before and does not any more is voided.
    void settle(const Stamp& cause, Messages messages) {
        const auto known = caused_.find(cause);
        if (known == caused_.end() && messages.empty()) return;
        std::vector<Sent> before;
        if (known != caused_.end()) {
            before = std::move(known->second);
            caused_.erase(known);
        }
        std::vector<Sent> after;
        for (std::size_t i = 0; i < std::max(before.size(), messages.size()); ++i) {
            if (i < before.size() && i < messages.size() && is_same(before[i].message, messages[i])) {
                after.push_back(std::move(before[i]));
                continue;
            }
            if (i < before.size()) {
                judge(before[i].stamp, void_own(before[i].stamp), counts_.late_nulls);
                // Late is what has changed the cause, not what it caused.
                if (earliest_) latest_ = std::max(latest_, now_ - cause.at);
            }
            if (i < messages.size()) after.push_back(emit(messages[i]));
        }
        if (!after.empty()) caused_.emplace(cause, std::move(after));
    }
    [[nodiscard]] static bool is_same(const Message& before, const Message& now) {
        if constexpr (Emitting<Game>) return before == now;
        return false;
    }
    Sent emit(const Message& message) {
        const Stamp stamp = next_stamp();
        (void)queue_.add(stamp, message);
        ++counts_.emitted;
        emitted_.push_back({stamp, message});
        return emitted_.back();
    }
    Arrival void_own(const Stamp& stamp) {
        const Arrival arrival = queue_.annul(stamp);
        if (arrival == Arrival::duplicate || arrival == Arrival::too_old) return arrival;
        ++counts_.null_messages;
        nulls_.push_back(stamp);
        settle(stamp, {});
        return arrival;
    }

    [[nodiscard]] SessionInstant oldest() const { return std::max(committed_, now_ - options_.window); }
    void drop_old() {
        const SessionInstant before = oldest();
        while (saved_.size() > 1 && saved_[1].at < before) saved_.pop_front();
        queue_.set_horizon(saved_.front().last);
        caused_.erase(caused_.begin(), caused_.upper_bound(saved_.front().last));
    }

    Game& game_;
    PeerId self_;
    TimeWarpOptions options_;
    SessionInstant now_;
    SessionInstant committed_ = SessionInstant::min();
    InnerQueue<Message> queue_;
    std::deque<Saved> saved_;  // oldest first; never empty
    std::vector<Held> middle_;
    std::optional<Stamp> earliest_;  // straggler that waits for the rollback
    Duration latest_{};
    std::map<Stamp, std::vector<Sent>> caused_;  // by cause
    std::vector<Sent> emitted_;
    std::vector<Stamp> nulls_;
    std::vector<Rollback> rollbacks_;
    Stamp newest_executed_ = first_at(SessionInstant::min());
    SessionInstant last_own_ = SessionInstant::min();
    std::uint32_t last_number_ = 0;
    TimeWarpCounts counts_;
};

}  // namespace fray
