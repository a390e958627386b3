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
/// Claim, paper, measured, holds.
[[nodiscard]] std::string render_claims(const PlanReport& report);
/// One line per plan: which claims hold, and how long it took.
[[nodiscard]] std::string render_summary(std::span<const PlanReport> reports);

}  // namespace fray::lab
