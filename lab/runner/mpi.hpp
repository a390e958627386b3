#pragma once
// The same runs over the ranks of `mpirun -n K fray lab run ...`: rank 0 reads the command line, hands out
// runs and writes; the others wait for work. Built in where MPI was found (FRAY_WITH_MPI); a fray that was
// not started by mpirun never touches it.

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
    /// Rank 0: sends the others home.
    ~MpiExecutor() override;

    [[nodiscard]] int rank() const { return rank_; }
    /// Ranks above 0: does runs until rank 0 needs no more.
    void serve(Registry registry);
    /// Rank 0. It does runs as well, in a thread of its own.
    [[nodiscard]] Result<void> execute(std::span<const RunTask> tasks, RunMonitor& monitor) override;

private:
    MpiExecutor(int rank, int ranks);

    int rank_;
    int ranks_;
    std::vector<int> idle_;  ///< rank 0: ranks that wait for work
};

}  // namespace fray::lab
