#include "replica/baseline_tracker.hpp"

#include <algorithm>

namespace fray {

BaselineTracker::Track& BaselineTracker::track(std::uint32_t number) {
    const auto place = std::ranges::lower_bound(tracks_, number, {}, &Track::number);
    if (place != tracks_.end() && place->number == number) return *place;
    return *tracks_.insert(place, Track{.number = number});
}

const BaselineTracker::Track* BaselineTracker::find(std::uint32_t number) const {
    const auto place = std::ranges::lower_bound(tracks_, number, {}, &Track::number);
    return place != tracks_.end() && place->number == number ? &*place : nullptr;
}

void BaselineTracker::forget(std::uint32_t number) {
    std::erase_if(tracks_, [&](const Track& t) { return t.number == number; });
}

void BaselineTracker::mark_carried(Instant now, std::uint32_t number, Frame state) {
    Track& t = track(number);
    t.carried |= 1U;
    t.sent = state;
    t.sent_at = now;
}

}  // namespace fray
