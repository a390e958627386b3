#pragma once
// What both engines of Time Warp have in common in the lab: who fights where, with which lag, over which
// network.

#include <fray/network_model.hpp>

#include "lab/runner/parameters.hpp"

#include <vector>

namespace fray::lab {

[[nodiscard]] std::vector<ParameterSpec> parameters_of_time_warp();
[[nodiscard]] Result<void> check_time_warp(const Parameters& parameters);
[[nodiscard]] Result<NetworkModel> time_warp_network(const Parameters& parameters);
[[nodiscard]] Duration from_milliseconds(double milliseconds);

}  // namespace fray::lab
