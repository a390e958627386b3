// Snagger for two on Fray: what both players see, catch and choose.

#include "games/snagger/match/snag_swarm.hpp"
#include "games/snagger/rules/entity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace fray::snagger {
namespace {

NetworkModel delayed(Duration delay) {
    NetworkModel network;
    network.latency = ConstantLatency{delay};
    return network;
}

std::unique_ptr<SnagSwarm> swarm_of(Duration delay, const Choice& choice = {}, Seed seed = Seed{3}) {
    auto swarm = SnagSwarm::create(delayed(delay), choice, seed);
    EXPECT_TRUE(swarm) << (swarm ? "" : swarm.error().message);
    return std::move(*swarm);
}

TEST(SnagTable, AnAlienIsCaughtOnce) {
    const SessionInstant now{100s};
    Table table = lay_table(Seed{1}, now);
    const std::uint32_t number = table.aliens[2].number;
    EXPECT_TRUE(take_alien(table, number, now));
    EXPECT_FALSE(take_alien(table, number, now));
    EXPECT_EQ(table.score, 1U);
    EXPECT_EQ(table.aliens[2].number, kAliens) << "the next one enters in its place";
}

TEST(SnagTable, BeginsWithTheAliensOfTheRules) {
    const SessionInstant now{100s};
    const Table table = lay_table(Seed{5}, now);
    AlienView view;
    view.advance(table, now);
    EXPECT_EQ(view.aliens(), start(Seed{5}).aliens);
}

TEST(SnagTable, AScreenThatComesLateComputesTheSameAliens) {
    const SessionInstant begin{100s};
    Table table = lay_table(Seed{5}, begin);
    AlienView early;
    for (int tick = 0; tick < 900; ++tick) {
        const SessionInstant now = begin + tick * table_world().tick;
        if (tick == 400) {
            ASSERT_TRUE(take_alien(table, table.aliens[1].number, now));
        }
        early.advance(table, now);
    }
    AlienView late;
    late.advance(table, begin + 899 * table_world().tick);
    EXPECT_EQ(early.aliens(), late.aliens());
}

TEST(SnagTable, AnAlienOfAnyAgeCostsABoundedTime) {
    Table table = lay_table(Seed{5}, SessionInstant{100s});
    table.start = 0;
    for (Entry& entry : table.aliens) entry.tick = 0;
    AlienView view;
    view.advance(table, SessionInstant{24h * 365});
    for (const Alien& alien : view.aliens()) EXPECT_EQ(alien.position, inside_screen(alien.position));
}

TEST(SnagGame, TwoPilotsCatchAliensAndBothScreensAgree) {
    for (std::uint8_t algorithm = 0; algorithm < kAlgorithms.size(); ++algorithm) {
        auto swarm = swarm_of(40ms, {.algorithm = algorithm});
        swarm->run_until(45);
        const SnagGame &first = swarm->game(0), &second = swarm->game(1);
        // An alien that was just caught is known to the second screen a moment later.
        for (double at = 45; at < 46 && first.screen().score != second.screen().score; at += 0.05)
            swarm->run_until(at);
        EXPECT_TRUE(first.has_partner() && second.has_partner());
        EXPECT_GT(first.screen().score, 2U) << kAlgorithms[algorithm].title;
        EXPECT_EQ(first.screen().score, second.screen().score) << kAlgorithms[algorithm].title;
        EXPECT_FALSE(second.catches().empty()) << "the second screen shows where";
        // The aliens are where they are on both screens, but for the ticks between the two clocks.
        for (std::size_t i = 0; i < kAliens; ++i)
            EXPECT_LT(distance(first.screen().aliens[i].position, second.screen().aliens[i].position), 0.6F);
    }
}

TEST(SnagGame, BothPlayersCatch) {
    // Only one of the two presses the space bar; the aliens are counted all the same.
    for (const std::size_t player : {0U, 1U}) {
        auto swarm = Swarm::create({.network = delayed(30ms)}, Seed{3});
        ASSERT_TRUE(swarm);
        std::array<SnagGame*, kShips> games{};
        std::array<Pilot, kShips> pilots{Pilot{0, Seed{3}}, Pilot{1, Seed{3}}};
        GameWorkload workload{[&](PeerIndex i) {
            auto game = std::make_unique<SnagGame>(SnagOptions{.ship = i, .seed = Seed{3}},
                                                   [&, i](const snagger::Game& screen) {
                                                       Input keys = pilots[i].play(screen);
                                                       keys.snag = keys.snag && i == player;
                                                       return keys;
                                                   });
            games[i] = game.get();
            return game;
        }};
        swarm->set_workload(&workload);
        for (std::size_t i = 0; i < kShips; ++i) ASSERT_TRUE(swarm->add_peer(peer_options({.ship = i})));
        swarm->run_until(60s);
        EXPECT_GT(games[0]->screen().score, 0U) << "player " << player + 1;
        EXPECT_EQ(games[0]->screen().score, games[1]->screen().score);
        swarm->set_workload(nullptr);
    }
}

TEST(SnagGame, AChoiceOfEitherPlayerIsFollowedByBothAndTold) {
    auto swarm = swarm_of(30ms);
    swarm->run_until(3);
    for (const std::size_t chooser : {1U, 0U}) {
        const Choice choice{.algorithm = 2, .lag_ms = static_cast<std::uint16_t>(100 + 50 * chooser)};
        swarm->game(chooser).choose(choice);
        swarm->run_until(chooser == 1 ? 7 : 11);
        for (std::size_t i = 0; i < kShips; ++i) {
            EXPECT_EQ(swarm->game(i).choice(), choice);
            EXPECT_EQ(swarm->game(i).notice(), "Both ships: " + describe(choice));
            ASSERT_TRUE(swarm->game(i).feel().response_ms);
            EXPECT_NEAR(*swarm->game(i).feel().response_ms, choice.lag_ms, 20) << "screen " << i + 1;
        }
    }
}

TEST(SnagGame, AWordOfOnePlayerIsReadByTheOther) {
    auto swarm = swarm_of(30ms);
    swarm->run_until(2);
    swarm->game(1).announce("adds 50 ms of delay");
    swarm->run_until(3);
    EXPECT_EQ(swarm->game(0).notice(), "Player 2: adds 50 ms of delay");
    EXPECT_EQ(swarm->game(1).notice(), "Player 2: adds 50 ms of delay");
}

TEST(SnagGame, TheMetricsFollowTheNetwork) {
    const auto feel_at = [](Duration delay, std::uint8_t algorithm) {
        auto swarm = swarm_of(delay, {.algorithm = algorithm, .lag_ms = 150});
        swarm->run_until(12);
        return swarm->game(0).feel();
    };
    const auto near = feel_at(5ms, 0), far = feel_at(105ms, 0);
    EXPECT_NEAR(*far.propagation_ms - *near.propagation_ms, 100, 12);
    EXPECT_LT(*near.response_ms, 25);
    EXPECT_NEAR(*near.animation_ms, 17, 4);
    EXPECT_GT(*far.divergence, *near.divergence);
    EXPECT_GT(far.corrections_per_s * far.correction, near.corrections_per_s * near.correction);
    const auto lagged = feel_at(105ms, 2);
    EXPECT_NEAR(*lagged.response_ms, 150, 20);
    EXPECT_LT(*lagged.divergence, 0.2 * *far.divergence) << "both screens show the same moment";
}

TEST(SnagChoice, NamesAreParsedAndAnUnknownOneIsToldTheKnownOnes) {
    for (std::uint8_t i = 0; i < kAlgorithms.size(); ++i) {
        EXPECT_EQ(parse_algorithm(kAlgorithms[i].name).value(), i);
        EXPECT_EQ(name_of(consistency_of({.algorithm = i}).algorithm), kAlgorithms[i].name);
        for (const std::uint16_t lag : std::array<std::uint16_t, 4>{0, 1, 100, 500})
            EXPECT_TRUE(consistency_of({.algorithm = i, .lag_ms = lag}).check())
                << kAlgorithms[i].name << lag;
    }
    const auto unknown = parse_algorithm("quake");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("half_life"), std::string::npos);
}

}  // namespace
}  // namespace fray::snagger
