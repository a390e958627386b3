#include "interest/broadcast.hpp"

#include <algorithm>

namespace fray {

std::size_t BroadcastPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    if (candidates.empty() || budget_bytes == 0) return 0;
    // Candidates come grouped by link, in the overlay's order: turn them so that the one whose turn it is
    // leads.
    auto turn = std::ranges::find(candidates, link_, &Candidate::link);
    while (turn != candidates.end() && turn->link == link_ && turn->primary < primary_) ++turn;
    if (turn != candidates.end()) std::ranges::rotate(candidates, turn);
    // The first goes even where it is longer than the frame: else it never would.
    std::size_t chosen = 0;
    do {
        budget_bytes -= std::min<std::size_t>(candidates[chosen].bytes, budget_bytes);
        ++chosen;
    } while (chosen < candidates.size() && candidates[chosen].bytes <= budget_bytes);
    if (chosen < candidates.size()) resume(candidates[chosen].link, candidates[chosen].primary);
    return chosen;
}

void BroadcastPolicy::resume(LinkNumber link, std::uint16_t primary) {
    link_ = link;
    primary_ = primary;
}

}  // namespace fray
