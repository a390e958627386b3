#pragma once
// Results for a person at a terminal.

#include "lab/runner/plan_report.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

/// One line per row within the width: the varied parameters, then as many of the columns to show (empty: all)
/// as fit. The rest is named or counted below.
[[nodiscard]] std::string render_rows(const Table& table, const std::vector<std::string>& show,
                                      std::size_t width);
/// Every column of every row: side by side if that fits the width, otherwise one line per column.
[[nodiscard]] std::string render_all_rows(const Table& table, std::size_t width);
/// How many claims hold, then one line per claim within the width, those that do not hold first. What is left
/// out is counted; most_held: how many that hold are listed.
[[nodiscard]] std::string render_claims(const PlanReport& report, std::size_t width,
                                        std::size_t most_held = 12);
/// Every claim, with what the paper says, and those that were not checked.
[[nodiscard]] std::string render_all_claims(const PlanReport& report);
/// One line per plan, then the claims that do not hold by name, then how many were checked.
[[nodiscard]] std::string render_summary(std::span<const PlanReport> reports, std::size_t width);

}  // namespace fray::lab
