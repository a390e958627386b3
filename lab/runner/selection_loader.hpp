#pragma once
// where = {...} of claims and figures. Includes toml++: only for the files that load plans.

#include "lab/runner/claim.hpp"
#include "lab/runner/toml_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// Complains about a name that is none of the columns, and suggests a similar one.
void check_column(const toml::source_region& where, std::string_view name,
                  const std::vector<std::string>& columns, Complaint& complaint);

/// Empty if there is no table.
[[nodiscard]] Selection load_selection(const toml::table* table, const std::vector<std::string>& columns,
                                       Complaint& complaint);

}  // namespace fray::lab
