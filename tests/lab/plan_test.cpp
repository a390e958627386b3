#include "lab/runner/plan.hpp"

#include "lab/fake_experiment.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace fray::lab {
namespace {

std::string error_of(const std::string& body, PlanOptions options = {}) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, body, options);
    return plan ? std::string{} : plan.error().message;
}

TEST(Plan, SweepIsTheProductInTheOrderWritten) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, "[sweep]\nsystem = [\"server\", \"psense\"]\npeers = [2, 4]\n");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->varied, (std::vector<std::string>{"system", "peers"}));
    ASSERT_EQ(plan->cases.size(), 4U);
    EXPECT_EQ(to_text(plan->cases[1].varied), "system=server, peers=4");
    EXPECT_EQ(plan->cases[1].all.number("loss"), 0.0);
    EXPECT_EQ(plan->run_count(), 12U);
}

TEST(Plan, CasesTimesSweep) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, R"([parameters]
loss = 1
[[case]]
peers = 3
[[case]]
peers = 5
lucky = false
[sweep]
system = ["psense", "server"]
)");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->varied, (std::vector<std::string>{"peers", "lucky", "system"}));
    ASSERT_EQ(plan->cases.size(), 4U);
    EXPECT_EQ(to_text(plan->cases[3].varied), "peers=5, lucky=false, system=server");
    EXPECT_TRUE(plan->cases[0].all.flag("lucky"));
    EXPECT_EQ(plan->cases[0].all.number("loss"), 1.0);  // a whole number where a number is wanted
}

TEST(Plan, SeedsDifferByCaseAndReplicationOnly) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, "[sweep]\npeers = [2, 4]\n");
    const auto again = parse_fake(experiment, "[sweep]\npeers = [1, 4, 2]\n");
    ASSERT_TRUE(plan && again);
    EXPECT_EQ(plan->run_seed(plan->cases[0], 1), again->run_seed(again->cases[2], 1));
    EXPECT_NE(plan->run_seed(plan->cases[0], 1), plan->run_seed(plan->cases[1], 1));
    EXPECT_NE(plan->run_seed(plan->cases[0], 1), plan->run_seed(plan->cases[0], 2));
}

TEST(Plan, PairedCasesShareTheirSeeds) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(
        experiment, "paired = [\"system\"]\n[sweep]\npeers = [2, 4]\nsystem = [\"psense\", \"server\"]\n");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->run_seed(plan->cases[0], 0), plan->run_seed(plan->cases[1], 0));
    EXPECT_NE(plan->run_seed(plan->cases[0], 0), plan->run_seed(plan->cases[2], 0));
}

TEST(Plan, QuickReplacesAndTheCommandLineHasTheLastWord) {
    const FakeExperiment experiment;
    const std::string body = R"(seed = 9
[parameters]
loss = 0.5
[sweep]
peers = [2, 4, 8]
[quick]
replications = 2
[quick.parameters]
loss = 0.25
[quick.sweep]
peers = [2]
[[expected]]
claim = "only in full"
paper = "Fig. 1"
quick = false
column = "score"
at_least = 0
)";
    const auto full = parse_fake(experiment, body);
    ASSERT_TRUE(full) << full.error().message;
    EXPECT_EQ(full->run_count(), 9U);
    EXPECT_EQ(full->claims.size(), 1U);
    const auto quick = parse_fake(experiment, body, {.quick = true});
    ASSERT_TRUE(quick);
    EXPECT_EQ(quick->run_count(), 2U);
    EXPECT_EQ(quick->cases[0].all.number("loss"), 0.25);
    EXPECT_TRUE(quick->claims.empty());
    EXPECT_EQ(quick->unchecked, (std::vector<std::string>{"only in full"}));
    const auto told = parse_fake(experiment, body, {.quick = true, .replications = 5, .seed = 4});
    ASSERT_TRUE(told);
    EXPECT_EQ(told->run_count(), 5U);
    EXPECT_EQ(told->seed, Seed{4});
}

