#pragma once
// Converts the parameters of the experiment "consistency" to options: the algorithm and the network.

#include <fray/consistency.hpp>
#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "lab/runner/parameters.hpp"
#include "lab/workloads/snagger_pair.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace fray::lab {

[[nodiscard]] std::vector<ParameterSpec> consistency_parameters();

/// Whole milliseconds, the nearest to a parameter in ms that is not negative.
[[nodiscard]] inline Duration rounded_ms(double ms) {
    return std::chrono::milliseconds{static_cast<std::int64_t>(ms + 0.5)};
}

/// The algorithm with its parameters; by default as in 6.1.3 of the paper: a remote lag of twice the latency
/// plus two message intervals.
[[nodiscard]] Consistency consistency_of(const Parameters& parameters);

/// Three peers, the third between the two others. Recorded round trips count as in the paper (6.1.2), where
/// the server is between the players: a datagram takes one whole sample from player to player, and half a
/// sample from and to the third peer. Other experiments, and fray advise, take half a sample per direction.
[[nodiscard]] Result<NetworkModel> consistency_network(const Parameters& parameters);

/// What players do besides playing, as the situation requires.
[[nodiscard]] Besides besides_of(const Parameters& parameters);

}  // namespace fray::lab
