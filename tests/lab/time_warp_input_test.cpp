// The experiment of Time Warp in input mode, with few players and seconds.

#include "lab/workloads/time_warp_input.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

class TimeWarpInputLab : public testing::Test {
protected:
    TimeWarpInputLab() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        parameters.set("players", std::int64_t{4});
        parameters.set("seconds", 15.0);
    }
    void set(std::string_view name, const char* value) { parameters.set(name, std::string{value}); }
    void set_uniform(double low_ms, double high_ms, double loss_pct) {
        set("network", "uniform");
        parameters.set("one_way_low_ms", low_ms);
        parameters.set("one_way_high_ms", high_ms);
        parameters.set("loss_pct", loss_pct);
    }

    RunOutput run(std::uint64_t seed = 1) {
        RunContext context{stop, progress};
        auto output = experiment.run(parameters, Seed{seed}, context);
        EXPECT_TRUE(output) << output.error().message;
        return output ? std::move(*output) : RunOutput{};
    }
    static double number(const RunOutput& output, std::string_view column) {
        const auto found = output.values.find(column);
        return found == output.values.end() ? -1 : as_number(found->second).value_or(-1);
    }
    /// Something happened, late messages among it, and all peers agree on it.
    static void expect_equal_states_after_rollbacks(const RunOutput& output) {
        EXPECT_GT(number(output, "rollbacks_per_peer"), 0);
        EXPECT_GT(number(output, "hits") + number(output, "deaths"), 0);
        EXPECT_EQ(number(output, "states_equal"), 1);
        EXPECT_EQ(number(output, "reversed_deaths"), 0);
        EXPECT_EQ(number(output, "desyncs"), 0);
    }
    std::string refusal() {
        const auto checked = experiment.check(parameters);
        return checked ? std::string{} : checked.error().message;
    }

    TimeWarpInput experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(TimeWarpInputLab, SetsEveryColumnAndNoOther) {
    const RunOutput output = run();
    expect_equal_states_after_rollbacks(output);
    for (const ColumnSpec& column : experiment.columns())
        EXPECT_TRUE(output.values.contains(column.name)) << column.name;
    EXPECT_EQ(output.values.size(), experiment.columns().size());
    EXPECT_EQ(output.work.peers, 4U);
    EXPECT_GT(output.work.messages, 1000U);
}

TEST_F(TimeWarpInputLab, FollowsFromItsSeed) {
    const RunOutput first = run();
    EXPECT_EQ(run(), first);
    EXPECT_NE(run(2).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST_F(TimeWarpInputLab, EveryEngineGivesTheSameMatch) {
    const RunOutput causal = run();
    expect_equal_states_after_rollbacks(causal);
    set("reexecution", "whole");
    const RunOutput whole = run();
    EXPECT_EQ(whole.values.at("trace_hash"), causal.values.at("trace_hash"));
    EXPECT_GT(number(whole, "entity_ticks_reexecuted_per_tick"),
              2 * number(causal, "entity_ticks_reexecuted_per_tick"));
    set("store", "full_copy");
    EXPECT_EQ(run().values.at("trace_hash"), causal.values.at("trace_hash"));
}

TEST_F(TimeWarpInputLab, LagMakesRollbacksDeeperAndDeathsLaterFinal) {
    parameters.set("lag_ms", std::int64_t{400});
    const RunOutput output = run();
    expect_equal_states_after_rollbacks(output);
    EXPECT_GT(number(output, "rollback_depth_ms_p50"), 400);
    EXPECT_GT(number(output, "largest_one_way_ms"), 400);
    EXPECT_LT(number(output, "late_below_100ms_pct"), 5);
}

TEST_F(TimeWarpInputLab, AUniformNetworkDelaysEveryDatagramWithinItsRange) {
    parameters.set("lag_ms", std::int64_t{0});
    set_uniform(161, 181, 2);
    EXPECT_EQ(refusal(), "");
    const RunOutput output = run();
    expect_equal_states_after_rollbacks(output);
    EXPECT_EQ(number(output, "stalled_ticks"), 0);
    EXPECT_GT(number(output, "rollback_depth_ms_p50"), 161 - 17);
    EXPECT_GT(number(output, "largest_one_way_ms"), 180);
    EXPECT_LE(number(output, "largest_one_way_ms"), 181);
}

TEST_F(TimeWarpInputLab, APlayerThatJoinsAtHalfTimeEndsWithTheSameState) {
    parameters.set("late_joiners", std::int64_t{1});
    expect_equal_states_after_rollbacks(run());
}

TEST_F(TimeWarpInputLab, RefusesInvalidCombinations) {
    EXPECT_EQ(refusal(), "");
    set("network", "uniform");
    EXPECT_EQ(refusal(), "network uniform needs one_way_high_ms, and no other does");
    set_uniform(20, 10, 0);
    EXPECT_EQ(refusal(), "one_way_low_ms must be at most one_way_high_ms");
    set_uniform(10, 20, 0);
    EXPECT_EQ(refusal(), "");
    parameters.set("late_joiners", std::int64_t{4});
    EXPECT_EQ(refusal(), "late_joiners must be less than players");
    set("map", "duel");
    EXPECT_FALSE(experiment.check_files(parameters));  // four players do not fit
}

TEST_F(TimeWarpInputLab, StopsWhenTold) {
    stop = true;
    EXPECT_TRUE(run().values.empty());
}

}  // namespace
}  // namespace fray::lab
