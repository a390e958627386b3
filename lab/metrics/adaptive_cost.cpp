#include "lab/metrics/adaptive_cost.hpp"

#include "consistency/adaptive.hpp"

#include <cstddef>

namespace fray::lab {

namespace {

template <class Cost>
double mean_cost(const std::vector<ScreenFrame>& screen, const SessionSpan& measured, Cost cost) {
    double sum = 0;
    std::size_t frames = 0;
    for (const ScreenFrame& frame : screen) {
        if (!measured.contains(frame.shown)) continue;
        sum += cost(frame);
        ++frames;
    }
    return frames == 0 ? 0 : sum / static_cast<double>(frames);
}

}  // namespace

double adaptive_cost(const OwnerLog& owner, const ViewerLog& viewer, const SessionSpan& measured) {
    // lag_cost() is a sum of the costs of the two screens, so each can be averaged over its own frames.
    const auto waiting = [](const ScreenFrame& f) { return lag_cost(f.shown - f.moment, Duration{0}); };
    const auto forecast = [](const ScreenFrame& f) { return lag_cost(Duration{0}, f.moment - f.told); };
    return mean_cost(owner.screen, measured, waiting) + mean_cost(viewer.screen, measured, forecast);
}

}  // namespace fray::lab
