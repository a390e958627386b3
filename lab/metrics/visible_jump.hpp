#pragma once
// Steps on a screen that no movement explains.

#include <fray/world.hpp>

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

struct VisibleJump {
    double p99 = 0;
    double most = 0;
};

/// Over the frames of the span: how much farther each is from the one before than the owner's largest step
/// from frame to frame within a second around it. 0 if it is not farther, or nothing was shown.
/// Crossing the edge of a world that wraps is no jump.
[[nodiscard]] VisibleJump visible_jump(const Trail& shown, const Trail& simulated,
                                       const SessionSpan& measured, const World& world = {});

}  // namespace fray::lab
