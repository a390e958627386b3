#include "interest/random_choice.hpp"

#include <algorithm>
#include <utility>

namespace fray {

std::size_t RandomChoicePolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    // Our own updates and those passed on are numbered from 0 and from kForwards on.
    std::size_t own = 0;
    std::size_t forwards = 0;
    for (const Candidate& c : candidates) {
        if (c.update < kForwards)
            own = std::max<std::size_t>(own, c.update + 1U);
        else
            forwards = std::max<std::size_t>(forwards, c.update - kForwards + 1U);
    }
    copies_.assign(own + forwards, 0);
    const auto copies = [&](const Candidate& c) -> std::uint32_t& {
        return copies_[c.update < kForwards ? c.update : own + (c.update - kForwards)];
    };
    // Copy number n of an update brings its own bytes, and one more name into each of the n - 1 others and
    // itself.
    const auto price = [](const Candidate& c, std::size_t count) {
        return c.bytes + c.per_copy * (2 * count - 1);
    };
    std::size_t total = 0;
    for (const Candidate& c : candidates) total += price(c, ++copies(c));
    std::size_t left = candidates.size();
    while (left > 0 && total > budget_bytes) {
        const std::size_t pick = choice_.below(static_cast<std::uint32_t>(left));
        total -= price(candidates[pick], copies(candidates[pick])--);
        std::swap(candidates[pick], candidates[--left]);
    }
    return left;
}

}  // namespace fray
