#include "lab/metrics/screen_log.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

void append(Trail& trail, SessionInstant since, const Vec3& position) {
    trail.push_back({trail.empty() ? since : std::max(since, trail.back().since), position});
}

}  // namespace

Trail trail_of(std::span<const OwnerFrame> simulated) {
    Trail trail;
    trail.reserve(simulated.size());
    for (const OwnerFrame& frame : simulated) append(trail, frame.polled, frame.simulated);
    return trail;
}

Trail trail_of(std::span<const ScreenFrame> screen) {
    Trail trail;
    trail.reserve(screen.size());
    for (const ScreenFrame& frame : screen) append(trail, frame.shown, frame.position);
    return trail;
}

std::vector<ScreenFrame> in_order(std::vector<ScreenFrame> screen) {
    for (std::size_t i = 1; i < screen.size(); ++i)
        screen[i].shown = std::max(screen[i].shown, screen[i - 1].shown);
    return screen;
}

}  // namespace fray::lab
