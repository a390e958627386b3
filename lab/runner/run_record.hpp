#pragma once
// One run: the task and its result, in memory and as a line of JSON. The same lines are sent between MPI
// ranks and stored in runs.partial.jsonl for a resumed run.

#include <fray/random.hpp>
#include <fray/result.hpp>

#include "lab/runner/experiment.hpp"
#include "lab/runner/parameters.hpp"
#include "lab/runner/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// Everything that another process needs to execute a run, without plan and files.
struct RunTask {
    std::size_t case_index = 0;
    std::uint32_t replication = 0;
    const Experiment* experiment = nullptr;
    Parameters parameters{};
    Seed seed{};
    std::string recording{};  ///< file to record into, or empty
};

struct RunRecord {
    std::size_t case_index = 0;
    std::uint32_t replication = 0;
    Seed seed{};
    RunOutput output{};
    double cpu_seconds = 0;
};

/// In order of case, then replication.
[[nodiscard]] std::vector<RunTask> tasks_of(const Plan& plan);

[[nodiscard]] std::string encode(const RunTask& task);
[[nodiscard]] Result<RunTask> decode_task(std::string_view line, Registry registry);
[[nodiscard]] std::string encode(const RunRecord& record);
[[nodiscard]] Result<RunRecord> decode_record(std::string_view line);

/// Executes it, and measures the processor time of this thread.
[[nodiscard]] Result<RunRecord> perform(const RunTask& task, RunContext& context);

}  // namespace fray::lab
