#pragma once
// docs/results.md: what the papers say, what was measured, and what holds.

#include "lab/report/collect.hpp"

#include <string>

namespace fray::lab {

/// The block between these lines also stands in the README.
inline constexpr std::string_view kSummaryBegin = "<!-- results: begin -->\n";
inline constexpr std::string_view kSummaryEnd = "<!-- results: end -->\n";

[[nodiscard]] std::string results_markdown(const Collected& collected);

}  // namespace fray::lab
