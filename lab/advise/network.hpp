#pragma once
// The network that the advice is for: its name, a fingerprint of its content, and its latency.

#include <fray/network_model.hpp>
#include <fray/result.hpp>
#include <fray/time.hpp>

#include <string>

namespace fray::lab::advise {

struct Network {
    std::string name;
    /// Fingerprint of measured latencies, because a file may change under the same name. Empty for a built-in
    /// network, which is part of the program.
    std::string content{};
    Duration median_latency{};  ///< one way
};

/// name: as network_named() takes it. Fails with one line: what is wrong, and which networks exist.
[[nodiscard]] Result<Network> load_network(const std::string& name);

/// Fingerprint of measured latencies; empty if the model has none.
[[nodiscard]] std::string content_fingerprint(const NetworkModel& model);

}  // namespace fray::lab::advise
