#pragma once
// Parameters of the experiment "consistency" as options: which algorithm, over which network.

#include <fray/consistency.hpp>
#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "lab/runner/parameters.hpp"

#include <vector>

namespace fray::lab {

[[nodiscard]] std::vector<ParameterSpec> consistency_parameters();

/// The algorithm, with its parameters as in 6.1.3 of the paper where the plan says nothing else: a remote lag
/// of twice the latency and two message intervals.
[[nodiscard]] Consistency consistency_of(const Parameters& parameters);

/// Three peers, the third between the two others: from one player to the other a datagram takes one sample of
/// the round-trip time, from and to the third half a sample (6.1.2).
[[nodiscard]] Result<NetworkModel> consistency_network(const Parameters& parameters);

}  // namespace fray::lab
