#pragma once
// The cost that the adaptive algorithm minimises, measured on the screens: how far the owner's screen was
// behind, and how far beyond the last update the viewer's screen had to extrapolate. It does not use the
// peers' own estimates of the network.

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

/// Mean over the frames in the span, of lag_cost(). 0 if there are none.
[[nodiscard]] double adaptive_cost(const OwnerLog& owner, const ViewerLog& viewer,
                                   const SessionSpan& measured);

}  // namespace fray::lab
