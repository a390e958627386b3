#pragma once
// Combines runs into rows: means with confidence intervals, extremes, sums, hashes.

#include "lab/runner/plan.hpp"
#include "lab/runner/run_record.hpp"
#include "lab/runner/table.hpp"

#include <span>

namespace fray::lab {

/// Combines the runs' values of one column into one cell. Runs without a value do not count; without any the
/// cell is empty.
[[nodiscard]] Cell aggregate(Aggregate how, std::span<const Value> values);

/// runs: every run of the plan, in order of case, then replication.
[[nodiscard]] Table aggregate(const Plan& plan, std::span<const RunRecord> runs);

}  // namespace fray::lab
