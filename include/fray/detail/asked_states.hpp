#pragma once
// States that other members of a match have asked for, until they can be given.

#include <fray/detail/warp_past.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include <utility>
#include <vector>

namespace fray::detail {

class AskedStates {
public:
    /// The newest question of a peer counts; beyond kMostSeats peers, questions are dropped.
    void add(const StateAsked& asked) {
        std::erase_if(asks_, [&](const StateAsked& one) { return one.peer == asked.peer; });
        if (asks_.size() < kMostSeats) asks_.push_back(asked);
    }
    /// Offers kept states, and for a newcomer the final one, `state(tick)`, if that is not too old.
    template <class State>
    void answer(TickStreams& streams, const Checkpoints& kept, Tick final_tick, State state) {
        std::erase_if(asks_, [&](const StateAsked& asked) {
            if (asked.exact) {
                if (const auto* bytes = kept.find(asked.tick))
                    streams.offer_state(asked.peer, asked.tick, *bytes);
                return true;
            }
            if (final_tick < asked.tick) return false;
            if (auto bytes = state(final_tick))
                streams.offer_state(asked.peer, final_tick, std::move(*bytes));
            return true;
        });
    }

private:
    std::vector<StateAsked> asks_;
};

}  // namespace fray::detail
