#pragma once
// [[expected]] of a plan. Includes toml++: only for the files that load plans.

#include "lab/runner/claim.hpp"
#include "lab/runner/toml_reader.hpp"

#include <string>
#include <vector>

namespace fray::lab {

/// Reports errors to the complaint; columns: all columns of the plan's result.
[[nodiscard]] Claim load_claim(const toml::table& table, const std::vector<std::string>& columns,
                               Complaint& complaint);

}  // namespace fray::lab
