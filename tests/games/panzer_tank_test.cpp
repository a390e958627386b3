#include "games/panzer_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace fray::panzer {
namespace {

TEST(PanzerTank, TurnsInACircleOf12MetresAtTopSpeedAndOnTheSpotAtRest) {
    const Map map = drawn_map(std::vector<std::string>(20, "s..................s"));
    const Ground ground{map, {}};
    Tank tank = tank_at({40, 20});
    tank.speed = kTopSpeed;
    Input input;
    input.throttle = kFull;
    input.steer = kFull;
    Vec2 low = tank.position;
    Vec2 high = tank.position;
    for (unsigned i = 0; i < steps(7); ++i) {
        drive(ground, tank, input);
        low = {std::min(low.x, tank.position.x), std::min(low.y, tank.position.y)};
        high = {std::max(high.x, tank.position.x), std::max(high.y, tank.position.y)};
    }
    EXPECT_NEAR(high.x - low.x, 24, 1);
    EXPECT_NEAR(high.y - low.y, 24, 1);
    Tank resting = tank_at({40, 40});
    input.throttle = 0;
    for (unsigned i = 0; i < steps(1); ++i) drive(ground, resting, input);
    EXPECT_EQ(resting.position, (Vec2{40, 40}));
    EXPECT_NEAR(in_degrees(resting.hull), kTurnRateAtRest, 1);
}

TEST(PanzerTank, AcceleratesToItsTopSpeedAndAnEngineLevelRaisesIt) {
    const Map map = drawn_map(field());
    const Ground ground{map, {}};
    for (const std::uint8_t level : {std::uint8_t{0}, kMostLevel}) {
        Tank tank = tank_at({5, 10});
        tank.engine = level;
        Input ahead;
        ahead.throttle = kFull;
        for (unsigned i = 0; i < steps(1); ++i) drive(ground, tank, ahead);
        const float share = 1 + kEngineStep * static_cast<float>(level);
        EXPECT_NEAR(tank.speed, kAcceleration * share, 0.1F);
        for (unsigned i = 0; i < steps(1); ++i) drive(ground, tank, ahead);
        EXPECT_NEAR(tank.speed, kTopSpeed * share, 0.01F);
        for (unsigned i = 0; i < steps(1.2F); ++i) drive(ground, tank, {});
        EXPECT_EQ(tank.speed, 0);
    }
}

TEST(PanzerTank, TurretTurnsWithoutTheHullAndOnlyByTheBitsThatAreSent) {
    const Map map = drawn_map(field());
    const Ground ground{map, {}};
    Tank tank = tank_at({40, 10});
    drive(ground, tank, aimed(90));
    EXPECT_NEAR(in_degrees(tank.turret), kTurretRate * kStep, 0.01F);
    for (unsigned i = 0; i < steps(1); ++i) drive(ground, tank, aimed(90));
    EXPECT_EQ(tank.turret, degrees(90));
    EXPECT_EQ(tank.hull, 0);
    Input finer = aimed(90);
    finer.aim = static_cast<Angle>(finer.aim + 15);
    drive(ground, tank, finer);
    EXPECT_EQ(tank.turret, degrees(90));
}

TEST(PanzerTank, StopsAtAWallHeadOnAndSlidesAlongItAtAFlatAngle) {
    const Map map = drawn_map(field());
    const Ground ground{map, {}};
    Tank head_on = tank_at({70, 10});
    Tank flat = tank_at({10, 16}, 10);
    Input ahead;
    ahead.throttle = kFull;
    for (unsigned i = 0; i < steps(3); ++i) {
        drive(ground, head_on, ahead);
        drive(ground, flat, ahead);
    }
    EXPECT_NEAR(head_on.position.x, 80 - kTankRadius, 0.01F);
    EXPECT_EQ(head_on.speed, 0);
    EXPECT_NEAR(flat.position.y, 20 - kTankRadius, 0.01F);
    EXPECT_GT(flat.speed, kTopSpeed / 2);
    EXPECT_GT(flat.position.x, 25);
}

TEST(PanzerGun, HitsAtOnceAndOnlyTheFirstTankInItsWay) {
    Scene scene{field(), {tank_at({10, 10}), tank_at({60, 10}), tank_at({70, 10})}};
    scene.inputs[0].gun = true;
    scene.run(1);
    EXPECT_EQ(scene.tank(1).armour, kFullArmour - kGunDamage);
    EXPECT_EQ(scene.tank(2).armour, kFullArmour);
    EXPECT_EQ(scene.battle.records[0].hits, 1U);
    scene.run(kGunSteps - 1);
    EXPECT_EQ(scene.battle.records[0].shots, 1U) << "it must be loaded first";
    scene.run(1);
    EXPECT_EQ(scene.battle.records[0].shots, 2U);
}

TEST(PanzerGun, FiresFasterAndHarderWithPowerUps) {
    Scene scene{field(), {tank_at({10, 10}), tank_at({60, 10})}};
    scene.tank(0).fire_rate = kMostLevel;
    scene.tank(0).gun_power = 2;
    scene.inputs[0].gun = true;
    scene.run(kGunSteps / 2U + 1U);
    EXPECT_EQ(scene.battle.records[0].shots, 2U);
    EXPECT_EQ(scene.tank(1).armour, kFullArmour - 2 * (kGunDamage + 2 * kGunPowerStep));
}

TEST(PanzerGun, WallsAndClosedDoorsStopIt) {
    for (const char obstacle : std::string{"#BHD"}) {
        std::vector<std::string> rows = field();
        rows[2][10] = obstacle;
        Scene scene{rows, {tank_at({10, 10}), tank_at({70, 10})}};
        scene.inputs[0].gun = true;
        scene.run(1);
        EXPECT_EQ(scene.battle.records[0].shots, 1U);
        EXPECT_EQ(scene.tank(1).armour, kFullArmour) << obstacle;
    }
}

TEST(PanzerShell, HurtsATankThatStaysAndMissesOneThatDrivesAway) {
    for (const bool dodges : {false, true}) {
        Scene scene{field(), {tank_at({10, 10}), tank_at({60, 10}, 90)}};
        scene.inputs[0].shell = true;
        scene.run(1);
        scene.inputs[0].shell = false;
        scene.inputs[1].throttle = dodges ? kFull : 0;
        EXPECT_EQ(scene.battle.shells.size(), 1U);
        scene.run(130);
        EXPECT_EQ(scene.count(Happening::Kind::explosion), 1U);
        EXPECT_EQ(scene.tank(1).armour < kFullArmour, !dodges);
    }
}

TEST(PanzerShell, AWallShieldsWhatIsBehindItFromTheBlast) {
    for (const bool walled : {false, true}) {
        std::vector<std::string> rows = field();
        if (walled) rows[2][10] = '#';
        // The shell explodes at the wall, or at a tank in its place; the second tank is behind that.
        Scene scene{rows,
                    {tank_at({30, 10}), tank_at({46, 10}), tank_at(walled ? Vec2{70, 10} : Vec2{42, 10})}};
        scene.inputs[0].shell = true;
        scene.run(60);
        EXPECT_EQ(scene.count(Happening::Kind::explosion), 1U);
        EXPECT_EQ(scene.tank(1).armour < kFullArmour, !walled);
    }
}

TEST(PanzerTank, ShieldsTakeDamageBeforeArmour) {
    Tank tank = tank_at({});
    tank.shield = 10;
    EXPECT_EQ(take_damage(tank, 14), 4);
    EXPECT_EQ(tank.shield, 0);
    EXPECT_EQ(tank.armour, kFullArmour - 4);
    EXPECT_EQ(take_damage(tank, 1000), kFullArmour - 4);
    EXPECT_FALSE(tank.alive());
}

}  // namespace
}  // namespace fray::panzer
