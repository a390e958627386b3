#pragma once
// What the adaptive algorithm wants to keep small, as it came out on the screens: by how much the owner's
// screen was behind, and how far ahead of the last word the viewer's had to go. Not what the peers believed
// of the network.

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

/// Mean over the frames in the span, of lag_cost(). 0 if there are none.
[[nodiscard]] double adaptive_cost(const OwnerLog& owner, const ViewerLog& viewer,
                                   const SessionSpan& measured);

}  // namespace fray::lab
