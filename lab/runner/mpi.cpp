#include "lab/runner/mpi.hpp"

#ifdef FRAY_WITH_MPI

#include "lab/runner/interrupt.hpp"
#include "lab/runner/worker_pool.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace fray::lab {
namespace {

// The kind of a message, as MPI tag. To rank 0: ready, result, failed, stopped. From rank 0: task, end.
enum class Tag : int { ready = 1, result, failed, stopped, task, end };

struct Letter {
    int rank = 0;
    Tag tag{};
    std::string text{};
};

void send(int rank, Tag tag, const std::string& text = {}) {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, static_cast<int>(tag),
             MPI_COMM_WORLD);
}

std::optional<Letter> try_receive() {
    int there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Letter letter{.rank = status.MPI_SOURCE,
                  .tag = static_cast<Tag>(status.MPI_TAG),
                  .text = std::string(static_cast<std::size_t>(size), 0)};
    MPI_Recv(letter.text.data(), size, MPI_CHAR, letter.rank, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return letter;
}

/// Polls with pauses: a blocking receive of MPI would use a whole core.
Letter receive() {
    for (;;) {
        if (auto letter = try_receive()) return std::move(*letter);
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

bool started_by_launcher() {
    constexpr std::array kVariables{"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"};
    for (const char* name : kVariables) {
        if (std::getenv(name) != nullptr) return true;  // NOLINT(concurrency-mt-unsafe): before any thread
    }
    return false;
}

/// Rank 0's view of one execution.
class Dispatch {
public:
    Dispatch(std::span<const RunTask> tasks, RunMonitor& monitor, std::vector<int>& idle)
        : tasks_{tasks}, monitor_{monitor}, idle_{idle} {}

    Result<void> run() {
        WorkerPool own{1, monitor_.stop, [this] { return next_task(); }};
        while (!own.drained() || busy() > 0 || (more() && !monitor_.stop)) {
            hand_out();
            while (auto letter = try_receive()) handle(*letter);
            if (auto record = own.poll(std::chrono::milliseconds{2})) store(std::move(*record));
            monitor_.progress.show(finished_, own.under_way());
        }
        if (error_) return *error_;
        return {};
    }

private:
    [[nodiscard]] bool more() {
        const std::lock_guard lock{mutex_};
        return next_ < tasks_.size();
    }
    const RunTask* next_task() {
        const std::lock_guard lock{mutex_};
        return next_ < tasks_.size() ? &tasks_[next_++] : nullptr;
    }
    [[nodiscard]] int busy() const { return busy_; }

    void hand_out() {
        while (!idle_.empty() && !monitor_.stop) {
            const RunTask* task = next_task();
            if (task == nullptr) return;
            send(idle_.back(), Tag::task, encode(*task));
            idle_.pop_back();
            ++busy_;
        }
    }

    void handle(const Letter& letter) {
        idle_.push_back(letter.rank);
        if (letter.tag == Tag::ready) return;
        --busy_;
        if (letter.tag == Tag::result) store(decode_record(letter.text));
        if (letter.tag == Tag::failed) store(Error{letter.text});
        if (letter.tag == Tag::stopped) monitor_.stop = true;  // a signal that reached only that rank
    }

    void store(Result<RunRecord> record) {
        const auto stored = record ? monitor_.finished(std::move(*record)) : Result<void>{record.error()};
        ++finished_;
        if (stored || error_) return;
        error_ = stored.error();
        monitor_.stop = true;
    }

    std::span<const RunTask> tasks_;
    RunMonitor& monitor_;
    std::vector<int>& idle_;
    int busy_ = 0;
    std::mutex mutex_{};
    std::size_t next_ = 0;
    std::size_t finished_ = 0;
    std::optional<Error> error_{};
};

void serve_task(const std::string& text, Registry registry) {
    const auto task = decode_task(text, registry);
    if (!task) return send(0, Tag::failed, task.error().message);
    std::atomic<double> share{0};
    RunContext context{InterruptGuard::stop(), share, task->recording, task->replication};
    const auto record = perform(*task, context);
    if (context.was_stopped()) return send(0, Tag::stopped);
    if (!record) return send(0, Tag::failed, record.error().message);
    send(0, Tag::result, encode(*record));
}

}  // namespace

MpiExecutor::MpiExecutor(int rank, int ranks) : rank_{rank}, ranks_{ranks} {}

std::unique_ptr<MpiExecutor> MpiExecutor::join() {
    if (!started_by_launcher()) return nullptr;
    int provided = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return nullptr;
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return std::unique_ptr<MpiExecutor>{new MpiExecutor{rank, ranks}};
}

MpiExecutor::~MpiExecutor() {
    if (rank_ == 0) {
        // Every rank reports ready once before the first task, even if no plan ran.
        while (idle_.size() + 1 < static_cast<std::size_t>(ranks_)) idle_.push_back(receive().rank);
        for (const int rank : idle_) send(rank, Tag::end);
    }
    MPI_Finalize();
}

void MpiExecutor::serve(Registry registry) {
    const InterruptGuard guard;
    send(0, Tag::ready);
    for (Letter letter = receive(); letter.tag == Tag::task; letter = receive())
        serve_task(letter.text, registry);
}

Result<void> MpiExecutor::execute(std::span<const RunTask> tasks, RunMonitor& monitor) {
    return Dispatch{tasks, monitor, idle_}.run();
}

}  // namespace fray::lab

#else

namespace fray::lab {

MpiExecutor::MpiExecutor(int rank, int ranks) : rank_{rank}, ranks_{ranks} {}
MpiExecutor::~MpiExecutor() = default;
std::unique_ptr<MpiExecutor> MpiExecutor::join() { return nullptr; }
void MpiExecutor::serve(Registry) {}
Result<void> MpiExecutor::execute(std::span<const RunTask>, RunMonitor&) {
    return Error{"this fray was built without MPI"};
}

}  // namespace fray::lab

#endif
