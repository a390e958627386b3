#include "lab/workloads/forming.hpp"
#include "lab/workloads/foundation.hpp"
#include "lab/workloads/foundation_common.hpp"
#include "lab/workloads/metered_swarm.hpp"

namespace fray::lab {
namespace {

bool is_mesh(const Parameters& parameters) { return parameters.text("overlay") == "full_mesh"; }

std::vector<ParameterSpec> forming_parameters() {
    return {ParameterSpec::choice("overlay", {"full_mesh", "psense"}, "full_mesh",
                                  "full_mesh: over a network; psense: an open world, in rounds"),
            ParameterSpec::integer("peers", 64, 2, 1'000'000, "how many")};
}

std::vector<ColumnSpec> forming_columns() {
    return {{"refused", "", Aggregate::sum, "Refused events; no game joins again after one"}};
}

}  // namespace

FoundationForming::FoundationForming()
    : TabledExperiment{"foundation_forming",
                       joined({forming_parameters(), forming_mesh_parameters(), lossy_network_parameters(),
                               clock_parameters(), forming_world_parameters()}),
                       joined({forming_columns(), forming_mesh_columns(), forming_world_columns(),
                               MeteredSwarm::columns()})} {}

Result<void> FoundationForming::check(const Parameters& parameters) const {
    return is_mesh(parameters) ? check_forming_mesh(parameters) : check_forming_world(parameters);
}

Result<void> FoundationForming::check_files(const Parameters& parameters) const {
    if (!is_mesh(parameters)) return {};
    const auto network = lossy_network(parameters);
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> FoundationForming::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    return is_mesh(parameters) ? run_forming_mesh(parameters, seed, context)
                               : run_forming_world(parameters, seed, context);
}

}  // namespace fray::lab
