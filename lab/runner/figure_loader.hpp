#pragma once
// [[figure]] of a plan. Includes toml++: only for the files that load plans.

#include "lab/runner/figure.hpp"
#include "lab/runner/plan.hpp"
#include "lab/runner/toml_reader.hpp"

namespace fray::lab {

/// Reports errors to the complaint; the plan has its experiment and cases already.
[[nodiscard]] Figure load_figure(const toml::table& table, const Plan& plan, Complaint& complaint);

}  // namespace fray::lab
