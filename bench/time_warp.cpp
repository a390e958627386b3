// A rollback of 8 frames: bench_time_warp [TURNS]. The state is an array of 64-byte lines, of which each
// frame changes 16, scattered at random. Measured is to undo 8 frames and to execute them again, with the
// undo log of PartHistory and with a plain full copy (the whole state is copied before each frame, and copied
// back). Both do the same work in turns; the medians are compared. In a turn of one rollback the caches hold
// little of the state, in a longer one most of what is needed. Prints the rows of a table.
#include <fray/random.hpp>
#include <fray/time_warp/part_history.hpp>

#include "bench/allocations.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

// Lines are aligned: their memory comes from here.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    ++g_allocations;
    if (void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), size)) return memory;
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace {

using fray::PartNumber;

constexpr std::size_t kFrames = 8;
constexpr std::size_t kChanges = 16;
constexpr std::size_t kPlaces = 5;  // everything exists so often, used in turn: places in memory differ

struct alignas(64) Line {
    std::array<std::uint64_t, 8> words{};
    friend bool operator==(const Line&, const Line&) = default;
};
using Frame = std::array<PartNumber, kChanges>;
using Script = std::array<Frame, kFrames>;

/// What a frame does to a line. Not inlined, so that both methods run the same code.
[[gnu::noinline]] void execute(Line& line) {
    for (std::uint64_t& word : line.words) word = word * 5 + 1;
}

Script random_script(std::size_t lines, std::size_t number) {
    fray::RandomStream random{fray::Seed{1}, "lines", number};
    Script script;
    for (Frame& frame : script)
        for (auto line = frame.begin(); line != frame.end(); ++line) do {
                *line = random.below(static_cast<std::uint32_t>(lines));
            } while (std::find(frame.begin(), line, *line) != line);
    return script;
}

class UndoLog {
public:
    explicit UndoLog(std::size_t lines) : history_{std::vector<Line>(lines), 0, kFrames} {}
    [[gnu::noinline]] void undo() { history_.rewind(0); }
    [[gnu::noinline]] void execute_frames(const Script& script) {
        for (const Frame& frame : script) {
            auto row = history_.begin();
            for (const PartNumber line : frame) execute(row.change(line));
        }
    }
    [[nodiscard]] std::span<const Line> state() const { return history_.present(); }

private:
    fray::PartHistory<Line> history_;
};

class FullCopy {
public:
    explicit FullCopy(std::size_t lines) : state_(lines), saved_(kFrames, state_) {}
    [[gnu::noinline]] void undo() {
        std::memcpy(state_.data(), saved_[0].data(), state_.size() * sizeof(Line));
    }
    [[gnu::noinline]] void execute_frames(const Script& script) {
        for (std::size_t i = 0; i < kFrames; ++i) {
            std::memcpy(saved_[i].data(), state_.data(), state_.size() * sizeof(Line));
            for (const PartNumber line : script[i]) execute(state_[line]);
        }
    }
    [[nodiscard]] std::span<const Line> state() const { return state_; }

private:
    std::vector<Line> state_;
    std::vector<std::vector<Line>> saved_;
};

template <class Method>
double nanoseconds(Method& method, const Script& script, std::size_t rollbacks) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < rollbacks; ++i) {
        method.undo();
        method.execute_frames(script);
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / static_cast<double>(rollbacks);
}

double median(std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

void measure(std::size_t kib, std::size_t rollbacks, std::size_t turns) {
    const std::size_t lines = kib * 1024 / sizeof(Line);
    std::vector<UndoLog> logs(kPlaces, UndoLog{lines});
    std::vector<FullCopy> copies(kPlaces, FullCopy{lines});
    std::vector<double> log_times;
    std::vector<double> copy_times;
    std::vector<double> ratios;  // of neighbouring turns: what else runs on the machine is the same for both
    log_times.reserve(turns), copy_times.reserve(turns), ratios.reserve(turns);
    std::uint64_t allocations = 0;
    for (std::size_t i = 0; i < 2 * turns; ++i) {
        if (i == turns) allocations = g_allocations;
        const std::size_t place = i % kPlaces;
        const Script script = random_script(lines, place);
        const double log_time = nanoseconds(logs[place], script, rollbacks);
        const double copy_time = nanoseconds(copies[place], script, rollbacks);
        if (i < turns) continue;  // warm-up
        log_times.push_back(log_time);
        copy_times.push_back(copy_time);
        ratios.push_back(copy_time / log_time);
    }
    allocations = g_allocations - allocations;
    for (std::size_t i = 0; i < kPlaces; ++i)
        if (!std::ranges::equal(logs[i].state(), copies[i].state())) std::abort();
    std::printf("| %zu KiB | %zu | %.2f | %.2f | %.2f | %llu |\n", kib, rollbacks, median(copy_times) / 1000,
                median(log_times) / 1000, median(ratios), static_cast<unsigned long long>(allocations));
}

}  // namespace

int main(int argc, char** argv) {
    const int turns = argc > 1 ? std::atoi(argv[1]) : 500;
    if (turns < static_cast<int>(kPlaces)) return std::fputs("usage: bench_time_warp [TURNS]\n", stderr), 2;
    const auto count = static_cast<std::size_t>(turns);
    for (const std::size_t kib : {4U, 64U, 1024U}) {
        measure(kib, 1, count);
        // At 1 MiB 32 full copies would take so long that other programs interrupt them, and only them.
        if (kib < 1024) measure(kib, 32, count);
    }
}
