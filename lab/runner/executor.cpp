#include "lab/runner/executor.hpp"

#include "lab/runner/worker_pool.hpp"

#include <algorithm>

namespace fray::lab {

Result<void> ThreadExecutor::execute(std::span<const RunTask> tasks, RunMonitor& monitor) {
    std::size_t next = 0;
    std::size_t finished = 0;
    std::optional<Error> error;
    const auto threads = static_cast<unsigned>(std::min<std::size_t>(jobs_, tasks.size()));
    WorkerPool pool{threads, monitor.stop, [&] { return next < tasks.size() ? &tasks[next++] : nullptr; }};
    while (!pool.drained()) {
        auto record = pool.poll(std::chrono::milliseconds{100});
        monitor.progress.show(finished, pool.under_way());
        if (!record) continue;
        const auto stored = *record ? monitor.finished(std::move(**record)) : Result<void>{record->error()};
        ++finished;
        if (stored || error) continue;
        error = stored.error();
        monitor.stop = true;
    }
    if (error) return *error;
    return {};
}

}  // namespace fray::lab
