#pragma once
// What the foundation experiments share: the world, the peers, and how they arrive.

#include <fray/swarm.hpp>
#include <fray/world.hpp>

#include "lab/runner/parameters.hpp"

#include <string>
#include <vector>

namespace fray::lab {

/// A flat square of 2 km with 20 frames a second.
[[nodiscard]] World foundation_world();
/// peers, seconds, warm_up_seconds, upload_kbps, clock_offset_s, clock_drift_ppm.
[[nodiscard]] std::vector<ParameterSpec> common_parameters();
/// The warm-up must end before the run does.
[[nodiscard]] Result<void> check_common(const Parameters& parameters);
/// The clocks as the parameters say.
[[nodiscard]] SwarmOptions swarm_options(const Parameters& parameters, NetworkModel network);
/// All peers, one after the other within the first half of the warm-up.
[[nodiscard]] Result<void> add_peers(Swarm& swarm, const Parameters& parameters);

}  // namespace fray::lab
