#pragma once
// The two kinds of runs of foundation_forming, with the parameters and columns of each.

#include "lab/runner/experiment.hpp"

#include <string_view>
#include <vector>

namespace fray::lab {

/// The value instead of a time, if the awaited event did not happen.
inline constexpr std::string_view kNever = "never";

/// A full mesh: until every peer is linked with every other and holds its entity.
[[nodiscard]] std::vector<ParameterSpec> forming_mesh_parameters();
[[nodiscard]] std::vector<ColumnSpec> forming_mesh_columns();
[[nodiscard]] Result<void> check_forming_mesh(const Parameters& parameters);
[[nodiscard]] Result<RunOutput> run_forming_mesh(const Parameters& parameters, Seed seed,
                                                 RunContext& context);

/// An open world: until its peers form one component and know the peers in view.
[[nodiscard]] std::vector<ParameterSpec> forming_world_parameters();
[[nodiscard]] std::vector<ColumnSpec> forming_world_columns();
[[nodiscard]] Result<void> check_forming_world(const Parameters& parameters);
[[nodiscard]] Result<RunOutput> run_forming_world(const Parameters& parameters, Seed seed,
                                                  RunContext& context);

}  // namespace fray::lab
