#include "interest/broadcast.hpp"

#include <algorithm>

namespace fray {

std::size_t BroadcastPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    // Candidates come grouped by link but in the overlay's order: turn them so that first_ leads.
    const auto turn = std::ranges::find(candidates, first_, &Candidate::link);
    if (turn != candidates.end()) std::ranges::rotate(candidates, turn);
    std::size_t chosen = 0;
    for (; chosen < candidates.size() && candidates[chosen].bytes <= budget_bytes; ++chosen) {
        budget_bytes -= candidates[chosen].bytes;
    }
    if (chosen < candidates.size()) first_ = candidates[chosen].link;
    return chosen;
}

}  // namespace fray
