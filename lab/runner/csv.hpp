#pragma once
// Results as comma-separated text (RFC 4180, lines end in \n).

#include "lab/runner/plan.hpp"
#include "lab/runner/run_record.hpp"
#include "lab/runner/table.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

/// One line; fields are quoted if necessary.
[[nodiscard]] std::string csv_line(std::span<const std::string> fields);
[[nodiscard]] std::string rows_csv(const Table& table);
/// One line per run: case, replication, seed, parameters, columns, work.
[[nodiscard]] std::string runs_csv(const Plan& plan, std::span<const RunRecord> runs);
/// One text per curve name; each line names its case and replication.
[[nodiscard]] std::map<std::string, std::string> curves_csv(const Plan& plan,
                                                            std::span<const RunRecord> runs);

}  // namespace fray::lab
