// Recorded round trips as the consistency plans take them.

#include "lab/workloads/consistency_setup.hpp"

#include "lab/advise/network.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace fray::lab {
namespace {

/// Round trips of 40 ms, but for a few.
std::string recording() {
    const auto file = std::filesystem::path{testing::TempDir()} / "fray_round_trips.csv";
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
    const auto network = consistency_network(with({{"profile", recording()}}));
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(advise::median_latency(*network), 40ms);
    const auto advised = advise::load_network(recording());  // a round trip is there and back
    ASSERT_TRUE(advised) << advised.error().message;
    EXPECT_EQ(advised->median_latency, 20ms);
}

TEST(RemoteLag, IsTwiceTheLatencyThatIsRunOverAndTwoIntervals) {
    const auto lag = [](const Parameters& parameters) {
        return std::get<HalfLife>(consistency_of(parameters).algorithm).remote_lag;
    };
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"rtt_ms", 323.0}})), 746ms);  // as in 6.1.3
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"profile", recording()}})), 180ms);
    EXPECT_EQ(lag(with({{"algorithm", "half_life"}, {"remote_lag_ms", 70.0}})), 70ms);
}

TEST(Besides, PlayersShootAndTradeWhereTheSituationIsAboutIt) {
    EXPECT_EQ(besides_of(with({})).shots + besides_of(with({})).trades, Duration{0});
    EXPECT_GT(besides_of(with({{"situation", "death_decision"}})).shots, Duration{0});
    EXPECT_GT(besides_of(with({{"situation", "trade"}})).trades, Duration{0});
}

}  // namespace
}  // namespace fray::lab
