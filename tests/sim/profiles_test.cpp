// Compares the built-in networks with the data they were fitted to: always with the figures stated in the
// sources, and with the measurements if they exist.

#include <fray/network_model.hpp>

#include "sim/data_matrix.hpp"
#include "sim/data_ping.hpp"
#include "sim/network.hpp"
#include "support/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace fray::sim {
namespace {

double quantile(std::vector<double> values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

std::vector<double> in_millis(const std::vector<Duration>& values) {
    std::vector<double> ms;
    for (const Duration value : values) {
        if (value.count() >= 0) ms.push_back(millis(value));
    }
    return ms;
}

/// Round trips of single datagrams between two peers, far apart so that nothing queues, within one level of a
/// shift, in milliseconds.
std::vector<double> round_trips(const std::string& profile, int count) {
    Network network{*network_profile(profile), Seed{5}, 0};
    for (int i = 0; i < 2; ++i) network.add_peer({});
    std::vector<double> ms;
    for (Micros now = 0; now < Micros{count} * 15'000'000; now += 15'000'000) {
        const Verdict there = network.transmit(now, 0, 1, 100);
        const Verdict back = network.transmit(now + 7'000'000, 1, 0, 100);
        if (there.dropped || back.dropped) continue;
        ms.push_back(static_cast<double>(there.arrival + back.arrival - 2 * now - 7'000'000) / 1000);
    }
    return ms;
}

struct Expected {
    double share;
    double value;
};

/// relative: tolerance of a quantile.
void expect_quantiles(const std::vector<double>& values, const std::vector<Expected>& expected,
                      double relative, const std::string& what) {
    for (const Expected& one : expected) {
        EXPECT_NEAR(quantile(values, one.share), one.value, one.value * relative)
            << what << ", share " << one.share << " of " << values.size();
    }
}

std::vector<Expected> quantiles_of(const std::vector<double>& values, std::initializer_list<double> shares) {
    std::vector<Expected> all;
    for (const double share : shares) all.push_back({share, quantile(values, share)});
    return all;
}

TEST(Profiles, LanIsBelowAMillisecond) { EXPECT_LT(quantile(round_trips("lan", 5000), 0.99), 1.0); }

TEST(Profiles, SameContinentHasAMedianOf33Milliseconds) {
    const auto rtt = round_trips("same-continent", 20'000);
    expect_quantiles(rtt, {{0.05, 31}, {0.5, 33}, {0.95, 37}, {0.99, 40}}, 0.03, "same-continent");
}

TEST(Profiles, OtherContinentHasAMedianOf323MillisecondsAndAHeavyTail) {
    const auto rtt = round_trips("other-continent", 20'000);
    expect_quantiles(rtt, {{0.5, 323}, {0.75, 355}, {0.9, 397}, {0.99, 531}}, 0.03, "other-continent");
}

TEST(Profiles, StarlinkHasTheStatedQuantiles) {
    const auto rtt = round_trips("starlink", 20'000);
    expect_quantiles(rtt, {{0.05, 24}, {0.25, 32}, {0.5, 40}, {0.75, 52}, {0.95, 78}, {0.99, 103}}, 0.05,
                     "starlink");
}

TEST(Profiles, FiveGHasTheStatedQuantiles) {
    const auto rtt = round_trips("5g", 20'000);
    expect_quantiles(rtt, {{0.05, 12}, {0.25, 17}, {0.5, 22}, {0.75, 30}, {0.9, 47}}, 0.06, "5g");
}

// --- the world: pairs, not datagrams ---

struct WorldSample {
    std::vector<double> rtt;
    double violated = 0;  ///< share of triangles with one side longer than the other two together
};

template <class Rtt>
WorldSample sample_world(std::uint32_t peers, Rtt rtt) {
    WorldSample sample;
    RandomStream random{Seed{1}, "triples"};
    constexpr int kTriples = 200'000;
    int violated = 0;
    for (int i = 0; i < kTriples; ++i) {
        std::array<std::uint32_t, 3> p{random.below(peers), random.below(peers), random.below(peers)};
        if (p[0] == p[1] || p[1] == p[2] || p[0] == p[2]) continue;
        std::array<double, 3> sides{rtt(p[0], p[1]), rtt(p[1], p[2]), rtt(p[0], p[2])};
        sample.rtt.push_back(sides[0]);
        std::sort(sides.begin(), sides.end());
        violated += sides[2] > sides[0] + sides[1] ? 1 : 0;
    }
    sample.violated = static_cast<double>(violated) / static_cast<double>(sample.rtt.size());
    return sample;
}

WorldSample synthetic_world(Seed seed, std::uint32_t peers) {
    WorldMap map{WorldLatency{.scale = 1, .last_mile_median = {}, .last_mile_sigma = 0}, seed};
    return sample_world(peers, [&map](std::uint32_t a, std::uint32_t b) {
        return 2 * static_cast<double>(map.one_way(a, b)) / 1000;
    });
}

TEST(Profiles, TheWorldHasTheStatedQuantilesAndViolatedTriangles) {
    const WorldSample world = synthetic_world(Seed{1}, 3000);
    expect_quantiles(world.rtt, {{0.05, 20}, {0.25, 61}, {0.5, 136}, {0.75, 216}, {0.95, 329}}, 0.06,
                     "world");
    EXPECT_NEAR(world.violated, 0.175, 0.02);
}

TEST(Profiles, TheWorldIsSymmetricAndTheSameUnderTheSameSeed) {
    WorldMap map{WorldLatency{}, Seed{4}};
    WorldMap again{WorldLatency{}, Seed{4}};
    WorldMap other{WorldLatency{}, Seed{5}};
    int differ = 0;
    for (PeerIndex a = 0; a < 50; ++a) {
        for (PeerIndex b = a + 1; b < 50; ++b) {
            EXPECT_EQ(map.one_way(a, b), map.one_way(b, a));
            EXPECT_EQ(map.one_way(a, b), again.one_way(a, b));
            differ += map.one_way(a, b) != other.one_way(a, b) ? 1 : 0;
        }
    }
    EXPECT_GT(differ, 1000);
}

// --- against the measurements ---

TEST(ProfilesAgainstData, TheWorldIsLikePlanetLab) {
    const auto folder = test::find_data("netlatency_planetlab");
    if (!folder) GTEST_SKIP() << test::kNoData;
    const Result<RttSlices> slices = load_planetlab(*folder);
    ASSERT_TRUE(slices) << slices.error().message;
    const PairMatrix matrix = slices->median_one_way();
    const WorldSample measured = sample_world(matrix.size, [&matrix](std::uint32_t a, std::uint32_t b) {
        return 2 * millis(matrix.one_way[std::size_t{a} * matrix.size + b]);
    });
    const WorldSample world = synthetic_world(Seed{1}, 3000);
    expect_quantiles(world.rtt, quantiles_of(measured.rtt, {0.05, 0.25, 0.5, 0.75, 0.95}), 0.12, "world");
    EXPECT_NEAR(world.violated, measured.violated, 0.03);
}

TEST(ProfilesAgainstData, StarlinkIsLikeItsRecording) {
    const auto file = test::find_data("starlink_ping/noisl.csv");
    if (!file) GTEST_SKIP() << test::kNoData;
    const Result<PingTrace> trace = load_starlink(*file);
    ASSERT_TRUE(trace) << trace.error().message;
    const auto measured = in_millis(trace->rtt);
    expect_quantiles(round_trips("starlink", 20'000),
                     quantiles_of(measured, {0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99}), 0.08, "starlink");
    const double loss = static_cast<double>(trace->lost()) / static_cast<double>(trace->rtt.size());
    EXPECT_NEAR(std::get<IndependentLoss>(network_profile("starlink")->loss).mean, loss, 0.002);
}

TEST(ProfilesAgainstData, FiveGIsLikeItsRecordings) {
    const auto folder = test::find_data("private5g_ping");
    if (!folder) GTEST_SKIP() << test::kNoData;
    std::vector<double> measured;
    for (const char* name : {"/ping-cloud-ORAN-upd.txt", "/ping-cloud-cmWave.txt"}) {
        const Result<PingTrace> trace = load_ping_output(*folder + name);
        ASSERT_TRUE(trace) << trace.error().message;
        for (const double ms : in_millis(trace->rtt)) measured.push_back(ms);
    }
    const auto fitted = round_trips("5g", 20'000);
    expect_quantiles(fitted, quantiles_of(measured, {0.05, 0.25, 0.5, 0.75, 0.9}), 0.12, "5g");
    expect_quantiles(fitted, quantiles_of(measured, {0.95, 0.99}), 0.3, "5g tail");
}

TEST(ProfilesAgainstData, ContinentsAreLikePlayersWithThatPing) {
    const auto file = test::find_data("game_pings/rocketleague_ping.csv");
    if (!file) GTEST_SKIP() << test::kNoData;
    const Result<std::vector<GamePings>> all = load_rocketleague_pings(*file);
    ASSERT_TRUE(all) << all.error().message;
    const auto near = round_trips("same-continent", 20'000);
    const auto far = round_trips("other-continent", 20'000);
    int seen = 0;
    for (const GamePings& pings : *all) {
        const bool is_near = pings.player == 0 && (pings.match == "r017" || pings.match == "r020" ||
                                                   pings.match == "r043" || pings.match == "r054");
        const bool is_far = pings.player == 9 && pings.match == "r047";
        if (!is_near && !is_far) continue;
        ++seen;
        const auto measured = in_millis(pings.sampled(100ms));
        const auto& fitted = is_near ? near : far;
        for (const double share : {0.75, 0.9, 0.99}) {
            const double spread = quantile(measured, share) / quantile(measured, 0.5);
            EXPECT_NEAR(quantile(fitted, share) / quantile(fitted, 0.5), spread, 0.25)
                << pings.match << " " << share;
        }
    }
    EXPECT_EQ(seen, 5);
}

}  // namespace
}  // namespace fray::sim
