#include "lab/advise/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace fray::lab::advise {
namespace {

constexpr std::chrono::milliseconds kPatience{100};

struct Task {
    std::string key;
    const Cell* cell = nullptr;
};

/// Distances are scaled by the speed, so it must not be zero.
Result<CellResult> checked(const CellResult& result) {
    if (result.top_speed > 0 && result.recordings > 0) return result;
    return Error{"nothing moved in the recordings"};
}

/// Threads that take one task after the other. All shared state is protected by the mutex.
class Workers {
public:
    Workers(std::span<const Task> tasks, CellRunner& runner, const CellCache& cache,
            const MeasureOptions& options)
        : tasks_{tasks}, runner_{runner}, cache_{cache}, options_{options} {}

    Result<void> run(Measured& measured, std::size_t known);

private:
    void work();
    std::optional<std::size_t> take();
    void finish(const Task& task, const Result<CellResult>& result);

    std::span<const Task> tasks_;
    CellRunner& runner_;
    const CellCache& cache_;
    const MeasureOptions& options_;
    std::mutex mutex_{};
    std::condition_variable changed_{};
    std::size_t next_ = 0;
    std::size_t working_ = 0;
    Measured measured_{};
    std::optional<Error> error_{};
    std::vector<std::string> warnings_{};
};

std::optional<std::size_t> Workers::take() {
    const std::lock_guard lock{mutex_};
    if (error_ || options_.stop.load() || next_ == tasks_.size()) return std::nullopt;
    return next_++;
}

void Workers::finish(const Task& task, const Result<CellResult>& result) {
    const auto kept = result ? cache_.store(task.key, *result) : Result<void>{};
    const std::lock_guard lock{mutex_};
    if (!result && !error_)
        error_ = Error{fmt::format("{}: {}", to_text(task.cell->consistency), result.error().message)};
    if (!kept) warnings_.push_back(kept.error().message);
    if (result) measured_.emplace(task.key, *result);
    changed_.notify_all();
}

void Workers::work() {
    while (const auto index = take()) {
        const Task& task = tasks_[*index];
        const auto result = runner_.measure(*task.cell);
        finish(task, result ? checked(*result) : result);
    }
    const std::lock_guard lock{mutex_};
    --working_;
    changed_.notify_all();
}

Result<void> Workers::run(Measured& measured, std::size_t known) {
    working_ = std::min<std::size_t>(std::max(options_.jobs, 1U), tasks_.size());
    std::vector<std::jthread> threads;
    threads.reserve(working_);
    for (std::size_t i = 0, count = working_; i < count; ++i) threads.emplace_back([this] { work(); });
    std::unique_lock lock{mutex_};
    while (working_ > 0) {
        changed_.wait_for(lock, kPatience);
        if (options_.progress) options_.progress(measured_.size(), tasks_.size(), known);
    }
    lock.unlock();
    threads.clear();
    for (const std::string& warning : warnings_) {
        if (options_.warn) options_.warn(warning);
    }
    if (error_) return *error_;
    measured.merge(measured_);
    return {};
}

}  // namespace

Result<Measured> measure_cells(std::span<const Cell> cells, const Network& network, CellRunner& runner,
                               const CellCache& cache, const MeasureOptions& options) {
    Measured measured;
    std::vector<Task> tasks;
    for (const Cell& cell : cells) {
        std::string key = cell_key(cell, network.content);
        const auto same = [&](const Task& task) { return task.key == key; };
        if (measured.contains(key) || std::any_of(tasks.begin(), tasks.end(), same)) continue;
        if (const auto found = cache.find(key))
            measured.emplace(std::move(key), *found);
        else
            tasks.push_back({.key = std::move(key), .cell = &cell});
    }
    if (tasks.empty()) return measured;
    const std::size_t known = measured.size();
    const auto done = Workers{tasks, runner, cache, options}.run(measured, known);
    if (!done) return done.error();
    return measured;
}

}  // namespace fray::lab::advise
