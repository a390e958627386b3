#include "lab/workloads/foundation.hpp"
#include "lab/workloads/foundation_common.hpp"
#include "lab/workloads/metered_swarm.hpp"
#include "lab/workloads/players.hpp"

namespace fray::lab {

FoundationMesh::FoundationMesh()
    : TabledExperiment{"foundation_mesh", joined({common_parameters(), lossy_network_parameters()}),
                       MeteredSwarm::columns()} {}

Result<void> FoundationMesh::check(const Parameters& parameters) const {
    if (auto common = check_common(parameters); !common) return common;
    return check_loss(parameters);
}

Result<void> FoundationMesh::check_files(const Parameters& parameters) const {
    const auto network = lossy_network(parameters);
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> FoundationMesh::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    auto network = lossy_network(parameters);
    if (!network) return network.error();
    auto swarm = Swarm::create(swarm_options(parameters, std::move(*network)), derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    Players players{foundation_world(), {}, derive(seed, "players")};
    MeteredSwarm meters{*swarm, players, from_seconds(parameters.number("warm_up_seconds")), context};
    if (auto added = add_peers(*swarm, parameters); !added) return added.error();
    RunOutput output;
    if (!meters.run_until(from_seconds(parameters.number("seconds")))) return output;
    if (auto concluded = meters.conclude(output); !concluded) return concluded.error();
    return output;
}

}  // namespace fray::lab
