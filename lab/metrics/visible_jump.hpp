#pragma once
// Steps on a screen that no movement explains.

#include <fray/world.hpp>

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

struct VisibleJump {
    double p99 = 0;
    double most = 0;
};

/// For each frame of the span: the part of its step that exceeds the owner's largest step between two frames
/// within a second around it. 0 if it does not exceed it, or if nothing was shown. Crossing the edge of a
/// world that wraps is no jump.
[[nodiscard]] VisibleJump visible_jump(const Trail& shown, const Trail& simulated,
                                       const SessionSpan& measured, const World& world = {});

}  // namespace fray::lab
