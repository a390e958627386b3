#pragma once
// How far what is shown is from what is, at the same time (state divergence) and whenever (the shape of a
// timeline). Where the world wraps, the distance of two places is the shorter way.

#include <fray/world.hpp>

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

/// Mean distance of the two over the span, weighted with time. Time before either begins does not count; 0
/// where nothing is left.
[[nodiscard]] double state_divergence(const Trail& a, const Trail& b, const SessionSpan& measured,
                                      const World& world = {});

/// Mean over what was shown in the span: the distance to the path of the last 2 s, which leads straight from
/// state to state. What is shown late but where the entity truly was has none. What was shown before the
/// path begins does not count; 0 if nothing is left.
[[nodiscard]] double shape_divergence(const Trail& shown, const Trail& path, const SessionSpan& measured,
                                      const World& world = {});

}  // namespace fray::lab
