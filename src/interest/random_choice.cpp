#include "interest/random_choice.hpp"

#include <algorithm>
#include <utility>

namespace fray {

std::size_t RandomChoicePolicy::spare(std::span<Candidate> candidates) const {
    if (options_.drop == RandomChoice::Drop::evenly) return 0;
    const bool own = options_.drop == RandomChoice::Drop::forwards_first;
    std::size_t spared = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if ((candidates[i].update < kForwards) == own) std::swap(candidates[i], candidates[spared++]);
    }
    return spared;
}

std::size_t RandomChoicePolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    // The choice is random, but keeps the overlay's order. A link that the upload did not reach goes first in
    // the next frame: otherwise it might never be reached.
    std::ranges::rotate(candidates, std::ranges::find(candidates, next_, &Candidate::link));
    next_ = kNoLink;
    prices_.begin(candidates);
    std::size_t total = 0;
    for (const Candidate& c : candidates) total += prices_.add(c);
    std::size_t spared = spare(candidates);
    std::size_t left = candidates.size();
    while (left > 0 && total > budget_bytes) {
        if (left == spared) spared = 0;
        const std::size_t pick = spared + choice_.below(static_cast<std::uint32_t>(left - spared));
        total -= prices_.remove(candidates[pick]);
        std::swap(candidates[pick], candidates[--left]);
    }
    return left;
}

}  // namespace fray
