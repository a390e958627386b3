#pragma once
// A small experiment for tests of the runner, with known values.

#include "lab/runner/experiment.hpp"
#include "lab/runner/plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fray::lab {

class FakeExperiment : public Experiment {
public:
    [[nodiscard]] std::string_view name() const override { return "fake"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }

    [[nodiscard]] Result<void> check(const Parameters& parameters) const override {
        if (parameters.integer("peers") == 13 && parameters.flag("lucky"))
            return Error{"13 peers are not lucky"};
        return {};
    }

    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override {
        if (parameters.number("loss") == 1) return Error{"losses.csv:3: expected a number"};
        return {};
    }

    [[nodiscard]] bool records(const Parameters& parameters) const override {
        return parameters.text("system") == "psense";
    }

    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override {
        ++runs;
        if (parameters.text("system") == "broken") return Error{"the data is not there"};
        context.progress(0.5);
        if (stop_after > 0 && runs > stop_after) stop->store(true);
        if (context.stop_requested()) return RunOutput{};
        if (!context.recording().empty()) std::ofstream{context.recording()} << seed.value;
        RandomStream random{seed, "fake"};
        RunOutput output{.work = {.peers = 1, .rounds = 2, .messages = 3}};
        output.set("score", static_cast<double>(parameters.integer("peers")) + random.uniform());
        output.set("worst", random.uniform());
        output.set("count", std::uint64_t{7});
        output.set("trace_hash", std::to_string(random.next()));
        output.curves.push_back(
            {.name = "rounds", .columns = {"round", "score"}, .rows = {{0, 1.5}, {1, random.uniform()}}});
        return output;
    }

    mutable std::atomic<int> runs{0};
    int stop_after = 0;  ///< runs; then the stop flag is set, as Ctrl-C does
    std::atomic<bool>* stop = nullptr;

private:
    std::vector<ParameterSpec> parameters_{
        {.name = "peers", .fallback = std::int64_t{8}, .meaning = "how many", .low = 1, .high = 1000},
        {.name = "system",
         .fallback = std::string{"psense"},
         .meaning = "which",
         .choices = {"psense", "server", "broken"}},
        {.name = "loss", .fallback = 0.0, .meaning = "share", .low = 0, .high = 1},
        {.name = "lucky", .fallback = true, .meaning = "whether 13 is refused"}};
    std::vector<ColumnSpec> columns_{
        {.name = "score", .unit = "", .aggregate = Aggregate::mean, .meaning = "s"},
        {.name = "worst", .unit = "", .aggregate = Aggregate::max, .meaning = "w"},
        {.name = "count", .unit = "", .aggregate = Aggregate::sum, .meaning = "c"},
        {.name = "absent", .unit = "", .aggregate = Aggregate::mean, .meaning = "never set"},
        {.name = "trace_hash", .unit = "", .aggregate = Aggregate::hash, .meaning = "h"}};
};

/// A plan with `body` after the head that every plan has.
inline std::string plan_text(const std::string& body) {
    return "name = \"p\"\npaper = \"Fig. 1\"\nquestion = \"does it work?\"\nexperiment = "
           "\"fake\"\nreplications = 3\n" +
           body;
}

inline Result<Plan> parse_fake(const FakeExperiment& experiment, const std::string& body,
                               PlanOptions options = {}) {
    const Experiment* const table[] = {&experiment};
    return parse_plan(plan_text(body), "dir/p.toml", table, options);
}

/// A temporary folder, removed after the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "fray_test_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace fray::lab
