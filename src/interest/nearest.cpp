#include "interest/nearest.hpp"

#include <algorithm>

namespace fray {

namespace {

// Next to the entity a candidate weighs 1 + kNearCounts times as much as at the vision range.
constexpr float kNearCounts = 3;
constexpr float kHelpWorth = 0.1F;

/// If the position is not known, the peer is assumed to be near.
float importance(const Candidate& c) {
    const float distance = c.distance == kDistanceUnknown ? 0 : c.distance;
    return (c.is_help ? kHelpWorth : 1) / (1 + kNearCounts * distance);
}

}  // namespace

std::size_t NearestPolicy::choose(std::span<Candidate> candidates, std::size_t budget_bytes) {
    ++frame_;
    std::size_t chosen = prices_.fit(candidates, budget_bytes);
    if (chosen < candidates.size()) {
        order(candidates);
        chosen = prices_.fit(candidates, budget_bytes);
    }
    for (const Candidate& c : candidates.first(chosen)) serve(c);
    return chosen;
}

void NearestPolicy::order(std::span<Candidate> candidates) {
    weighed_.clear();
    for (const Candidate& c : candidates) {
        const auto offered = static_cast<std::uint32_t>(weighed_.size());
        weighed_.push_back({importance(c) * static_cast<float>(waited(c)), offered, c});
    }
    std::ranges::sort(weighed_, [](const Weighed& a, const Weighed& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.offered < b.offered;
    });
    std::ranges::transform(weighed_, candidates.begin(), &Weighed::candidate);
}

NearestPolicy::Frame NearestPolicy::waited(const Candidate& c) {
    const Receiver& to = receivers_[c.link];
    const Frame link = frame_ - to.any.last;
    if (c.primary >= kForwards) return link;
    const Frame entity = c.primary < to.entities.size() ? to.entities[c.primary].last : 0;
    return link + (to.own.last - entity);
}

void NearestPolicy::serve(const Candidate& c) {
    Receiver& to = receivers_[c.link];
    to.any.serve(frame_);
    if (c.primary >= kForwards) return;
    to.own.serve(frame_);
    if (c.primary >= to.entities.size()) to.entities.resize(c.primary + std::size_t{1});
    to.entities[c.primary].serve(frame_);
}

void NearestPolicy::resume(LinkNumber link, std::uint16_t) {
    Receiver* to = receivers_.find(link);  // none of its updates left
    if (to == nullptr) return;
    to->any.undo(frame_);
    to->own.undo(frame_);
    for (Served& entity : to->entities) entity.undo(frame_);
}

std::size_t NearestPolicy::memory_bytes() const {
    std::size_t sum = sizeof(*this) + receivers_.heap_bytes() + prices_.heap_bytes() +
                      weighed_.capacity() * sizeof(Weighed);
    for (const Receiver& r : receivers_) sum += r.entities.capacity() * sizeof(Served);
    return sum;
}

}  // namespace fray
