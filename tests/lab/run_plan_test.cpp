#include "lab/fake_experiment.hpp"
#include "lab/runner/file_io.hpp"
#include "lab/runner/lab.hpp"
#include "lab/runner/render.hpp"
#include "lab/runner/run_store.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

const std::string kBody = R"([sweep]
peers = [2, 4, 8]
[[expected]]
claim = "every score is above its peers"
must = true
column = "score"
above = { column = "peers" }
[[expected]]
claim = "a paper's claim that does not hold"
paper = "0"
column = "score"
equals = 0
)";

class RunPlan : public testing::Test {
protected:
    Result<PlanReport> run(const Plan& plan, unsigned jobs = 1, bool force = false) {
        stop = false;
        experiment.stop = &stop;
        experiment.runs = 0;
        ThreadExecutor executor{jobs};
        return run_plan(
            plan, {.out = out, .force = force, .record = record, .build = {.version = "1", .commit = commit}},
            executor, stop);
    }
    Plan plan(PlanOptions options = {}) {
        auto parsed = parse_fake(experiment, kBody, options);
        EXPECT_TRUE(parsed) << parsed.error().message;
        return std::move(*parsed);
    }
    std::string file(const std::string& name) const { return read_whole(out / "p" / name).value(); }

    TemporaryFolder temporary;
    fs::path out = temporary.path() / "results";
    FakeExperiment experiment;
    std::atomic<bool> stop{false};
    std::string commit = "abc";
    bool record = false;
};

TEST_F(RunPlan, WithoutTheMeasurementsItNeedsItIsSkippedAndLeavesNothing) {
    Plan needy = plan();
    needy.needs = {"no_such_measurements"};
    const auto report = run(needy);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->outcome, Outcome::skipped);
    EXPECT_TRUE(report->missing.ends_with("/no_such_measurements"));
    EXPECT_EQ(experiment.runs, 0);
    EXPECT_FALSE(fs::exists(out));
    const std::string summary = render_summary(std::span{&*report, 1}, 100);
    EXPECT_NE(summary.find("skipped: needs data"), std::string::npos);
}

TEST_F(RunPlan, WritesEveryFile) {
    const auto report = run(plan());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->outcome, Outcome::finished);
    EXPECT_TRUE(report->promises_kept());
    const auto json = nlohmann::json::parse(file("result.json"));
    EXPECT_EQ(json["plan"], "p");
    EXPECT_EQ(json["paper"], "Fig. 1");
    EXPECT_EQ(json["seed"], 1);
    EXPECT_EQ(json["replications"], 3);
    EXPECT_EQ(json["commit"], "abc");
    EXPECT_EQ(json["rows"].size(), 3U);
    EXPECT_EQ(json["rows"][0].size(), json["columns"].size());
    EXPECT_EQ(json["expected"][0]["holds"], true);
    EXPECT_EQ(json["expected"][1]["holds"], false);
    EXPECT_EQ(json["work"]["messages"], 27);
    const auto manifest = nlohmann::json::parse(file("manifest.json"));
    EXPECT_EQ(manifest["plan_text"], plan().text);
    EXPECT_TRUE(manifest["command"].at(0).get<std::string>().ends_with("fray_lab_tests"));
    EXPECT_NE(manifest["os"].get<std::string>().find("Linux"), std::string::npos);
    EXPECT_TRUE(manifest["cpu"].is_string());
    EXPECT_GT(manifest["cpu_cores"], 0);
    EXPECT_TRUE(file("rows.csv").starts_with("peers,system,loss,lucky,score,score_ci95,"));
    const std::string runs = file("runs.csv");
    EXPECT_TRUE(runs.starts_with("case,replication,seed,peers,"));
    EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 1 + 9);
    const std::string curves = file("curve_rounds.csv");
    EXPECT_TRUE(curves.starts_with("peers,replication,round,score\n2,0,0,1.5\n"));
    EXPECT_EQ(std::count(curves.begin(), curves.end(), '\n'), 1 + 9 * 2);
    EXPECT_FALSE(fs::exists(out / "p" / kPartialFile));
}

