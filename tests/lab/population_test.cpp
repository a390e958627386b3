#include "lab/workloads/population.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::lab {
namespace {

constexpr Duration kRound{333ms};

struct Stage {
    Map map{{}, Seed{1}};
    Population population{map, kRound, Seed{2}};

    /// Runs the rounds. Returns how many players joined in each.
    std::vector<std::uint32_t> live(Schedule& schedule, std::uint32_t rounds) {
        std::vector<std::uint32_t> joins;
        for (std::uint32_t round = 0; round < rounds; ++round) {
            const Change change = schedule.next(population);
            for (const PlayerIndex who : change.crashes) population.disappear(who, round);
            for (std::uint32_t i = 0; i < change.joins; ++i)
                population.appear(population.add(round), kRound * round);
            joins.push_back(change.joins);
        }
        return joins;
    }
};

TEST(Schedule, OneIsFirstAndTheOthersFollowAFewPerRound) {
    Stage world;
    Schedule schedule{{.players = 101, .join_rounds = 20, .warm_up_rounds = 30, .rounds = 10}, Seed{3}};
    const auto joins = world.live(schedule, 40);
    EXPECT_EQ(joins[0], 1U);
    for (std::size_t round = 1; round <= 20; ++round) EXPECT_EQ(joins[round], 5U);
    for (std::size_t round = 21; round < 40; ++round) EXPECT_EQ(joins[round], 0U);
    EXPECT_EQ(world.population.all_present().size(), 101U);
}

TEST(Schedule, WhereEverybodyNeedsANeighbourNoRoundBringsMoreThanAreThere) {
    Stage world;
    Schedule schedule{
        {.players = 1001, .join_rounds = 20, .doubling = true, .warm_up_rounds = 30, .rounds = 10}, Seed{3}};
    const auto joins = world.live(schedule, 40);
    std::uint32_t there = 0;
    for (std::size_t round = 0; round < joins.size(); ++round) {
        EXPECT_LE(joins[round], std::max(there, 1U)) << round;
        there += joins[round];
    }
    EXPECT_EQ(joins[20], 50U);  // by then they join evenly
    EXPECT_EQ(there, 1001U);
}

TEST(Schedule, ARecordedPlayerLeavesWhereItsTrackEnds) {
    const Map map{{}, Seed{1}, {Track(5), Track(30)}};
    Population population{map, kRound, Seed{2}};
    Schedule schedule{{.players = 2, .join_rounds = 1, .warm_up_rounds = 10, .rounds = 10}, Seed{3}};
    for (std::uint32_t round = 0; round < 20; ++round) {
        const Change change = schedule.next(population);
        for (const PlayerIndex who : change.crashes) population.disappear(who, round);
        for (std::uint32_t i = 0; i < change.joins; ++i)
            population.appear(population.add(round), kRound * round);
        for (const PlayerIndex who : population.all_present()) population.step(who, kRound * round);
    }
    EXPECT_EQ(population.gone(0), 5U);  // in its last round it is still at the end of the track
    EXPECT_EQ(population.gone(1), kNoRound);
}

TEST(Schedule, ChurnReplacesThoseThatCrash) {
    Stage world;
    Schedule schedule{
        {.players = 200, .join_rounds = 10, .warm_up_rounds = 20, .rounds = 400, .churn_per_round = 0.01},
        Seed{3}};
    world.live(schedule, 420);
    const double gone = static_cast<double>(world.population.size()) - 200;
    EXPECT_NEAR(gone / (400 * 200 * 0.01), 1, 0.15);
    EXPECT_NEAR(static_cast<double>(world.population.all_present().size()), 200, 10);
}

TEST(Schedule, ACrashOfManyComesInOneRound) {
    Stage world;
    Schedule schedule{{.players = 100,
                       .join_rounds = 10,
                       .warm_up_rounds = 20,
                       .rounds = 50,
                       .crash_share = 0.5,
                       .crash_round = 7},
                      Seed{3}};
    world.live(schedule, 27);
    EXPECT_EQ(world.population.all_present().size(), 100U);
    world.live(schedule, 1);
    EXPECT_EQ(world.population.all_present().size(), 50U);
    world.live(schedule, 40);
    EXPECT_EQ(world.population.all_present().size(), 50U);
}

TEST(Schedule, AllNewcomersComeWhileThereIsTimeToMeasureThem) {
    Stage world;
    Schedule schedule{{.players = 10, .join_rounds = 5, .warm_up_rounds = 10, .rounds = 100, .newcomers = 30},
                      Seed{3}};
    const auto joins = world.live(schedule, 110);
    EXPECT_EQ(world.population.size(), 40U);
    EXPECT_TRUE(std::all_of(joins.begin() + 85, joins.end(), [](std::uint32_t n) { return n == 0; }));
    EXPECT_LE(*std::max_element(joins.begin() + 10, joins.end()), 1U);
}

TEST(Population, APlayerIsOnTheWayBetweenTwoSteps) {
    Stage world;
    const PlayerIndex who = world.population.add(0);
    EXPECT_FALSE(world.population.placed({})[who].present);
    world.population.appear(who, kRound);
    world.population.step(who, kRound);  // in the frame in which it appears it takes no step
    const Vec3 from = world.population.movement(who).position();
    const Vec3 step = world.population.movement(who).step();
    EXPECT_TRUE(world.population.placed(kRound)[who].present);
    EXPECT_EQ(world.population.placed(kRound)[who].position, from);
    const Vec3 halfway = world.population.placed(kRound * 3 / 2)[who].position;
    EXPECT_NEAR(distance(halfway, from), length(step) / 2, 0.02);
    world.population.step(who, kRound * 2);
    EXPECT_EQ(world.population.placed(kRound * 2)[who].position, from + step);
}

TEST(Population, WhoJumpsStandsStillBetweenTwoSteps) {
    MovementOptions options;
    options.motion = Motion::jump;
    const Map map{options, Seed{1}};
    Population population{map, kRound, Seed{2}};
    const PlayerIndex who = population.add(0);
    population.appear(who, {});
    const Vec3 from = population.movement(who).position();
    EXPECT_EQ(population.movement(who).velocity(), Vec3{});
    EXPECT_EQ(population.placed(kRound / 2)[who].position, from);
    population.step(who, kRound);
    EXPECT_NEAR(distance(population.placed(kRound)[who].position, from), 5, 0.01);
}

}  // namespace
}  // namespace fray::lab
