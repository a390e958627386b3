#pragma once
// The network of an experiment: a built-in profile, or measured latencies.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "lab/runner/parameters.hpp"

#include <string_view>

namespace fray::lab {

/// profile: a built-in network, or measured round-trip times as KIND:PATH. A relative path starts in the
/// folder of measurements (data_folder.hpp):
///   planetlab:FOLDER  seattle:FOLDER  regions:FILE   between sites; a pair of peers has a pair of sites
///   starlink:FILE     ping:FILE                      over time; each datagram takes half of the next sample
[[nodiscard]] ParameterSpec profile_parameter();

/// The network of an accepted value. Fails if its file is absent or damaged, with one line that names it.
[[nodiscard]] Result<NetworkModel> network_named(std::string_view profile);

}  // namespace fray::lab
