#pragma once
// Executes the runs: in threads of this process, or in the ranks of an MPI job (mpi.hpp). Results do not
// depend on it.

#include <fray/result.hpp>

#include "lab/runner/progress.hpp"
#include "lab/runner/run_record.hpp"

#include <atomic>
#include <functional>
#include <span>

namespace fray::lab {

/// The plan's view of an execution.
struct RunMonitor {
    std::atomic<bool>& stop;  ///< set by Ctrl-C, and at the first error
    Progress& progress;
    /// Called once per finished run, from the thread that called execute(). An error ends the execution.
    std::function<Result<void>(RunRecord)> finished;
};

class Executor {
public:
    virtual ~Executor() = default;
    /// Returns when all tasks are done, when stop was set (then some are not), or at the first error.
    [[nodiscard]] virtual Result<void> execute(std::span<const RunTask> tasks, RunMonitor& monitor) = 0;
};

/// Peers and swarms share no state, so runs can use threads.
class ThreadExecutor : public Executor {
public:
    explicit ThreadExecutor(unsigned jobs) : jobs_{jobs} {}
    [[nodiscard]] Result<void> execute(std::span<const RunTask> tasks, RunMonitor& monitor) override;

private:
    unsigned jobs_;
};

}  // namespace fray::lab
