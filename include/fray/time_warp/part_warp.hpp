#pragma once
// Time Warp in input mode, over a game of parts (see parts.hpp): what players do is replicated, and the rules
// are deterministic, so no null-message exists. A message that comes late repairs the past, tick by tick, and
// only in the parts that it can have touched; the result is exactly that of executing everything again.
//
//     PartWarp<Tanks> warp{tanks, {.start = match_start}};
//     warp.add(stamp, message);            // own ones and those of others
//     warp.run(tick);                      // the present first, then the past, within the budget
//     show(warp.game());                   // provisional
//     warp.commit(horizon);                // no message from before it can come any more
//     for (const auto& [tick, outcome] : warp.take_final()) announce(outcome);
//
// A repair is a list of work, not a mode: at the earliest tick that has any, the parts that begin it with
// other values are executed together with all they can reach, under the old values and under the new ones.
// Parts whose results are as before are done; the others are work for the next tick. So a repair can pause
// after any tick, and stragglers that come meanwhile only add work. A tick is always recorded with the values
// that it was last executed with.
//
// After warm-up nothing is allocated, except for what the take_...() functions return.

#include <fray/time_warp/part_history.hpp>
#include <fray/time_warp/pending_parts.hpp>
#include <fray/time_warp/tick_messages.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace fray {

enum class Reexecution : std::uint8_t {
    causal,  ///< what the stragglers can have touched
    whole,   ///< all parts, from the earliest straggler to the present
};

struct PartWarpOptions {
    Duration step{16'667};
    SessionInstant start{};  ///< when tick 0 begins
    Reexecution reexecution = Reexecution::causal;
    Store store = Store::undo_log;
    /// Part-ticks that one run() spends on repairs; the last tick is completed. Whatever the budget, two
    /// ticks are repaired for each tick that the present advances, so that a repair catches up with it.
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    std::size_t most_messages = 65'536;
    Tick window = 600;      ///< the present is at most so far ahead of the horizon
    Tick most_ahead = 600;  ///< messages are at most so far ahead of the present
};

struct PartWarpCounts {
    std::uint64_t ticks = 0;          ///< executed at the present
    std::uint64_t stalled_ticks = 0;  ///< not executed when due, because the window was full
    std::uint64_t rollbacks = 0;      ///< all stragglers between two repairs cause one
    std::uint64_t stragglers = 0;
    std::uint64_t part_ticks_executed = 0;    ///< at the present
    std::uint64_t part_ticks_reexecuted = 0;  ///< in repairs
    // Messages refused:
    std::uint64_t too_old = 0;
    std::uint64_t too_far = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t no_room = 0;
    std::uint64_t no_part = 0;
};

struct PartRollback {
    Tick present = 0;  ///< where the game was when the earliest of its stragglers came
    Tick depth = 0;    ///< ticks from that straggler to the present
};

template <Parted Game>
class PartWarp {
public:
    using Part = typename Game::Part;
    using Message = typename Game::Message;
    using Outcome = typename Game::Outcome;
    /// An outcome of a tick.
    struct Recorded {
        Tick tick;
        Outcome outcome;
    };
    static constexpr std::size_t kMostRollbacks =
        1024;  ///< held until they are taken; others are counted only

    PartWarp(Game game, const PartWarpOptions& options)
        : options_{options},
          game_{std::move(game)},
          scratch_{game_},
          history_{parts_of(game_), 0, static_cast<std::size_t>(options.window), options.store},
          messages_{options.start, options.step, options.most_messages},
          all_{game_.parts()},
          touched_{game_.parts()},
          ordered_{game_.parts()},
          dirty_values_(game_.parts()) {
        all_.add_all();
        rollbacks_.reserve(kMostRollbacks);
    }

    /// in_time, late, or a reason why the message is refused.
    Arrival add(const Stamp& stamp, Message message) {
        const PartNumber part = Game::part_of(message);
        if (part >= game_.parts()) return ++counts_.no_part, Arrival::no_part;
        if (stamp.at < messages_.begin_of(horizon())) return ++counts_.too_old, Arrival::too_old;
        if (stamp.at >= messages_.begin_of(present() + options_.most_ahead + 1))
            return ++counts_.too_far, Arrival::too_far;
        const Arrival arrival = messages_.add(stamp, std::move(message));
        if (arrival == Arrival::duplicate) ++counts_.duplicates;
        if (arrival == Arrival::no_room) ++counts_.no_room;
        const Tick tick = messages_.tick_of(stamp.at);
        if (arrival != Arrival::in_time || tick >= present()) return arrival;
        ++counts_.stragglers;
        pending_.add_message(tick, part);
        if (present() - tick > rollback_.depth) rollback_ = {present(), present() - tick};
        return Arrival::late;
    }

