// A peer that decides about one tank only, among replicas.

#include "games/panzer/rules/entity.hpp"
#include "games/panzer_scene.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

using Kind = Happening::Kind;

TEST(PanzerOwn, ATankAloneMovesAsInAWholeBattle) {
    const Map map = map_named("ruins");
    Rules whole_rules{map};
    Rules own_rules{map};
    auto whole = whole_rules.start({.tanks = 2, .mode = {}, .seed = Seed{5}});
    ASSERT_TRUE(whole);
    whole->tanks[1].armour = 0;
    whole->tanks[1].respawn_wait = 60'000;
    Battle own = *whole;
    Keys keys{Seed{5}, 2};
    std::size_t fired = 0;
    for (int i = 0; i < 6000; ++i) {
        const std::vector<Input> inputs{keys.press(*whole).begin(), keys.press(*whole).end()};
        whole_rules.step(*whole, inputs);
        own_rules.step_own(own, 0, inputs[0], ThingsAre::here);
        ASSERT_EQ(own.tanks[0], whole->tanks[0]) << i;
        ASSERT_EQ(own.items, whole->items) << i;
        ASSERT_EQ(own.doors, whole->doors) << i;
        ASSERT_EQ(own.shells, whole->shells) << i;
        ASSERT_EQ(own.records[0], whole->records[0]) << i;
        fired += whole->shells.size();
    }
    EXPECT_GT(whole->records[0].shots, 10U);
    EXPECT_GT(fired, 10U);
}

TEST(PanzerOwn, NothingHappensToReplicas) {
    Scene scene{field(), {tank_at({20, 10}), tank_at({24, 10}), tank_at({21.5F, 10})}};
    scene.inputs[0].gun = scene.inputs[0].shell = true;
    const std::vector<Tank> before = scene.battle.tanks;
    std::size_t shots = 0;
    for (int i = 0; i < 300; ++i) {
        scene.rules.step_own(scene.battle, 0, scene.inputs[0], ThingsAre::here);
        for (const Happening& h : scene.rules.happenings()) {
            EXPECT_TRUE(h.kind != Kind::damage || h.other == 0) << "its own shells may hurt it";
            if (h.kind == Kind::shot && h.other != kNone) ++shots;
        }
    }
    EXPECT_GT(shots, 5U) << "shots are reported with the tank that they meet";
    EXPECT_EQ(scene.battle.tanks[1], before[1]);
    EXPECT_EQ(scene.battle.tanks[2], before[2]) << "not even pushed";
    EXPECT_NE(scene.battle.tanks[0].position, before[0].position) << "it makes way itself";
    EXPECT_EQ(scene.battle.records[0].hits, 0U) << "the target decides";
}

TEST(PanzerOwn, AShellOfAnotherPlayerHurtsTheOwnTankAndNoOther) {
    Scene scene{field(), {tank_at({40, 10}), tank_at({40, 14}), tank_at({10, 10})}};
    const Shell shell{2, kShellLife, {12, 10}, {kShellSpeed, 0}};
    scene.rules.add_shell(scene.battle, shell, 3, 0);
    ASSERT_EQ(scene.battle.shells.size(), 1U);
    EXPECT_NEAR(scene.battle.shells[0].position.x, 12 + 3 * kShellSpeed * kStep, 1e-3F) << "three steps late";
    for (int i = 0; i < 120; ++i) scene.rules.step_own(scene.battle, 0, scene.inputs[0], ThingsAre::here);
    EXPECT_LT(scene.tank(0).armour, kFullArmour);
    EXPECT_EQ(scene.tank(1).armour, kFullArmour);
    EXPECT_TRUE(scene.battle.shells.empty());
}

TEST(PanzerOwn, AShellThatIsLateEnoughHasExploded) {
    Scene scene{field(), {tank_at({20, 10}), tank_at({10, 10})}};
    scene.tank(0).armour = 10;
    scene.rules.add_shell(scene.battle, {1, kShellLife, {12, 10}, {kShellSpeed, 0}}, 60, 0);
    EXPECT_TRUE(scene.battle.shells.empty());
    EXPECT_FALSE(scene.tank(0).alive());
    EXPECT_EQ(scene.battle.records[0].deaths, 1U);
    const auto happened = scene.rules.happenings();
    EXPECT_TRUE(std::ranges::any_of(
        happened, [](const Happening& h) { return h.kind == Kind::death && h.tank == 1 && h.other == 0; }));
}

TEST(PanzerOwn, ThingsThatAreDecidedElsewhereAreOnlyReported) {
    std::vector<std::string> rows = field();
    rows[2][5] = 'i';
    rows[2][8] = 'D';
    rows[2][10] = 'F';
    Scene scene{rows, {tank_at({22, 10}), tank_at({70, 10})}, Mode::flag};
    const auto reported = [&](Kind kind, const Vec2& at) {
        scene.tank(0).position = at;
        scene.rules.step_own(scene.battle, 0, scene.inputs[0], ThingsAre::elsewhere);
        return std::ranges::any_of(scene.rules.happenings(),
                                   [&](const Happening& h) { return h.kind == kind && h.tank == 0; });
    };
    EXPECT_TRUE(reported(Kind::at_item, {22, 10}));
    EXPECT_TRUE(reported(Kind::at_door, {29, 10}));
    EXPECT_TRUE(reported(Kind::at_flag, scene.battle.flag.position));
    EXPECT_EQ(scene.battle.records[0].pickups, 0U);
    EXPECT_EQ(scene.battle.doors[0].hold, 0U);
    EXPECT_EQ(scene.battle.flag.carrier, kNone);

    scene.rules.give_own(scene.battle, 0, 0, ItemKind::engine);
    EXPECT_EQ(scene.tank(0).engine, 1);
    EXPECT_EQ(scene.battle.records[0].pickups, 1U);
    scene.tank(0).armour = 5;
    scene.rules.give_own(scene.battle, 0, 0, ItemKind::trap);
    EXPECT_FALSE(scene.tank(0).alive());
    EXPECT_EQ(scene.battle.records[0].accidents, 1U);
    scene.rules.give_own(scene.battle, 0, 0, ItemKind::armour);
    EXPECT_FALSE(scene.tank(0).alive()) << "an item that comes too late does not wake the dead";
}

TEST(PanzerOwn, TanksThatEnterInOnePlaceSeparateNoFasterThanTanksCanMove) {
    const Map map = drawn_map(field());
    const Battlefield ground{map};
    Scene scene{field(), {tank_at({40, 10}), tank_at({40, 10})}};
    for (int tick = 0; tick < 20; ++tick) {
        const State before = state_of_tank(scene.tank(0), {});
        for (std::uint32_t i = 0; i < kStepsPerTick; ++i)
            scene.rules.step_own(scene.battle, 0, scene.inputs[0], ThingsAre::here);
        const State after = state_of_tank(scene.tank(0), {});
        EXPECT_TRUE(is_possible(ground, before.pose, before.payload, after.pose, after.payload, 50ms))
            << tick;
    }
    EXPECT_GE(length(scene.tank(0).position - scene.tank(1).position), 2 * kTankRadius - 0.1F);
}

}  // namespace
}  // namespace fray::panzer
