#pragma once
// Threads that execute runs on demand, and a queue of their results.

#include <fray/result.hpp>

#include "lab/runner/run_record.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace fray::lab {

class WorkerPool {
public:
    /// next: the next task, or nullptr when there is none left. Called from the workers, one at a time.
    WorkerPool(unsigned threads, const std::atomic<bool>& stop, std::function<const RunTask*()> next);
    /// Waits for the workers.
    ~WorkerPool();

    /// The next finished run; waits at most this long. Interrupted runs are not reported.
    [[nodiscard]] std::optional<Result<RunRecord>> poll(std::chrono::milliseconds patience);
    /// No worker is busy any more, and every result was polled.
    [[nodiscard]] bool drained();
    /// Sum of the progress of the runs in execution.
    [[nodiscard]] double under_way() const;

private:
    void work(std::size_t worker);

    const std::atomic<bool>& stop_;
    std::function<const RunTask*()> next_;
    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Result<RunRecord>> finished_;
    std::size_t working_;
    std::vector<std::atomic<double>> shares_;
    std::vector<std::thread> threads_;
};

}  // namespace fray::lab