    /// Executes until state number `now` is the present, then repairs the past within the budget.
    void run(Tick now) {
        advance(now);
        repair();
    }
    /// The first half of run(). It does not wait for repairs: the player's own input takes effect at once.
    void advance(Tick now) {
        while (present() < now && present() - horizon() < options_.window) {
            execute_present();
            ++advanced_;
        }
        if (present() < now)
            counts_.stalled_ticks += static_cast<std::uint64_t>(now - std::max(present(), due_));
        due_ = std::max(due_, now);
    }
    /// The second half of run().
    void repair() {
        if (rollback_.depth > 0) {
            ++counts_.rollbacks;
            if (rollbacks_.size() < kMostRollbacks) rollbacks_.push_back(rollback_);
            rollback_ = {};
        }
        const std::uint64_t before = counts_.part_ticks_reexecuted;
        const Tick least = 2 * std::max<Tick>(1, std::exchange(advanced_, 0));
        for (Tick done = 0; is_repairing(); ++done) {
            if (done >= least && counts_.part_ticks_reexecuted - before >= options_.budget) return;
            repair_tick(repaired_before());
        }
    }

    /// Everything before `horizon` is final, as far as it is executed and repaired: messages from before it
    /// are refused from now on.
    void commit(Tick horizon) {
        const Tick to = std::min({horizon, repaired_before(), present()});
        if (to <= history_.oldest()) return;
        history_.forget_before(to);
        messages_.forget_before(to);
        const auto end = first_outcome(to);
        final_.insert(final_.end(), outcomes_.cbegin(), end);
        outcomes_.erase(outcomes_.cbegin(), end);
    }
    /// Outcomes that have become final since the last call: by tick, then by part, then as they happened.
    [[nodiscard]] std::vector<Recorded> take_final() { return take(final_); }
    [[nodiscard]] std::vector<PartRollback> take_rollbacks() { return take(rollbacks_); }
    /// Outcomes of ticks from this one on that may still change, in the same order.
    [[nodiscard]] std::span<const Recorded> outcomes_since(Tick tick) const {
        return {first_outcome(tick), outcomes_.end()};
    }

    /// State number `tick` is this one, and final: for a peer that joins, or that is repaired. Messages from
    /// this tick on are kept; the next run() executes them. Outcomes that were not final are dropped.
    void install(Tick tick, std::span<const Part> state) {
        history_.reset(state, tick);
        for (PartNumber part = 0; part < state.size(); ++part) game_.set(part, state[part]);
        messages_.forget_before(tick);
        pending_.clear();
        outcomes_.clear();
        whole_from_ = kNoTick;
        rollback_ = {};
        due_ = tick;
    }

    /// The present state. Parts under repair are not right yet.
    [[nodiscard]] const Game& game() const { return game_; }
    [[nodiscard]] Tick present() const { return history_.next(); }
    [[nodiscard]] Tick horizon() const { return history_.oldest(); }
    /// No tick before this one will change by what has been received so far. The largest Tick: nothing will.
    [[nodiscard]] Tick repaired_before() const {
        return pending_.empty() ? whole_from_ : std::min(whole_from_, pending_.earliest());
    }
    [[nodiscard]] bool is_repairing() const { return repaired_before() != kNoTick; }
    /// A part in state number `tick`, from the horizon to the present. Valid until the next call that changes
    /// anything.
    [[nodiscard]] const Part& part_at(Tick tick, PartNumber part) const { return history_.at(tick, part); }
    [[nodiscard]] std::vector<Part> state_at(Tick tick) const {
        std::vector<Part> state;
        for (PartNumber part = 0; part < game_.parts(); ++part) state.push_back(part_at(tick, part));
        return state;
    }
    [[nodiscard]] std::span<const Stamped<Message>> messages_of(Tick tick) const {
        return messages_.of(tick);
    }
    [[nodiscard]] SessionInstant begin_of(Tick tick) const { return messages_.begin_of(tick); }
    [[nodiscard]] const PartWarpCounts& counts() const { return counts_; }
    void set_budget(std::uint64_t budget) { options_.budget = budget; }

private:
    static constexpr Tick kNoTick = std::numeric_limits<Tick>::max();

    static std::vector<Part> parts_of(const Game& game) {
        std::vector<Part> parts;
        for (PartNumber part = 0; part < game.parts(); ++part) parts.push_back(game.get(part));
        return parts;
    }
    /// A copy, so that the engine keeps its memory.
    template <class T>
    static std::vector<T> take(std::vector<T>& from) {
        std::vector<T> taken{from};
        from.clear();
        return taken;
    }

    void execute_present() {
        const Tick tick = present();
        game_.step(tick, messages_.of(tick), all_);
        auto row = history_.begin();
        for (PartNumber part = 0; part < all_.size(); ++part)
            if (const Part value = game_.get(part); !(value == history_.present()[part]))
                row.change(part) = value;
        record_outcomes(tick, game_.outcomes());
        ++counts_.ticks;
        counts_.part_ticks_executed += all_.size();
    }

