#pragma once
// Runs to rows: means with confidence intervals, extremes, sums, hashes.

#include "lab/runner/plan.hpp"
#include "lab/runner/run_record.hpp"
#include "lab/runner/table.hpp"

#include <span>

namespace fray::lab {

/// The runs' values of one column as one cell. Runs without a value do not count; none at all gives nothing.
[[nodiscard]] Cell aggregate(Aggregate how, std::span<const Value> values);

/// runs: every run of the plan, in order of case, then replication.
[[nodiscard]] Table aggregate(const Plan& plan, std::span<const RunRecord> runs);

}  // namespace fray::lab
