#include "lab/runner/worker_pool.hpp"

namespace fray::lab {

WorkerPool::WorkerPool(unsigned threads, const std::atomic<bool>& stop, std::function<const RunTask*()> next)
    : stop_{stop}, next_{std::move(next)}, working_{threads}, shares_(threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
}

WorkerPool::~WorkerPool() {
    for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::work(std::size_t worker) {
    std::unique_lock lock{mutex_};
    while (!stop_.load()) {
        const RunTask* task = next_();
        if (task == nullptr) break;
        lock.unlock();
        RunContext context{stop_, shares_[worker], task->recording, task->replication};
        auto record = perform(*task, context);
        lock.lock();
        shares_[worker] = 0;
        if (context.was_stopped()) continue;
        finished_.push_back(std::move(record));
        ready_.notify_one();
    }
    --working_;
    ready_.notify_one();
}

std::optional<Result<RunRecord>> WorkerPool::poll(std::chrono::milliseconds patience) {
    std::unique_lock lock{mutex_};
    ready_.wait_for(lock, patience, [this] { return !finished_.empty() || working_ == 0; });
    if (finished_.empty()) return std::nullopt;
    std::optional<Result<RunRecord>> record{std::move(finished_.front())};
    finished_.pop_front();
    return record;
}

bool WorkerPool::drained() {
    const std::lock_guard lock{mutex_};
    return finished_.empty() && working_ == 0;
}

double WorkerPool::under_way() const {
    double sum = 0;
    for (const auto& share : shares_) sum += share.load(std::memory_order_relaxed);
    return sum;
}

}  // namespace fray::lab
