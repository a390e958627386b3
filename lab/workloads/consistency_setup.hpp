#pragma once
// Parameters of the experiment "consistency" as options: which algorithm, over which network.

#include <fray/consistency.hpp>
#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "lab/runner/parameters.hpp"
#include "lab/workloads/snagger_pair.hpp"

#include <vector>

namespace fray::lab {

[[nodiscard]] std::vector<ParameterSpec> consistency_parameters();

/// The algorithm, with its parameters as in 6.1.3 of the paper where the plan says nothing else: a remote lag
/// of twice the latency and two message intervals.
[[nodiscard]] Consistency consistency_of(const Parameters& parameters);

/// Three peers, the third between the two others. Recorded round trips count as in the paper (6.1.2), where
/// the server lies between the players: from one player to the other a datagram takes one whole sample, from
/// and to the third half a sample. Other experiments, and fray advise, take half a sample per direction.
[[nodiscard]] Result<NetworkModel> consistency_network(const Parameters& parameters);

/// What players do besides playing, so that the situation can be judged.
[[nodiscard]] Besides besides_of(const Parameters& parameters);

}  // namespace fray::lab