    void repair_tick(Tick tick) {
        pending_.take(tick, dirty_);
        for (const auto& entry : dirty_)
            if (entry.has_value) dirty_values_[entry.part] = &entry.value;
        const auto messages = messages_.of(tick);
        const PartSet& set = options_.reexecution == Reexecution::whole ? all_ : reached(tick, messages);
        for (const PartNumber part : set.members()) scratch_.set(part, new_value(tick, part));
        scratch_.step(tick, messages, set);
        for (const PartNumber part : set.members()) settle(tick, part);
        for (const auto& entry : dirty_) dirty_values_[entry.part] = nullptr;
        drop_outcomes(tick, set);
        record_outcomes(tick, scratch_.outcomes());
        counts_.part_ticks_reexecuted += set.size();
        if (options_.reexecution == Reexecution::whole)
            whole_from_ = tick + 1 < present() ? tick + 1 : kNoTick;
    }
    /// The parts that have to be executed again, in ascending order: a game may depend on the order.
    const PartSet& reached(Tick tick, std::span<const Stamped<Message>> messages) {
        touched_.clear();
        for (const auto& entry : dirty_) touched_.add(entry.part);
        const auto old_at = [&](PartNumber part) -> const Part& { return history_.at(tick, part); };
        const auto new_at = [&](PartNumber part) -> const Part& { return new_value(tick, part); };
        game_.reach(tick, messages, old_at, touched_);
        // What was reached with the new values may have reached others with the old ones, and the reverse.
        for (std::size_t size = 0; size != touched_.size();) {
            size = touched_.size();
            game_.reach(tick, messages, new_at, touched_);
            if (size == touched_.size()) break;
            size = touched_.size();
            game_.reach(tick, messages, old_at, touched_);
        }
        order_.assign(touched_.members().begin(), touched_.members().end());
        std::sort(order_.begin(), order_.end());
        ordered_.clear();
        for (const PartNumber part : order_) ordered_.add(part);
        return ordered_;
    }
    [[nodiscard]] const Part& new_value(Tick tick, PartNumber part) const {
        return dirty_values_[part] != nullptr ? *dirty_values_[part] : history_.at(tick, part);
    }
    /// Records what a part of a tick executed again has become.
    void settle(Tick tick, PartNumber part) {
        const Part result = scratch_.get(part);
        const bool is_as_before = result == history_.at(tick + 1, part);
        // A part without a value in this row has the value of a later one, which is about to change.
        if (!is_as_before || dirty_values_[part] != nullptr) history_.keep(tick, part, new_value(tick, part));
        if (is_as_before) {
            pending_.drop_value(tick + 1, part);
        } else if (tick + 1 < present()) {
            pending_.set_value(tick + 1, part, result);
        } else {
            history_.set_present(part, result);
            game_.set(part, result);
        }
    }

    auto first_outcome(Tick tick) const {
        return std::lower_bound(outcomes_.begin(), outcomes_.end(), tick,
                                [](const Recorded& recorded, Tick t) { return recorded.tick < t; });
    }
    void drop_outcomes(Tick tick, const PartSet& set) {
        const auto begin = outcomes_.begin() + (first_outcome(tick) - outcomes_.cbegin());
        const auto end = outcomes_.begin() + (first_outcome(tick + 1) - outcomes_.cbegin());
        outcomes_.erase(
            std::remove_if(begin, end, [&](const Recorded& r) { return set.contains(r.outcome.part); }), end);
    }
    void record_outcomes(Tick tick, std::span<const Outcome> outcomes) {
        for (const Outcome& outcome : outcomes) {
            const auto before = [](const Recorded& a, const Recorded& b) {
                return a.tick != b.tick ? a.tick < b.tick : a.outcome.part < b.outcome.part;
            };
            const Recorded recorded{tick, outcome};
            outcomes_.insert(std::upper_bound(outcomes_.begin(), outcomes_.end(), recorded, before),
                             recorded);
        }
    }

    PartWarpOptions options_;
    Game game_;     // the present
    Game scratch_;  // executes ticks of the past
    PartHistory<Part> history_;
    TickMessages<Message> messages_;
    PendingParts<Part> pending_;
    Tick whole_from_ = kNoTick;  // whole re-execution continues here
    PartSet all_;
    PartSet touched_;
    PartSet ordered_;
    std::vector<PartNumber> order_;
    std::vector<typename PendingParts<Part>::Entry> dirty_;  // of the tick under repair
    std::vector<const Part*> dirty_values_;                  // by part; of dirty_
    std::vector<Recorded> outcomes_;                         // by tick, then part, then as they happened
    std::vector<Recorded> final_;
    std::vector<PartRollback> rollbacks_;
    PartRollback rollback_;  // of stragglers since the last repair
    Tick advanced_ = 0;      // since the last repair
    Tick due_ = 0;
    PartWarpCounts counts_;
};

}  // namespace fray
