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
    // Our own updates and those passed on are numbered from 0 and from kForwards on.
    std::size_t own = 0;
    std::size_t forwards = 0;
    for (const Candidate& c : candidates) {
        if (c.update < kForwards)
            own = std::max<std::size_t>(own, c.update + 1U);
        else
            forwards = std::max<std::size_t>(forwards, c.update - kForwards + 1U);
    }
    updates_.assign(own + forwards, {});
    const auto update = [&](const Candidate& c) -> Update& {
        return updates_[c.update < kForwards ? c.update : own + (c.update - kForwards)];
    };
    // All copies of an update name the same receivers: a further copy brings its own bytes and those names,
    // and, where its receiver is named, one more name into each of the others.
    const auto price = [](const Candidate& c, const Update& u) {
        const std::size_t into_others = c.named ? u.copies - 1 : 0;
        return c.bytes + c.per_copy * (u.named + into_others);
    };
    std::size_t total = 0;
    for (const Candidate& c : candidates) {
        Update& u = update(c);
        ++u.copies;
        u.named += c.named ? 1 : 0;
        total += price(c, u);
    }
    std::size_t spared = spare(candidates);
    std::size_t left = candidates.size();
    while (left > 0 && total > budget_bytes) {
        if (left == spared) spared = 0;
        const std::size_t pick = spared + choice_.below(static_cast<std::uint32_t>(left - spared));
        Update& u = update(candidates[pick]);
        total -= price(candidates[pick], u);
        --u.copies;
        u.named -= candidates[pick].named ? 1 : 0;
        std::swap(candidates[pick], candidates[--left]);
    }
    return left;
}

}  // namespace fray
