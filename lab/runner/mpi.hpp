#pragma once
// Distributes the runs over the ranks of `mpirun -n K fray lab run ...`: rank 0 reads the command line, hands
// out runs and writes results; the other ranks wait for work. Compiled in if MPI was found (FRAY_WITH_MPI),
// and not used unless fray was started by mpirun.

#include <fray/result.hpp>

#include "lab/runner/executor.hpp"

#include <memory>
#include <span>
#include <vector>

namespace fray::lab {

class MpiExecutor : public Executor {
public:
    /// Nothing if this process was not started by mpirun (or fray was built without MPI).
    [[nodiscard]] static std::unique_ptr<MpiExecutor> join();
    /// Rank 0: ends the other ranks.
    ~MpiExecutor() override;

    [[nodiscard]] int rank() const { return rank_; }
    /// Ranks above 0: executes runs until rank 0 needs no more.
    void serve(Registry registry);
    /// Rank 0. It executes runs as well, in its own thread.
    [[nodiscard]] Result<void> execute(std::span<const RunTask> tasks, RunMonitor& monitor) override;

private:
    MpiExecutor(int rank, int ranks);

    int rank_;
    int ranks_;
    std::vector<int> idle_;  ///< rank 0: ranks that wait for work
};

}  // namespace fray::lab
