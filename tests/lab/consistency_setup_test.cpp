// Recorded round trips as the consistency plans use them.

#include "lab/workloads/consistency_setup.hpp"

#include "lab/advise/network.hpp"
#include "lab/fake_experiment.hpp"
#include "lab/metrics/median_latency.hpp"
#include "lab/workloads/consistency.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace fray::lab {
namespace {

/// Round trips of 40 ms, except for a few.
std::string recording(const TemporaryFolder& folder) {
    const auto file = folder.path() / "round_trips.csv";
    std::ofstream out{file};
    out << "t_s,rtt_ms\n";
    for (int i = 0; i < 100; ++i) out << i * 0.02 << "," << (i % 10 == 0 ? 90 : 40) << "\n";
    return "starlink:" + file.string();
}

Parameters with(std::vector<std::pair<std::string, Value>> values) {
    Parameters parameters;
    for (const ParameterSpec& spec : consistency_parameters()) parameters.set(spec.name, spec.fallback);
    for (auto& [name, value] : values) parameters.set(name, std::move(value));
    return parameters;
}

TEST(RecordedRoundTrips, AreWholeFromPlayerToPlayerInThePlans) {
    const TemporaryFolder folder;
    const auto network = consistency_network(with({{"profile", recording(folder)}}));
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(median_latency(*network), 40ms);
    const auto advised = advise::load_network(recording(folder));  // a round trip has two directions
    ASSERT_TRUE(advised) << advised.error().message;
    EXPECT_EQ(advised->median_latency, 20ms);
}

TEST(RemoteLag, IsTwiceTheLatencyThatIsRunOverAndTwoIntervals) {
    const TemporaryFolder folder;
    const auto lag = [](const Parameters& parameters) {
        return std::get<HalfLife>(consistency_of(parameters).algorithm).remote_lag;
    };
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"rtt_ms", 323.0}})), 746ms);  // as in 6.1.3
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"profile", recording(folder)}})), 180ms);
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"remote_lag_ms", 70.0}})), 70ms);
}

TEST(Situations, AreNotSatisfiedWhereNothingCameThrough) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "never_linked.csv";
    std::ofstream out{file};
    out << "t_s,rtt_ms\n";
    for (int i = 0; i < 100; ++i) out << i * 0.02 << ",6000\n";
    out.close();
    const auto run = [](const std::string& situation, const std::string& profile) {
        std::atomic<double> progress{0};
        const std::atomic<bool> never{false};
        RunContext context{never, progress};
        auto output = ConsistencyExperiment{}.run(with({{"situation", situation}, {"profile", profile}}),
                                                  Seed{1}, context);
        if (!output) ADD_FAILURE() << output.error().message;
        return output ? output->values : RunOutput{}.values;
    };
    for (const std::string situation : {"own_movement", "enemy_position", "death_decision", "trade"}) {
        const auto values = run(situation, "starlink:" + file.string());
        EXPECT_EQ(values.at("satisfied_pct"), Value{0.0}) << situation;
        EXPECT_FALSE(values.contains("missed_by_pct")) << situation;
        EXPECT_EQ(values.at("inputs"), values.at("inputs_unseen")) << situation;
    }
    EXPECT_EQ(run("own_movement", "lan").at("satisfied_pct"), Value{100.0});
    EXPECT_EQ(run("trade", "lan").at("satisfied_pct"), Value{100.0});
}

TEST(Besides, PlayersShootAndTradeWhereTheSituationIsAboutIt) {
    EXPECT_EQ(besides_of(with({})).shots + besides_of(with({})).trades, Duration{0});
    EXPECT_GT(besides_of(with({{"situation", "death_decision"}})).shots, Duration{0});
    EXPECT_GT(besides_of(with({{"situation", "trade"}})).trades, Duration{0});
}

}  // namespace
}  // namespace fray::lab
