// The experiment of the plan panzer_match, with few players and seconds.

#include "lab/workloads/panzer_match.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace fray::lab {
namespace {

class PanzerMatchLab : public testing::Test {
protected:
    PanzerMatchLab() {
        for (const ParameterSpec& spec : experiment.parameters()) parameters.set(spec.name, spec.fallback);
        parameters.set("players", std::int64_t{6});
        parameters.set("seconds", 8.0);
        set("network", "same-continent");
    }
    void set(std::string_view name, const char* value) { parameters.set(name, std::string{value}); }

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
    std::string refusal() {
        const auto checked = experiment.check(parameters);
        return checked ? std::string{} : checked.error().message;
    }

    PanzerMatch experiment;
    Parameters parameters;
    std::atomic<bool> stop{false};
    std::atomic<double> progress{0};
};

TEST_F(PanzerMatchLab, SetsEveryColumnAndNoOther) {
    const RunOutput output = run();
    for (const ColumnSpec& column : experiment.columns())
        EXPECT_TRUE(output.values.contains(column.name)) << column.name;
    EXPECT_EQ(output.values.size(), experiment.columns().size());
    EXPECT_EQ(output.work.peers, 6U);
    EXPECT_EQ(output.work.rounds, 160U);
    EXPECT_GT(output.work.messages, 1000U);
}

TEST_F(PanzerMatchLab, FollowsFromItsSeed) {
    const RunOutput first = run();
    EXPECT_EQ(run(), first);
    EXPECT_NE(run(2).values.at("trace_hash"), first.values.at("trace_hash"));
}

TEST_F(PanzerMatchLab, EndsWithEqualScoreboardsInBothOverlays) {
    for (const char* overlay : {"mesh", "psense"}) {
        set("overlay", overlay);
        const RunOutput output = run();
        EXPECT_EQ(number(output, "scoreboards_equal"), 1) << overlay;
        EXPECT_EQ(number(output, "everyone_seen"), 1) << overlay;
        EXPECT_EQ(number(output, "impossible_moves"), 0) << overlay;
        EXPECT_EQ(number(output, "kills_accidents"), number(output, "deaths")) << overlay;
        EXPECT_GT(number(output, "hits_claimed"), 0) << overlay;
    }
}

TEST_F(PanzerMatchLab, ThingsOfACrashedPlayerAreTakenOver) {
    parameters.set("seconds", 20.0);
    parameters.set("crash_at_s", 3.0);
    parameters.set("away_s", 12.0);
    EXPECT_EQ(refusal(), "");
    const RunOutput output = run();
    EXPECT_GT(number(output, "taken_over"), 0);
    EXPECT_EQ(number(output, "scoreboards_equal"), 1);
}

TEST_F(PanzerMatchLab, RefusesInvalidCombinations) {
    EXPECT_EQ(refusal(), "");
    set("overlay", "psense");
    set("mode", "flag");
    EXPECT_EQ(refusal(), "mode flag needs the overlay mesh");
    set("overlay", "mesh");
    EXPECT_EQ(refusal(), "");
    parameters.set("crash_at_s", 3.0);
    EXPECT_EQ(refusal(), "crash_at_s and away_s together must be less than seconds");
    parameters.set("crash_at_s", 0.0);
    set("map", "duel");
    EXPECT_FALSE(experiment.check_files(parameters));  // six players do not fit
    set("map", "ruins");
    EXPECT_TRUE(experiment.check_files(parameters));
    set("network", "ping:no_such_file");
    EXPECT_FALSE(experiment.check_files(parameters));
}

TEST_F(PanzerMatchLab, StopsWhenTold) {
    stop = true;
    EXPECT_TRUE(run().values.empty());
}

}  // namespace
}  // namespace fray::lab
