#pragma once
// The distance between what is shown and what is true: at the same time (state divergence), and at any time
// (the shape of a timeline). If the world wraps, distances take the shorter way.

#include <fray/world.hpp>

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

/// Mean distance between the two over the span, weighted with time. Time before either begins does not count;
/// 0 if nothing is left.
[[nodiscard]] double state_divergence(const Trail& a, const Trail& b, const SessionSpan& measured,
                                      const World& world = {});

/// Mean over the positions shown in the span: the distance to the path of the last 2 s, with straight lines
/// between states. A position that is shown late, but was once true, has distance 0. Positions shown before
/// the path begins do not count; 0 if nothing is left.
[[nodiscard]] double shape_divergence(const Trail& shown, const Trail& path, const SessionSpan& measured,
                                      const World& world = {});

}  // namespace fray::lab
