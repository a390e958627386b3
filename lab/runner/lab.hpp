#pragma once
// Running a plan: what is there already, what is to be done, and where it goes.

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
    bool force = false;   ///< results that are in the way are moved aside, and everything is run again
    bool renew = false;   ///< the same, only where they are of another plan, seed or build
    bool record = false;  ///< the first run of every case, into recordings/, where the experiment can
    BuildIdentity build{};
};

/// Everything that decides about a plan's numbers, as a short text.
[[nodiscard]] std::string configuration_fingerprint(const Plan& plan, const BuildIdentity& build);

/// Runs a plan into out/<plan>/. Finished results of the same configuration are read instead, those of a
/// stopped run are taken up; anything else there is an error, unless forced or renewed. A plan whose
/// measurements are not at hand is skipped.
[[nodiscard]] Result<PlanReport> run_plan(const Plan& plan, const LabOptions& options, Executor& executor,
                                          std::atomic<bool>& stop);

struct PlanFile {
    std::string name;
    std::filesystem::path file;
};
/// Plans of a folder, in order of name.
[[nodiscard]] Result<std::vector<PlanFile>> list_plans(const std::filesystem::path& folder);
/// A plan by name, or by the path of its file. Says what it may have meant.
[[nodiscard]] Result<PlanFile> find_plan(const std::filesystem::path& folder, const std::string& name);

}  // namespace fray::lab
