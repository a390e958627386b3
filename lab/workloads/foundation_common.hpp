#pragma once
// Shared by the foundation experiments: the world, the peers, and how they join.

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
/// The last two of these.
[[nodiscard]] std::vector<ParameterSpec> clock_parameters();
/// profile, loss, burst.
[[nodiscard]] std::vector<ParameterSpec> lossy_network_parameters();
/// The network of the profile, with losses in bursts instead of its own. Fails if its file is absent or
/// damaged.
[[nodiscard]] Result<NetworkModel> lossy_network(const Parameters& parameters);
/// The checks that need no file.
[[nodiscard]] Result<void> check_loss(const Parameters& parameters);
/// The warm-up must end before the run does.
[[nodiscard]] Result<void> check_common(const Parameters& parameters);
/// Clocks from the parameters.
[[nodiscard]] SwarmOptions swarm_options(const Parameters& parameters, NetworkModel network);
/// All peers, one after the other within the first half of the warm-up.
[[nodiscard]] Result<void> add_peers(Swarm& swarm, const Parameters& parameters);

}  // namespace fray::lab