TEST(Plan, ColumnsAreVariedFixedMeasured) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, "[sweep]\nloss = [0, 1]\n");
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->columns(),
              (std::vector<std::string>{"loss", "peers", "system", "lucky", "score", "score_ci95", "worst",
                                        "count", "absent", "absent_ci95", "trace_hash"}));
}

// Every error names the file and the position. The head of plan_text() has five lines.
TEST(PlanErrors, NameFileLineAndWhatWasExpected) {
    EXPECT_EQ(error_of("[parameters]\npeers = -3\n"),
              "dir/p.toml:7:9: peers must be between 1 and 1000, not -3");
    EXPECT_EQ(error_of("[parameters]\npeers = 2.5\n"),
              "dir/p.toml:7:9: peers must be a whole number, not 2.5");
    EXPECT_EQ(error_of("[parameters]\nperrs = 3\n"),
              "dir/p.toml:7:1: fake has no parameter perrs; did you mean peers?");
    EXPECT_EQ(error_of("[parameters]\nsystem = \"voronoi\"\n"),
              "dir/p.toml:7:10: system must be one of psense, server, broken, not voronoi");
    EXPECT_EQ(error_of("[sweep]\npeers = 3\n"), "dir/p.toml:7:9: [sweep]: peers must be a list of values");
    EXPECT_EQ(error_of("[sweep]\npeers = [3, 0]\n"),
              "dir/p.toml:7:13: peers must be between 1 and 1000, not 0");
    EXPECT_EQ(error_of("sede = 3\n"), "dir/p.toml:6:1: plan: unknown key sede; did you mean seed?");
    EXPECT_EQ(error_of("seed = -1\n"),
              "dir/p.toml:6:8: plan: seed must be a whole number between 0 and 9223372036854775807");
    EXPECT_EQ(error_of("case = 3\n"), "dir/p.toml:6:8: plan: case must be written as [[case]]");
    EXPECT_EQ(error_of("[quick]\nreps = 3\n"), "dir/p.toml:7:1: [quick]: unknown key reps");
    EXPECT_EQ(error_of("show = [\"scroe\"]\n"),
              "dir/p.toml:6:8: plan: show names scroe, which is no column; did you mean score?");
}

TEST(PlanErrors, MalformedToml) {
    const std::string error = error_of("[parameters\n");
    EXPECT_TRUE(error.starts_with("dir/p.toml:6:12: malformed TOML: ")) << error;
    EXPECT_TRUE(error_of("peers = = 3\n").starts_with("dir/p.toml:6:9: malformed TOML: "));
}

TEST(PlanErrors, ContradictionsAndImpossibleCases) {
    EXPECT_EQ(error_of("[parameters]\npeers = 3\n[sweep]\npeers = [3]\n"),
              "dir/p.toml: peers is in [parameters] and in [sweep]");
    EXPECT_EQ(error_of("[sweep]\npeers = [2, 13]\n"),
              "dir/p.toml:7:9: case peers=13: 13 peers are not lucky");
    EXPECT_EQ(error_of("[parameters]\npeers = 13\n[quick.parameters]\npeers = 2\n"),
              "dir/p.toml:7:9: 13 peers are not lucky");
    EXPECT_EQ(error_of("[[case]]\npeers = 2\n[[case]]\npeers = 13\n"),
              "dir/p.toml: case peers=13: 13 peers are not lucky");  // identified by its values
    EXPECT_EQ(error_of("[sweep]\npeers = [2]\n[quick.sweep]\nloss = [1]\n"),
              "dir/p.toml:8:1: [quick.sweep]: loss is not in [sweep]");
    EXPECT_EQ(error_of("paired = [\"loss\"]\n"),
              "dir/p.toml:6:10: plan: paired names loss, which no case varies");
    EXPECT_EQ(error_of("[sweep]\npeers = [2]\n[quick.sweep]\npeers = [-1]\n"),
              "dir/p.toml:9:10: peers must be between 1 and 1000, not -1");  // also if it is not a quick run
}

