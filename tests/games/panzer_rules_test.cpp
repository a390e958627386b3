#include "games/panzer_scene.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

TEST(PanzerRules, TanksNeitherPassThroughEachOtherNorStickTogether) {
    Scene scene{field(), {tank_at({10, 10}), tank_at({50, 10}, 180)}};
    scene.inputs[0].throttle = scene.inputs[1].throttle = kFull;
    scene.run(300);
    EXPECT_LT(scene.tank(0).position.x, scene.tank(1).position.x);
    const float apart = length(scene.tank(0).position - scene.tank(1).position);
    EXPECT_NEAR(apart, 2 * kTankRadius, 0.3F) << "they met";
    scene.inputs[0].throttle = scene.inputs[1].throttle = -kFull;
    scene.run(120);
    EXPECT_GT(length(scene.tank(0).position - scene.tank(1).position), apart + 5);
}

TEST(PanzerRules, ADestroyedTankEntersAgainFarFromItsEnemiesWithoutItsPowerUps) {
    const Map map = map_named("arena");
    Rules rules{map};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto battle = rules.start({.tanks = 16, .mode = {}, .seed = Seed{seed}});
        ASSERT_TRUE(battle) << battle.error().message;
        battle->tanks[4].armour = 0;
        battle->tanks[4].respawn_wait = kRespawnSteps;
        battle->tanks[4].gun_power = 3;
        const std::vector<Input> none(16);
        for (unsigned i = 0; i + 1 < kRespawnSteps; ++i) rules.step(*battle, none);
        EXPECT_FALSE(battle->tanks[4].alive());
        rules.step(*battle, none);
        ASSERT_TRUE(battle->tanks[4].alive());
        EXPECT_EQ(battle->tanks[4].gun_power, 0);
        for (std::size_t i = 0; i < 16; ++i) {
            if (i == 4) continue;
            EXPECT_GT(length(battle->tanks[i].position - battle->tanks[4].position), 12) << seed;
        }
    }
}

TEST(PanzerRules, ADestroyedTankWaitsWhileItsSpawnPointsAreTaken) {
    Scene scene{{"ss......"},
                {
                    tank_at({2, 2}),
                    tank_at({6, 2}),
                }};
    scene.tank(1).armour = 0;
    scene.tank(0).position = {4, 2};  // between the two
    scene.run(100);
    EXPECT_FALSE(scene.tank(1).alive());
    scene.tank(0).position = {28, 2};
    scene.run(1);
    EXPECT_TRUE(scene.tank(1).alive());
}

TEST(PanzerRules, AStepAllocatesNothingAfterWarmUp) {
    if (!test::kCountsAllocations) GTEST_SKIP() << "allocations are not counted in this build";
    for (const Mode mode : {Mode::free_for_all, Mode::teams, Mode::flag}) {
        const Map map = map_named("arena");
        Rules rules{map};
        auto battle = rules.start({.tanks = 64, .mode = mode, .seed = Seed{5}});
        ASSERT_TRUE(battle) << battle.error().message;
        Keys keys{Seed{5}, 64};
        for (int i = 0; i < 1200; ++i) rules.step(*battle, keys.press(*battle));
        const auto kills = [&] {
            std::uint64_t sum = 0;
            for (const Record& r : battle->records) sum += r.kills;
            return sum;
        };
        const std::uint64_t earlier = kills();
        const std::uint64_t before = test::allocations();
        for (int i = 0; i < 1200; ++i) rules.step(*battle, keys.press(*battle));
        EXPECT_EQ(test::allocations() - before, 0U);
        EXPECT_GT(kills(), earlier);
    }
}

TEST(PanzerRules, ABattleOf2048TanksRunsOnThePlains) {
    const Map map = map_named("plains");
    Rules rules{map};
    auto battle = rules.start({.tanks = kMostTanks, .mode = Mode::flag, .seed = Seed{1}});
    ASSERT_TRUE(battle) << battle.error().message;
    Keys keys{Seed{1}, kMostTanks};
    for (int i = 0; i < 300; ++i) rules.step(*battle, keys.press(*battle));
    std::uint64_t hits = 0;
    for (const Record& r : battle->records) hits += r.hits;
    EXPECT_GT(hits, 100U);
}

TEST(PanzerRules, ABattleThatDoesNotFitItsMapIsRefused) {
    const Map duel = map_named("duel");
    Rules rules{duel};
    const auto error_of = [](Rules& r, std::size_t tanks, Mode mode) {
        const auto battle = r.start({.tanks = tanks, .mode = mode, .seed = {}});
        return battle ? "no error" : battle.error().message;
    };
    EXPECT_EQ(error_of(rules, 1, {}), "a battle has 2 to 2,048 tanks, not 1");
    EXPECT_EQ(error_of(rules, 2049, {}), "a battle has 2 to 2,048 tanks, not 2049");
    EXPECT_EQ(error_of(rules, 1000, {}), "map duel has spawn points for 2 tanks, not for 1000");
    EXPECT_EQ(error_of(rules, 2, Mode::flag), "no error");
    const Map bare = drawn_map({"ss"});
    Rules without{bare};
    EXPECT_EQ(error_of(without, 2, Mode::flag), "map drawn has no flag (F), which this mode needs");
}

}  // namespace
}  // namespace fray::panzer
