#pragma once
// The network advice is for: its name, what is in it, and how slow it is.

#include <fray/network_model.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <string>

namespace fray::lab::advise {

struct Network {
    std::string name;
    /// Fingerprint of measured latencies: the file may change under its name. Empty for a built-in network,
    /// which is part of the program.
    std::string content{};
    Duration median_latency{};  ///< one way
};

/// name: as network_named() takes it. Fails with one line: what is wrong, and what there is.
[[nodiscard]] Result<Network> load_network(const std::string& name);

/// Of measured latencies; empty where the model has none.
[[nodiscard]] std::string content_fingerprint(const NetworkModel& model);

}  // namespace fray::lab::advise
