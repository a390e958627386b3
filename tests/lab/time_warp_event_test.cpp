// The experiment of the plans time_warp_rollbacks, _lateness and _behaviour, with few seconds.

#include "lab/workloads/time_warp_event.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

class TimeWarpEventLab : public testing::Test {
protected:
    TimeWarpEventLab() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        parameters.set("engine", std::string{"event"});
        parameters.set("players", std::int64_t{2});
        parameters.set("map", std::string{"duel"});
        parameters.set("network", std::string{"lan"});
        parameters.set("lag_ms", std::int64_t{0});
        parameters.set("seconds", 30.0);
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

    TimeWarpEvent experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(TimeWarpEventLab, SetsEveryColumnAndNoOther) {
    parameters.set("players", std::int64_t{3});
    parameters.set("map", std::string{"arena"});
    parameters.set("lag_steps", true);
    const RunOutput output = run();
    for (const ColumnSpec& column : experiment.columns())
        EXPECT_TRUE(output.values.contains(column.name)) << column.name;
    EXPECT_EQ(output.values.size(), experiment.columns().size());
    EXPECT_EQ(output.work.peers, 3U);
    EXPECT_GT(output.work.messages, 100U);
}

TEST_F(TimeWarpEventLab, FollowsFromItsSeed) {
    const RunOutput first = run();
    EXPECT_EQ(run(), first);
    EXPECT_NE(run(2).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST_F(TimeWarpEventLab, TheHistogramHoldsEveryRollbackByItsLateness) {
    parameters.set("lag_ms", std::int64_t{200});
    const RunOutput output = run();
    ASSERT_EQ(output.curves.size(), 1U);
    double all = 0;
    double below_lag = 0;
    for (const auto& row : output.curves[0].rows) {
        all += row[1];
        if (row[0] < 180) below_lag += row[1];  // a clock may be wrong
    }
    EXPECT_GT(all, 10);
    EXPECT_DOUBLE_EQ(all, 2 * number(output, "rollbacks_per_peer"));
    EXPECT_EQ(below_lag, 0);
}

TEST_F(TimeWarpEventLab, PeersEndWithTheStateOfTheOracle) {
    parameters.set("lag_ms", std::int64_t{400});
    parameters.set("loss_pct", 10.0);
    const RunOutput output = run();
    EXPECT_GT(number(output, "rollbacks_per_peer"), 10);
    EXPECT_EQ(number(output, "states_equal"), 1);
}

TEST_F(TimeWarpEventLab, RefusesInvalidCombinations) {
    EXPECT_TRUE(experiment.check(parameters));
    parameters.set("lag_steps", true);
    parameters.set("lag_ms", std::int64_t{200});
    EXPECT_FALSE(experiment.check(parameters));
    EXPECT_TRUE(experiment.check_files(parameters));
    parameters.set("players", std::int64_t{3});
    EXPECT_FALSE(experiment.check_files(parameters));  // three do not fit into the duel
}

TEST_F(TimeWarpEventLab, StopsWhenTold) {
    stop = true;
    EXPECT_TRUE(run().values.empty());
}

}  // namespace
}  // namespace fray::lab
