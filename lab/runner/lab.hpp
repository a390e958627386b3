#pragma once
// Runs a plan: reuses existing results, executes the missing runs, and writes the files.

#include <fray/result.hpp>

#include "lab/runner/build_identity.hpp"
#include "lab/runner/executor.hpp"
#include "lab/runner/plan.hpp"
#include "lab/runner/plan_report.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

namespace fray::lab {

struct LabOptions {
    std::filesystem::path out = "out";
    bool force = false;  ///< moves existing results aside and runs everything again
    bool renew = false;  ///< the same, but only if they are of another plan, seed or build
    /// Records the first run of every case into recordings/, if the experiment supports it. If the results
    /// are there already, only runs that have no recording yet are run again.
    bool record = false;
    BuildIdentity build{};
};

/// Everything that determines a plan's numbers, as a short text.
[[nodiscard]] std::string configuration_fingerprint(const Plan& plan, const BuildIdentity& build);

/// Runs a plan into out/<plan>/, a quick version into out/<plan>.quick/, long cases into out/<plan>.long/.
/// Finished results of the same configuration are reused, and an interrupted run is resumed. Any other
/// content is an error, unless forced or renewed. A plan that needs absent measurements is skipped.
[[nodiscard]] Result<PlanReport> run_plan(const Plan& plan, const LabOptions& options, Executor& executor,
                                          std::atomic<bool>& stop);

struct PlanFile {
    std::string name;
    std::filesystem::path file;
};
/// Plans of a folder, in order of name.
[[nodiscard]] Result<std::vector<PlanFile>> list_plans(const std::filesystem::path& folder);
/// A plan by name, or by the path of its file. An error suggests a similar name.
[[nodiscard]] Result<PlanFile> find_plan(const std::filesystem::path& folder, const std::string& name);

}  // namespace fray::lab
