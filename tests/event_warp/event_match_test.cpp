// Matches in event mode over simulated networks: all peers end with the state that all messages give which
// were not voided, executed once and in order.

#include "games/panzer/event_warp/event_swarm.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

struct Totals {
    std::uint64_t rollbacks = 0;
    std::uint64_t nulls = 0;
    std::uint64_t emitted = 0;
    std::uint64_t reversed = 0;
    std::uint64_t hits = 0;
    std::uint64_t deaths = 0;

    void add(const EventSwarmResult& result) {
        for (const EventReport& report : result.reports) {
            rollbacks += report.counts.rollbacks;
            nulls += report.counts.null_messages;
            emitted += report.counts.emitted;
            reversed += report.reversed_deaths;
            EXPECT_EQ(report.counts.refused, 0U);
        }
        for (const EventTank& tank : result.reports.front().tanks) {
            hits += tank.hits;
            deaths += tank.deaths;
        }
    }
};

class EventMatchTest : public testing::Test {
protected:
    [[nodiscard]] EventSwarmResult play(const char* map_name, const EventMatchOptions& options,
                                        const NetworkModel& network, std::span<const Crash> crashes = {}) {
        const Map map = shipped_map(map_name).value();
        const Battlefield field{map};
        const NavMesh mesh = NavMesh::build(map).value();
        auto result = play_event_match(field, mesh, options, network, {}, crashes);
        EXPECT_TRUE(result) << result.error().message;
        return result ? std::move(*result) : EventSwarmResult{};
    }
    /// Loses, duplicates and reorders.
    [[nodiscard]] static NetworkModel bad_network() {
        NetworkModel network = *network_profile("world");
        network.loss = IndependentLoss{0.1};
        network.duplication = {.chance = 0.05, .extra = 50ms};
        network.reordering = {.chance = 0.2, .extra = 100ms};
        return network;
    }
};

TEST_F(EventMatchTest, EveryPeerEndsAsASequentialOracleDoes) {
    Totals totals;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        EventMatchOptions options{.players = seed % 2 == 0 ? 6U : 3U, .length = 60s, .seed = Seed{seed}};
        options.lags = {0ms, 200ms, 600ms, 100ms};  // steps while playing
        options.behaviour = EventMatchOptions::Behaviour::unchanged;
        options.bot.level = 5;
        const EventSwarmResult result = play("arena", options, bad_network());
        EXPECT_TRUE(result.states_equal) << "seed " << seed;
        EXPECT_TRUE(result.as_oracle)
            << "seed " << seed << ": " << result.verdict.different << " different, " << result.verdict.first;
        totals.add(result);
    }
    EXPECT_GT(totals.rollbacks, 1000U);
    EXPECT_GT(totals.hits, 100U);
    EXPECT_GT(totals.deaths, 10U);
    EXPECT_GT(totals.emitted, totals.deaths);
    EXPECT_GT(totals.nulls, 20U);
    EXPECT_GT(totals.reversed, 0U) << "what the players of the paper suffered from";
}

TEST_F(EventMatchTest, FinalStatesAreTheOraclesAlsoWithNewcomersCrashesAndChangingLags) {
    Totals totals;
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        EventMatchOptions options{.players = 5, .length = 90s, .seed = Seed{seed}};
        options.lags = {400ms};
        options.lag_changes = true;
        options.late_joiners = 1;
        options.behaviour = EventMatchOptions::Behaviour::unchanged;
        options.bot.level = 5;
        const auto player = static_cast<std::uint32_t>(seed % 3);  // the first one, which founded it, too
        const std::vector<Crash> crashes{{player, 20s, 16s}, {3, 55s, 14s}};
        const EventSwarmResult result = play("arena", options, bad_network(), crashes);
        EXPECT_EQ(result.crashes, 2U);
        EXPECT_EQ(result.verdict.different, 0U) << "seed " << seed << ": " << result.verdict.first;
        EXPECT_TRUE(result.states_equal) << "seed " << seed;
        EXPECT_TRUE(result.as_oracle)
            << "seed " << seed << ": " << result.verdict.different << " different, " << result.verdict.first;
        EXPECT_GT(result.verdict.voided, 0U);
        for (const EventTank& tank : result.verdict.last) EXPECT_TRUE(tank.is_present);
        EXPECT_GE(result.verdict.last[3].life, 2U) << "it came back";
        compared += result.verdict.compared;
        totals.add(result);
    }
    EXPECT_GT(compared, 900U);
    EXPECT_GT(totals.rollbacks, 1000U);
    EXPECT_GT(totals.deaths, 5U);
}

TEST_F(EventMatchTest, TheSameOptionsGiveTheSameMatch) {
    EventMatchOptions options{.length = 20s, .seed = Seed{3}};
    options.lags = {200ms};
    const NetworkModel network = bad_network();
    const EventSwarmResult first = play("duel", options, network);
    const EventSwarmResult again = play("duel", options, network);
    EXPECT_EQ(first.trace_hash, again.trace_hash);
    EXPECT_EQ(first.reports[0].tanks, again.reports[0].tanks);
    EXPECT_GT(first.datagrams, 100U);
    options.seed = Seed{4};
    EXPECT_NE(play("duel", options, network).trace_hash, first.trace_hash);
}

TEST_F(EventMatchTest, MessagesAreSentWhenInputChangesNotPerFrame) {
    const EventSwarmResult result = play("duel", {.length = 60s, .seed = Seed{1}}, *network_profile("lan"));
    for (const EventReport& report : result.reports) {
        EXPECT_GT(report.moving_frames, 1000U);
        const double seconds_moving = static_cast<double>(report.moving_frames) / kStepsPerSecond;
        EXPECT_LT(static_cast<double>(report.sent_moving) / seconds_moving, 10);
        EXPECT_GT(report.sent[static_cast<std::size_t>(EventMessage::Kind::move)], 50U);
        EXPECT_GT(report.sent[static_cast<std::size_t>(EventMessage::Kind::shoot)], 0U);
    }
}

TEST_F(EventMatchTest, AMapWithoutRoomIsRefused) {
    const Map map = shipped_map("duel").value();
    const Battlefield field{map};
    const NavMesh mesh = NavMesh::build(map).value();
    EXPECT_FALSE(play_event_match(field, mesh, {.players = 3}, *network_profile("lan")));
}

}  // namespace
}  // namespace fray::panzer