TEST_F(RunPlan, TheIntervalOfOneRunIsEmpty) {
    ASSERT_TRUE(run(plan({.replications = 1})));
    const auto json = nlohmann::json::parse(file("result.json"));
    const auto columns = json["columns"].get<std::vector<std::string>>();
    const auto interval = std::find(columns.begin(), columns.end(), "score_ci95") - columns.begin();
    EXPECT_TRUE(json["rows"][0][static_cast<std::size_t>(interval)].is_null()) << "0 would claim certainty";
}

TEST_F(RunPlan, ClaimsCarryColumnLimitsAndTheDecidingValueAsNumbers) {
    const auto report = run(plan());
    ASSERT_TRUE(report) << report.error().message;
    const auto claims = nlohmann::json::parse(file("result.json"))["expected"];
    const auto rows = nlohmann::json::parse(file("result.json"))["rows"];
    EXPECT_EQ(claims[0]["kind"], "promise");
    EXPECT_EQ(claims[0]["column"], "score");
    EXPECT_EQ(claims[0]["test"], "above");
    EXPECT_TRUE(claims[0]["at_most"].is_null());
    // The row that is nearest to the limit: its score is the least above its peers.
    double nearest = 1e9;
    for (const auto& row : rows) nearest = std::min(nearest, row[4].get<double>() - row[0].get<double>());
    EXPECT_GT(nearest, 0);
    EXPECT_DOUBLE_EQ(claims[0]["value"].get<double>() - claims[0]["at_least"].get<double>(), nearest);
    EXPECT_EQ(claims[1]["kind"], "paper");
    EXPECT_EQ(claims[1]["test"], "equals");
    EXPECT_EQ(claims[1]["at_least"], 0);
    EXPECT_EQ(claims[1]["at_most"], 0);
    EXPECT_EQ(claims[1]["value"], rows[0][4]) << "the first row that fails";
    const auto again = run(plan());
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_EQ(again->outcome, Outcome::reused);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(again->claims[i].kind, report->claims[i].kind);
        EXPECT_EQ(again->claims[i].column, report->claims[i].column);
        EXPECT_EQ(again->claims[i].test, report->claims[i].test);
        EXPECT_EQ(again->claims[i].evidence, report->claims[i].evidence);
    }
}

TEST_F(RunPlan, QuickAndFullResultsAreKeptApart) {
    ASSERT_TRUE(run(plan()));
    const std::string full = file("result.json");
    const auto quick = run(plan({.quick = true}));
    ASSERT_TRUE(quick) << quick.error().message;
    EXPECT_EQ(quick->outcome, Outcome::finished);
    EXPECT_GT(experiment.runs, 0);
    EXPECT_TRUE(fs::exists(out / "p.quick" / "result.json"));
    EXPECT_EQ(file("result.json"), full);
    const auto again = run(plan());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->outcome, Outcome::reused);
}

TEST_F(RunPlan, RecordOnAFinishedPlanRecordsAndChangesNothingElse) {
    ASSERT_TRUE(run(plan()));
    const std::string result = file("result.json");
    EXPECT_FALSE(fs::exists(out / "p" / "recordings"));
    record = true;
    const auto recorded = run(plan());
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_EQ(recorded->outcome, Outcome::reused);
    EXPECT_EQ(recorded->recordings, 3U);
    EXPECT_EQ(experiment.runs, 3);  // the first run of each case
    for (const char* name : {"case_0.frayrec", "case_1.frayrec", "case_2.frayrec"})
        EXPECT_TRUE(fs::exists(out / "p" / "recordings" / name)) << name;
    EXPECT_EQ(file("result.json"), result);
    const std::string first = file("recordings/case_1.frayrec");
    const auto again = run(plan());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(experiment.runs, 0);
    EXPECT_EQ(again->recordings, 3U);
    ASSERT_TRUE(run(plan(), 1, true));  // recorded while it runs: the same runs
    EXPECT_EQ(experiment.runs, 9);
    EXPECT_EQ(file("recordings/case_1.frayrec"), first);
}