TEST(PlanErrors, TheHeadIsRequired) {
    const FakeExperiment experiment;
    const Experiment* const table[] = {&experiment};
    const auto message = [&](const std::string& text) {
        const auto plan = parse_plan(text, "p.toml", table, {});
        return plan ? std::string{} : plan.error().message;
    };
    EXPECT_EQ(message(""), "p.toml:1:1: plan: name is missing (a text was expected)");
    EXPECT_EQ(message("name = \"q\"\n"), "p.toml:1:8: plan: name must be the name of the file, p");
    EXPECT_EQ(
        message("name = \"p\"\npaper = \"x\"\nquestion = \"y\"\nreplications = 0\nexperiment = \"fake\"\n"),
        "p.toml:4:16: plan: replications must be a whole number between 1 and 100000");
    EXPECT_EQ(
        message("name = \"p\"\npaper = \"x\"\nquestion = \"y\"\nreplications = 1\nexperiment = \"fka\"\n"),
        "p.toml:5:14: plan: experiment fka does not exist; did you mean fake?");
}

TEST(PlanErrors, Claims) {
    const std::string head = "[[expected]]\nclaim = \"c\"\npaper = \"1\"\n";
    EXPECT_EQ(error_of(head + "column = \"scor\"\nat_least = 1\n"),
              "dir/p.toml:9:10: the result has no column scor; did you mean score?");
    EXPECT_EQ(error_of(head + "column = \"score\"\nat_mots = 1\n"),
              "dir/p.toml:10:1: [[expected]]: unknown key at_mots; did you mean at_most?");
    EXPECT_TRUE(error_of(head + "column = \"score\"\n")
                    .starts_with("dir/p.toml:6:1: [[expected]]: exactly one test was expected ("));
    EXPECT_TRUE(error_of(head + "column = \"score\"\nequals = 1\nbetween = [1, 2]\n")
                    .starts_with("dir/p.toml:6:1: [[expected]]: exactly one test was expected ("));
    EXPECT_EQ(error_of(head + "column = \"score\"\nat_least = nan\n"),
              "dir/p.toml:10:12: [[expected]]: at_least must be a finite number");
    EXPECT_EQ(error_of(head + "column = \"score\"\nbetween = [2, 1]\n"),
              "dir/p.toml:10:11: [[expected]]: between must be [low, high]");
    EXPECT_EQ(error_of(head + "column = \"score\"\nat_least = 1\nwhere = { player = 3 }\n"),
              "dir/p.toml:11:11: the result has no column player");
    EXPECT_EQ(error_of(head + "column = \"score\"\ntrend = \"rising\"\n"),
              "dir/p.toml:6:1: [[expected]]: along is missing (the column on the x axis was expected)");
    EXPECT_EQ(error_of(head + "column = \"score\"\nbelow = { factor = 2 }\n"),
              "dir/p.toml:10:9: below needs another column or a where to compare with");
}

TEST(PlanErrors, FilesThatCannotBeRead) {
    const auto missing = load_plan("/nowhere/p.toml", {}, {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "/nowhere/p.toml: cannot be read");
    EXPECT_EQ(load_plan("/", {}, {}).error().message, "/: cannot be read");
}

TEST(PlanErrors, AnEmptyFileMissesItsHead) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "empty.toml";
    std::ofstream{file}.close();
    EXPECT_EQ(load_plan(file, {}, {}).error().message,
              file.string() + ":1:1: plan: name is missing (a text was expected)");
}

TEST(Plan, NamesTheMeasurementsItNeeds) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, "needs = [\"tracks\", \"pings\"]\n");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->needs, (std::vector<std::string>{"tracks", "pings"}));
    EXPECT_TRUE(parse_fake(experiment, "")->needs.empty());
    EXPECT_FALSE(parse_fake(experiment, "needs = 3\n"));
}

}  // namespace
}  // namespace fray::lab
