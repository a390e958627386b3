#pragma once
// The files of a finished plan: result.json, rows.csv, runs.csv, curve_<name>.csv, manifest.json.

#include <fray/result.hpp>

#include "lab/runner/build_identity.hpp"
#include "lab/runner/plan.hpp"
#include "lab/runner/plan_report.hpp"
#include "lab/runner/run_record.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace fray::lab {

/// What the files contain besides the numbers.
struct Provenance {
    BuildIdentity build;
    std::string fingerprint;  ///< of everything that determines the numbers
    std::string started;      ///< UTC, ISO 8601
};

/// result.json is written last: if it exists, all others are complete.
[[nodiscard]] Result<void> write_results(const Plan& plan, const PlanReport& report,
                                         std::span<const RunRecord> runs, const Provenance& provenance);
/// Reads the folder of a finished plan. Data that only the runs have (spread) is not included.
[[nodiscard]] Result<PlanReport> read_results(const Plan& plan, const std::filesystem::path& folder);
/// The configuration in the manifest; empty if the folder holds no result of the lab.
[[nodiscard]] std::string finished_fingerprint(const std::filesystem::path& folder);

}  // namespace fray::lab
