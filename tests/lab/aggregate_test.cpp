#include "lab/runner/aggregate.hpp"

#include <fray/fingerprint.hpp>

#include "lab/fake_experiment.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace fray::lab {
namespace {

TEST(Aggregate, MeanWithInterval) {
    const std::array<Value, 3> values{Value{1.0}, Value{2.0}, Value{std::int64_t{3}}};
    const Cell cell = aggregate(Aggregate::mean, values);
    EXPECT_EQ(cell.value, Value{2.0});
    EXPECT_NEAR(cell.summary.ci95(), 4.3026527 / 1.7320508, 1e-6);  // t(0.975, 2) * 1 / sqrt(3)
}

TEST(Aggregate, ExtremesSumsAndHashes) {
    const std::array<Value, 3> counts{Value{std::int64_t{4}}, Value{}, Value{std::int64_t{2}}};
    EXPECT_EQ(aggregate(Aggregate::max, counts).value, Value{std::int64_t{4}});
    EXPECT_EQ(aggregate(Aggregate::min, counts).value, Value{std::int64_t{2}});
    EXPECT_EQ(aggregate(Aggregate::sum, counts).value, Value{std::int64_t{6}});
    const std::array<Value, 2> mixed{Value{std::int64_t{4}}, Value{0.5}};
    EXPECT_EQ(aggregate(Aggregate::sum, mixed).value, Value{4.5});
    const std::array<Value, 2> hashes{Value{"ab"}, Value{"cd"}};
    Fingerprint both;
    both.add(std::string_view{"ab"}).add(std::string_view{"cd"});
    EXPECT_EQ(aggregate(Aggregate::hash, hashes).value, Value{both.hex()});
}

TEST(Aggregate, ATextIsLargerThanEveryNumber) {
    const std::array<Value, 3> times{Value{4.5}, Value{"never"}, Value{}};
    EXPECT_EQ(aggregate(Aggregate::max, times).value, Value{"never"});
    EXPECT_EQ(aggregate(Aggregate::min, times).value, Value{4.5});
}

TEST(Aggregate, NothingStaysNothing) {
    const std::array<Value, 2> nothing{};
    for (const Aggregate how : {Aggregate::mean, Aggregate::max, Aggregate::min, Aggregate::sum})
        EXPECT_EQ(aggregate(how, nothing).value, Value{});
}

TEST(Aggregate, NumbersThatAreNoneAreNotSet) {
    RunOutput output;
    output.set("x", std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(output.values.at("x"), Value{});
}

TEST(RunRecord, SurvivesItsOwnText) {
    RunRecord run{.case_index = 3, .replication = 2, .seed = {0xFFFFFFFFFFFFFFFFULL}, .cpu_seconds = 0.125};
    run.output.set("third", 1.0 / 3);
    run.output.set("whole", 2.0);
    run.output.set("tiny", 5e-324);
    run.output.set("count", std::uint64_t{1} << 62U);
    run.output.set("text", std::string{"a \"quoted\" one"});
    run.output.values["absent"] = Value{};
    run.output.work = {.peers = 64, .rounds = 1200, .messages = 1ULL << 50U};
    run.output.curves.push_back({.name = "c", .columns = {"x"}, .rows = {{0.1}, {0.2}}});
    const auto read = decode_record(encode(run));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->case_index, 3U);
    EXPECT_EQ(read->seed, run.seed);
    EXPECT_EQ(read->output, run.output);  // a whole double stays a double
    EXPECT_EQ(encode(*read), encode(run));
    EXPECT_FALSE(decode_record("{\"case\": 1"));
    EXPECT_FALSE(decode_record("{}"));
}

TEST(RunTask, SurvivesItsOwnText) {
    const FakeExperiment experiment;
    const Experiment* const table[] = {&experiment};
    const auto plan = parse_fake(experiment, "[sweep]\nloss = [0.1, 0.7]\n");
    ASSERT_TRUE(plan);
    const RunTask task = tasks_of(*plan).back();
    const auto read = decode_task(encode(task), table);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->seed, task.seed);
    EXPECT_EQ(read->experiment, &experiment);
    EXPECT_EQ(read->parameters.entries().size(), task.parameters.entries().size());
    EXPECT_EQ(to_text(read->parameters), to_text(task.parameters));
    EXPECT_FALSE(decode_task(encode(task), {}));
}

}  // namespace
}  // namespace fray::lab