TEST_F(RunPlan, RecordOnAResumedPlanRecordsTheRunsFromBeforeToo) {
    experiment.stop_after = 4;
    ASSERT_TRUE(run(plan()));
    experiment.stop_after = 0;
    record = true;
    const auto resumed = run(plan());
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(resumed->resumed, 4U);
    EXPECT_EQ(resumed->recordings, 3U);
    EXPECT_EQ(experiment.runs, 5 + 2);  // cases 0 and 1 had begun
}

TEST_F(RunPlan, AnExperimentThatMakesNoRecordingsIsNotRunAgainForThem) {
    const auto silent = parse_fake(experiment, "[parameters]\nsystem = \"server\"\n");
    ASSERT_TRUE(silent) << silent.error().message;
    ASSERT_TRUE(run(*silent));
    record = true;
    const auto report = run(*silent);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->recordings, 0U);
    EXPECT_EQ(experiment.runs, 0);
}

TEST_F(RunPlan, RowsDoNotDependOnJobs) {
    ASSERT_TRUE(run(plan(), 1));
    const std::string rows = file("rows.csv");
    const std::string curves = file("curve_rounds.csv");
    ASSERT_TRUE(run(plan(), 4, true));
    EXPECT_EQ(file("rows.csv"), rows);
    EXPECT_EQ(file("curve_rounds.csv"), curves);
}

TEST_F(RunPlan, AnotherSeedGivesOtherRows) {
    ASSERT_TRUE(run(plan()));
    const std::string rows = file("rows.csv");
    ASSERT_TRUE(run(plan({.seed = 2}), 1, true));
    EXPECT_NE(file("rows.csv"), rows);
}

TEST_F(RunPlan, AFinishedRunIsReused) {
    const auto first = run(plan());
    const auto second = run(plan());
    ASSERT_TRUE(first && second);
    EXPECT_EQ(second->outcome, Outcome::reused);
    EXPECT_EQ(experiment.runs, 0);
    EXPECT_EQ(second->table.columns, first->table.columns);
    ASSERT_EQ(second->table.rows.size(), 3U);
    EXPECT_EQ(second->table.rows[1][4].value, first->table.rows[1][4].value);
    EXPECT_EQ(second->claims.size(), 2U);
    EXPECT_EQ(second->claims[0].measured, first->claims[0].measured);
}

TEST_F(RunPlan, AStoppedRunGoesOnAndGivesTheSameBytes) {
    ASSERT_TRUE(run(plan()));
    const std::string rows = file("rows.csv");
    const std::string curves = file("curve_rounds.csv");
    fs::remove_all(out);

    experiment.stop_after = 4;
    const auto stopped = run(plan());
    ASSERT_TRUE(stopped) << stopped.error().message;
    EXPECT_EQ(stopped->outcome, Outcome::interrupted);
    EXPECT_EQ(stopped->runs, 4U);
    EXPECT_FALSE(fs::exists(out / "p" / "result.json"));

    experiment.stop_after = 0;
    const auto resumed = run(plan(), 2);
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(resumed->resumed, 4U);
    EXPECT_EQ(experiment.runs, 5);  // no run twice
    EXPECT_EQ(file("rows.csv"), rows);
    EXPECT_EQ(file("curve_rounds.csv"), curves);
}

TEST_F(RunPlan, ATornLastLineIsDoneAgain) {
    ASSERT_TRUE(run(plan()));
    const std::string rows = file("rows.csv");
    fs::remove_all(out);
    experiment.stop_after = 4;
    ASSERT_TRUE(run(plan()));
    const fs::path partial = out / "p" / kPartialFile;
    fs::resize_file(partial, fs::file_size(partial) - 20);  // killed in the middle of a write
    experiment.stop_after = 0;
    const auto resumed = run(plan());
    ASSERT_TRUE(resumed) << resumed.error().message;
    EXPECT_EQ(resumed->resumed, 3U);
    EXPECT_EQ(file("rows.csv"), rows);
}

TEST_F(RunPlan, AnotherConfigurationIsRefusedAndNothingOverwritten) {
    ASSERT_TRUE(run(plan()));
    const std::string result = file("result.json");
    for (const PlanOptions& options : {PlanOptions{.replications = 2}, PlanOptions{.seed = 5}}) {
        const auto refused = run(plan(options));
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find("holds results of another configuration"), std::string::npos);
        EXPECT_NE(refused.error().message.find("--renew"), std::string::npos);
    }
    commit = "def";
    EXPECT_FALSE(run(plan()));
    EXPECT_EQ(file("result.json"), result);
    EXPECT_EQ(experiment.runs, 0);
}

