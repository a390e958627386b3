#include "interest/broadcast.hpp"

#include <algorithm>

namespace fray {

std::size_t BroadcastPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    // Candidates are grouped by link, in the overlay's order. Rotate them so that the candidate whose turn it
    // is comes first.
    auto turn = std::ranges::find(candidates, link_, &Candidate::link);
    while (turn != candidates.end() && turn->link == link_ && turn->primary < primary_) ++turn;
    if (turn != candidates.end()) std::ranges::rotate(candidates, turn);
    // First updates do not wait for their turn.
    if (std::ranges::any_of(candidates, &Candidate::first))
        std::ranges::stable_partition(candidates, &Candidate::first);
    const std::size_t chosen = prices_.fit(candidates, budget_bytes);
    if (chosen < candidates.size()) resume(candidates[chosen].link, candidates[chosen].primary);
    return chosen;
}

void BroadcastPolicy::resume(LinkNumber link, std::uint16_t primary) {
    link_ = link;
    primary_ = primary;
}

}  // namespace fray
