#include "interest/nearest.hpp"

#include <algorithm>

namespace fray {

std::size_t NearestPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    ++frame_;
    for (const Candidate& c : candidates) {
        if (c.link >= served_.size()) served_.resize(c.link + std::size_t{1});
    }
    prices_.begin(candidates);
    std::size_t total = 0;
    for (const Candidate& c : candidates) total += prices_.add(c);
    std::size_t chosen = candidates.size();
    if (total > budget_bytes) {
        const auto weight = [&](const Candidate& c) {
            return c.importance * static_cast<float>(frame_ - served_[c.link].last);
        };
        std::ranges::stable_sort(
            candidates, [&](const Candidate& a, const Candidate& b) { return weight(a) > weight(b); });
        prices_.begin(candidates);
        total = 0;
        for (chosen = 0; chosen < candidates.size(); ++chosen) {
            total += prices_.add(candidates[chosen]);
            if (total > budget_bytes && chosen != 0) break;
        }
    }
    for (const Candidate& c : candidates.first(chosen)) {
        Served& served = served_[c.link];
        if (served.last != frame_) served = {.last = frame_, .before = served.last};
    }
    return chosen;
}

void NearestPolicy::resume(LinkNumber link, std::uint16_t) {
    if (link < served_.size() && served_[link].last == frame_) served_[link].last = served_[link].before;
}

}  // namespace fray
