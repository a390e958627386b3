#pragma once
// [[expected]] of a plan. Includes toml++: only for the files that load plans.

#include "lab/runner/claim.hpp"
#include "lab/runner/toml_reader.hpp"

#include <string>
#include <vector>

namespace fray::lab {

/// Complains about what is wrong in it; columns are those the plan's result will have.
[[nodiscard]] Claim load_claim(const toml::table& table, const std::vector<std::string>& columns,
                               Complaint& complaint);

}  // namespace fray::lab
