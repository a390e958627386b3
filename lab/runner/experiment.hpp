#pragma once
// An experiment: C++ code that turns parameters and a seed into measured columns. Plans (lab/plans/*.toml)
// state the values and the expected results.
//
// To add one: derive from Experiment in lab/workloads/, put it into the table in lab/workloads/registry.cpp,
// and write a plan that names it.

#include <fray/random.hpp>
#include <fray/result.hpp>

#include "lab/runner/parameters.hpp"
#include "lab/runner/value.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

/// How the values of a case's runs are combined into one value of its row.
enum class Aggregate : std::uint8_t {
    mean,  ///< with a further column <name>_ci95
    max,   ///< a text ("never") counts as larger than any number
    min,
    sum,
    hash,  ///< of the runs' texts, in order of replication
};

struct ColumnSpec {
    std::string name;  ///< snake_case, ends in its unit: update_age_ms_p95
    std::string unit;  ///< "ms", "kbit/s"; empty for counts and ratios
    Aggregate aggregate = Aggregate::mean;
    std::string meaning;  ///< one line
};

/// Amount of work, to judge the cost of a run.
struct Work {
    std::uint64_t peers = 0;
    std::uint64_t rounds = 0;    ///< frames of the run, counted once for all peers
    std::uint64_t messages = 0;  ///< datagrams sent

    Work& operator+=(const Work& other);
    friend bool operator==(const Work&, const Work&) = default;
};

/// Values over time (or any x), written as CSV beside the result.
struct Curve {
    std::string name;  ///< of the file
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
    friend bool operator==(const Curve&, const Curve&) = default;
};

/// The measurements of one run. A column that is not set does not apply; NaN and infinities count as not set.
struct RunOutput {
    std::map<std::string, Value, std::less<>> values{};
    Work work{};
    std::vector<Curve> curves{};

    void set(std::string_view column, double value);
    void set(std::string_view column, std::uint64_t count) {
        values[std::string{column}] = count_value(count);
    }
    void set(std::string_view column, std::string text) { values[std::string{column}] = std::move(text); }
    friend bool operator==(const RunOutput&, const RunOutput&) = default;
};

/// The runner's interface for a run in progress.
class RunContext {
public:
    RunContext(const std::atomic<bool>& stop, std::atomic<double>& progress, std::string recording = {},
               std::uint32_t replication = 0)
        : stop_{stop}, progress_{progress}, recording_{std::move(recording)}, replication_{replication} {}

    /// Poll it every few frames: true once the user wants to stop. The result is then discarded.
    [[nodiscard]] bool stop_requested() {
        was_stopped_ = was_stopped_ || stop_.load(std::memory_order_relaxed);
        return was_stopped_;
    }
    /// The run was told to stop, so it is incomplete.
    [[nodiscard]] bool was_stopped() const { return was_stopped_; }
    /// The file to record this run into, for fray replay; empty: none.
    [[nodiscard]] const std::string& recording() const { return recording_; }
    /// Index of this run within its case, from 0: for experiments over a fixed set of inputs.
    [[nodiscard]] std::uint32_t replication() const { return replication_; }
    /// Progress of this run, 0 to 1.
    void progress(double share) { progress_.store(share, std::memory_order_relaxed); }

private:
    const std::atomic<bool>& stop_;
    std::atomic<double>& progress_;
    std::string recording_;
    std::uint32_t replication_ = 0;
    bool was_stopped_ = false;
};

class Experiment {
public:
    virtual ~Experiment() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual std::span<const ParameterSpec> parameters() const = 0;
    [[nodiscard]] virtual std::span<const ColumnSpec> columns() const = 0;
    /// Refuses invalid combinations of values. Called whenever a plan is read.
    [[nodiscard]] virtual Result<void> check(const Parameters&) const { return {}; }
    /// Checks that the files that a run reads exist and are valid. Called before anything is run or written.
    [[nodiscard]] virtual Result<void> check_files(const Parameters&) const { return {}; }
    /// True if a run with these values writes RunContext::recording().
    [[nodiscard]] virtual bool records(const Parameters&) const { return false; }
    /// The result follows from parameters and seed alone. Called from several threads at once. An error (an
    /// absent data file) ends the whole plan.
    [[nodiscard]] virtual Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                                RunContext& context) const = 0;
};

/// All experiments that plans may name.
using Registry = std::span<const Experiment* const>;
[[nodiscard]] const Experiment* find_experiment(Registry registry, std::string_view name);

}  // namespace fray::lab
