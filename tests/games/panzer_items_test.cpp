#include "games/panzer_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace fray::panzer {
namespace {

TEST(PanzerItem, EachKindHasItsEffectAndItsLimit) {
    Tank tank = tank_at({});
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(apply_item(tank, ItemKind::armour), 0);
        EXPECT_EQ(apply_item(tank, ItemKind::shield), 0);
        EXPECT_EQ(apply_item(tank, ItemKind::fire_rate), 0);
        EXPECT_EQ(apply_item(tank, ItemKind::gun_power), 0);
        EXPECT_EQ(apply_item(tank, ItemKind::engine), 0);
        EXPECT_EQ(tank.engine, std::min(i + 1, int{kMostLevel}));
    }
    EXPECT_EQ(tank.armour, kMostArmour);
    EXPECT_EQ(tank.shield, kMostShield);
    EXPECT_EQ(tank.fire_rate, kMostLevel);
    EXPECT_EQ(tank.gun_power, kMostLevel);
    EXPECT_EQ(apply_item(tank, ItemKind::trap), kTrapDamage);
    EXPECT_EQ(tank.armour, kMostArmour - kTrapDamage);
    EXPECT_EQ(tank.shield, kMostShield) << "a trap goes past the shield";
}

TEST(PanzerItem, EveryKindComesUpAndTheKindIsNotToldByThePlace) {
    std::array<unsigned, kItemKinds> seen{};
    for (std::uint16_t item = 0; item < 50; ++item) {
        for (std::uint32_t taken = 0; taken < 12; ++taken)
            ++seen[static_cast<std::size_t>(kind_of(Seed{4}, item, taken))];
    }
    for (const unsigned count : seen) EXPECT_NEAR(count, 100, 40);
}

TEST(PanzerItem, IsTakenOnceAndLiesThereAgainLater) {
    std::vector<std::string> rows = field();
    rows[2][5] = 'i';
    Scene scene{rows, {tank_at({22, 10}), tank_at({60, 10})}};
    scene.run(1);
    EXPECT_EQ(scene.battle.records[0].pickups, 1U);
    EXPECT_EQ(scene.battle.items[0].taken, 1U);
    scene.run(kItemSteps - 1);
    EXPECT_EQ(scene.battle.records[0].pickups, 1U);
    scene.run(1);
    EXPECT_EQ(scene.battle.records[0].pickups, 2U);
}

TEST(PanzerItem, ATrapThatDestroysATankIsAnAccident) {
    std::vector<std::string> rows = field();
    rows[2][5] = 'i';
    Scene scene{rows, {tank_at({22, 10}), tank_at({60, 10})}};
    while (kind_of(scene.battle.seed, 0, scene.battle.items[0].taken) != ItemKind::trap)
        ++scene.battle.items[0].taken;
    scene.tank(0).armour = kTrapDamage;
    scene.run(1);
    EXPECT_FALSE(scene.tank(0).alive());
    EXPECT_EQ(scene.battle.records[0].deaths, 1U);
    EXPECT_EQ(scene.battle.records[0].accidents, 1U);
    EXPECT_EQ(scene.battle.records[0].score, -1);
}

TEST(PanzerDoor, OpensForATankAndClosesBehindIt) {
    Scene scene{{"#######", "s..D..s", "#######"}, {tank_at({2, 6}), tank_at({26, 6})}};
    scene.inputs[0].throttle = 3;
    bool opened = false;
    for (int i = 0; i < 600 && scene.tank(0).position.x < 18; ++i) {
        scene.run(1);
        opened = opened || scene.battle.doors[0].opened == kDoorSteps;
    }
    EXPECT_TRUE(opened);
    EXPECT_GE(scene.tank(0).position.x, 18) << "it drove through";
    EXPECT_EQ(scene.count(Happening::Kind::door), 1U);
    scene.tank(0) = tank_at({2, 6});
    scene.inputs[0].throttle = 0;
    scene.run(kDoorHold + kDoorSteps + 1);
    EXPECT_EQ(scene.battle.doors[0].opened, 0);
}

TEST(PanzerDoor, ATankBetweenTwoDoorsOpensBothAndIsNotCaughtInOne) {
    Scene scene{{"#########", "s..D.D..s", "#########"}, {tank_at({18, 6}), tank_at({34, 6})}};
    scene.run(kDoorSteps + 1);
    ASSERT_EQ(scene.battle.doors.size(), 2U);
    EXPECT_EQ(scene.battle.doors[0].opened, kDoorSteps);
    EXPECT_EQ(scene.battle.doors[1].opened, kDoorSteps);
    for (const float x : {16.2F, 19.8F}) {  // reaches into one of the two
        scene.tank(0).position.x = x;
        scene.run(2 * kDoorHold);
        EXPECT_EQ(scene.battle.doors[0].opened, kDoorSteps);
        EXPECT_EQ(scene.battle.doors[1].opened, kDoorSteps);
        EXPECT_EQ(scene.tank(0).position.x, x);
    }
}

TEST(PanzerTeams, StartAtTheirSpawnPointsAndDoNotHurtEachOther) {
    std::vector<std::string> rows = field();
    rows[0] = "11.................s";
    rows[4] = "s.................22";
    Scene scene{
        rows, {tank_at({10, 10}), tank_at({70, 2}), tank_at({30, 10}), tank_at({50, 10})}, Mode::teams};
    auto start = scene.rules.start({.tanks = 4, .mode = Mode::teams, .seed = Seed{1}});
    ASSERT_TRUE(start) << start.error().message;
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(start->tanks[i].team, 1 + i % 2);
        EXPECT_EQ(start->tanks[i].position.x < 40, start->tanks[i].team == 1);
    }
    scene.inputs[0].gun = true;
    scene.run(1);
    EXPECT_EQ(scene.battle.records[0].hits, 1U);
    EXPECT_EQ(scene.tank(2).armour, kFullArmour) << "of its own team";
    scene.tank(2).position = {30, 4};
    scene.run(kGunSteps);
    EXPECT_LT(scene.tank(3).armour, kFullArmour);
}

TEST(PanzerTeams, AMapWithTooFewSpawnPointsForOneTeamIsRefused) {
    const Map map = drawn_map({"1112"});
    Rules rules{map};
    EXPECT_TRUE(rules.start({.tanks = 2, .mode = Mode::teams, .seed = Seed{1}}));
    const auto refused = rules.start({.tanks = 4, .mode = Mode::teams, .seed = Seed{1}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "map drawn has too few spawn points for team 2 of 4 tanks");
}

TEST(PanzerFlag, ItsCarrierGetsAPointPerSecondAndDropsItWhenDestroyed) {
    std::vector<std::string> rows = field();
    rows[2][5] = 'F';
    Scene scene{rows, {tank_at({22, 10}), tank_at({60, 10}, 180)}, Mode::flag};
    scene.run(1);
    EXPECT_EQ(scene.battle.flag.carrier, 0);
    scene.run(3 * kStepsPerSecond);
    EXPECT_EQ(scene.battle.records[0].score, 3);
    scene.tank(0).armour = 1;
    scene.tank(0).position = {30, 10};
    scene.inputs[1].gun = true;
    scene.run(1);
    EXPECT_FALSE(scene.tank(0).alive());
    EXPECT_EQ(scene.battle.flag.carrier, kNone);
    EXPECT_EQ(scene.battle.flag.position, (Vec2{30, 10}));
    EXPECT_EQ(scene.battle.records[1].score, 1);
}

}  // namespace
}  // namespace fray::panzer