TEST_F(RunPlan, AStoppedRunOfAnotherConfigurationIsRefused) {
    experiment.stop_after = 2;
    ASSERT_TRUE(run(plan()));
    EXPECT_FALSE(run(plan({.seed = 5})));
    EXPECT_TRUE(fs::exists(out / "p" / kPartialFile));
}

TEST_F(RunPlan, ForceMovesAsideAndDeletesNothing) {
    ASSERT_TRUE(run(plan()));
    const std::string first = file("result.json");
    ASSERT_TRUE(run(plan({.seed = 5}), 1, true));
    ASSERT_TRUE(run(plan({.seed = 5}), 1, true));
    EXPECT_EQ(read_whole(out / "p.1" / "result.json").value(), first);
    EXPECT_TRUE(fs::exists(out / "p.2" / "result.json"));
}

TEST_F(RunPlan, FilesOfSomebodyElseAreLeftAlone) {
    fs::create_directories(out / "p");
    std::ofstream{out / "p" / "thesis.txt"} << "years of work";
    EXPECT_FALSE(run(plan()));
    EXPECT_EQ(file("thesis.txt"), "years of work");
    EXPECT_EQ(experiment.runs, 0);
}

TEST_F(RunPlan, UnwritableOutputIsSaidBeforeAnythingRuns) {
    fs::create_directories(temporary.path());
    std::ofstream{out} << "a file where the folder should be";
    const auto report = run(plan());
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("cannot be made"), std::string::npos) << report.error().message;
    EXPECT_EQ(experiment.runs, 0);
}

TEST_F(RunPlan, TwoAtATimeInOneFolderAreRefused) {
    fs::create_directories(out / "p");
    const auto held =
        RunStore::open(out / "p", configuration_fingerprint(plan(), {.version = "1", .commit = "abc"}));
    ASSERT_TRUE(held);
    const auto report = run(plan());
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("another fray is running"), std::string::npos)
        << report.error().message;
}

TEST_F(RunPlan, DamagedFilesAreToldBeforeAnythingIsRunOrWritten) {
    const auto damaged = parse_fake(experiment, "[sweep]\nloss = [0, 1]\n");
    ASSERT_TRUE(damaged) << damaged.error().message;
    const auto report = run(*damaged);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().message, "losses.csv:3: expected a number");
    EXPECT_EQ(experiment.runs, 0);
    EXPECT_FALSE(fs::exists(out));
}

TEST_F(RunPlan, DamagedFilesDoNotMoveOldResultsAside) {
    ASSERT_TRUE(run(plan()));
    const std::string first = file("result.json");
    const auto damaged = parse_fake(experiment, "[parameters]\nloss = 1\n");
    ASSERT_TRUE(damaged) << damaged.error().message;
    EXPECT_FALSE(run(*damaged, 1, true));
    EXPECT_EQ(file("result.json"), first);
    EXPECT_FALSE(fs::exists(out / "p.1"));
}

TEST_F(RunPlan, WhereNoRunWasMadeNothingIsLeft) {
    const auto broken = parse_fake(experiment, "[parameters]\nsystem = \"broken\"\n");
    ASSERT_TRUE(broken) << broken.error().message;
    const auto report = run(*broken);
    ASSERT_FALSE(report);
    EXPECT_GT(experiment.runs, 0);
    EXPECT_FALSE(fs::exists(out / "p"));
}

TEST_F(RunPlan, AnErrorOfARunEndsThePlanAndKeepsTheOthers) {
    auto parsed = parse_fake(experiment, "[sweep]\nsystem = [\"psense\", \"broken\"]\n");
    ASSERT_TRUE(parsed);
    const auto report = run(*parsed);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().message, "the data is not there");
    const std::string partial = file(kPartialFile);
    EXPECT_EQ(std::count(partial.begin(), partial.end(), '\n'), 1 + 3);
}

}  // namespace
}  // namespace fray::lab
