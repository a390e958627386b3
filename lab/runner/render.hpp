#pragma once
// Results for a person at a terminal.

#include "lab/runner/plan_report.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

/// The rows with the varied parameters and the columns to show (empty: all): side by side if that fits the
/// width, otherwise one line per column.
[[nodiscard]] std::string render_rows(const Table& table, const std::vector<std::string>& show,
                                      std::size_t width);
/// One line per claim: whose it is, what the paper says, what was measured, whether it holds.
[[nodiscard]] std::string render_claims(const PlanReport& report);
/// One line per plan, then the claims that do not hold by name, then how many were checked.
[[nodiscard]] std::string render_summary(std::span<const PlanReport> reports);

}  // namespace fray::lab
