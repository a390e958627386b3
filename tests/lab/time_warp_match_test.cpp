// The experiment of the plans time_warp_*: two engines under one name.

#include "lab/workloads/time_warp_match.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

class TimeWarpMatchLab : public testing::Test {
protected:
    TimeWarpMatchLab() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        parameters.set("players", std::int64_t{3});
        parameters.set("seconds", 15.0);
    }
    RunOutput run(const char* engine) {
        parameters.set("engine", std::string{engine});
        RunContext context{stop, progress};
        auto output = experiment.run(parameters, Seed{1}, context);
        EXPECT_TRUE(output) << output.error().message;
        return output ? std::move(*output) : RunOutput{};
    }

    TimeWarpMatch experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(TimeWarpMatchLab, BothEnginesPlayTheMatchAndFillTheColumnsThatTheyShare) {
    for (const char* engine : {"event", "input"}) {
        const RunOutput output = run(engine);
        for (const char* column :
             {"rollbacks_per_peer", "visible_rollbacks", "reversed_deaths", "null_messages",
              "entity_ticks_reexecuted_per_tick", "stalled_ticks", "response_ms", "desyncs",
              "upload_kbps_mean", "hits", "deaths", "states_equal"})
            EXPECT_TRUE(output.values.contains(column)) << engine << ": " << column;
        EXPECT_GT(as_number(output.values.at("rollbacks_per_peer")).value_or(0), 0);
        EXPECT_EQ(as_number(output.values.at("states_equal")).value_or(0), 1);
        for (const auto& [name, value] : output.values) {
            const auto columns = experiment.columns();
            EXPECT_NE(std::ranges::find(columns, name, &ColumnSpec::name), columns.end()) << name;
        }
    }
}

TEST_F(TimeWarpMatchLab, AValueForTheOtherEngineIsRefused) {
    EXPECT_TRUE(experiment.check(parameters));
    parameters.set("told_angle", 20.0);
    const auto refused = experiment.check(parameters);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "told_angle has no meaning with engine input");
    parameters.set("engine", std::string{"event"});
    EXPECT_TRUE(experiment.check(parameters));
    parameters.set("store", std::string{"full_copy"});
    EXPECT_FALSE(experiment.check(parameters));
}

}  // namespace
}  // namespace fray::lab
