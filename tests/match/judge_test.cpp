#include "games/panzer/match/judge.hpp"

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/rules/rules.hpp"
#include "match/match_fields.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

constexpr SessionInstant kNow{100s};

/// Two tanks face each other on the arena; the shooter is at slot 1.
struct JudgeTest : ::testing::Test {
    void SetUp() override { show(kNow - 50ms, shooter); }

    void show(SessionInstant stamp, const Tank& tank) {
        const State state = state_of_tank(tank, {}, kTankType);
        Replica replica;
        replica.owner = replica.id.owner = PeerId::from_number(2);
        replica.received = replica.pose = state.pose;
        replica.stamp = stamp;
        replica.payload = replica.received_payload = state.payload;
        watch.see(1, replica);
    }
    static Tank at(float x, float y) {
        Tank tank;
        tank.position = {x, y};
        tank.armour = kFullArmour;
        return tank;
    }
    Refusal shot(const ShotClaim& one) { return judge.shot(kNow, 1, one, target, {target.position}); }

    Arena arena;
    TankWatch watch{arena.field};
    Judge judge{arena.field, watch};
    Tank shooter = at(20, 100);
    Tank target = at(40, 100);
    ShotClaim claim{kNow, {20, 100}, 0};
};

TEST_F(JudgeTest, GrantsAShotThatHits) {
    EXPECT_EQ(shot(claim), Refusal::none);
    for (const std::uint64_t count : judge.refused()) EXPECT_EQ(count, 0U);
}

TEST_F(JudgeTest, RefusesAShotBesideTheTargetOrThroughAWall) {
    claim.aim = degrees(20);
    EXPECT_EQ(shot(claim), Refusal::no_hit);
    claim.aim = degrees(180);
    EXPECT_EQ(shot(claim), Refusal::no_hit);
    // Somewhere in the arena a wall stands between two free places of one row.
    const Map& map = arena.map;
    bool found = false;
    for (std::int32_t row = 1; row + 1 < map.rows && !found; ++row) {
        for (std::int32_t column = 2; column + 2 < map.columns && !found; ++column) {
            const bool is_gap = is_wall(map.at({column, row})) && !is_wall(map.at({column - 1, row})) &&
                                !is_wall(map.at({column + 1, row}));
            if (!is_gap) continue;
            found = true;
            shooter.position = map.middle_of({column - 1, row});
            target.position = map.middle_of({column + 1, row});
        }
    }
    ASSERT_TRUE(found);
    watch = TankWatch{arena.field};
    show(kNow, shooter);
    EXPECT_EQ(shot({kNow, shooter.position, 0}), Refusal::no_hit);
    EXPECT_EQ(judge.refused()[static_cast<std::size_t>(Refusal::no_hit)], 3U);
}

TEST_F(JudgeTest, GrantsAShotAtTheTargetWhereTheShootersScreenMayHaveShownIt) {
    claim.to = target.position;
    target.position = {40, 106};  // the shot passes it
    EXPECT_EQ(judge.shot(kNow, 1, claim, target, {target.position, 5}), Refusal::no_hit) << "farther aside";
    EXPECT_EQ(judge.granted_aside(), 0U);
    EXPECT_EQ(judge.shot(kNow, 1, claim, target, {target.position, 7}), Refusal::none);
    EXPECT_EQ(judge.granted_aside(), 1U);
    claim.at += 2s;
    show(kNow + 2s, shooter);
    claim.aim = degrees(90);
    EXPECT_EQ(judge.shot(kNow + 2s, 1, claim, target, {target.position, 7}), Refusal::no_hit)
        << "it did not hit what its screen showed either";
}

TEST_F(JudgeTest, RefusesAShotFromElsewhere) {
    claim.from = {30, 100};
    EXPECT_EQ(shot(claim), Refusal::elsewhere);
    claim.from = {-5, 100};
    EXPECT_EQ(shot(claim), Refusal::malformed) << "outside the map";
    EXPECT_EQ(judge.shot(kNow, 7, claim, target, {target.position}), Refusal::malformed);
    claim.from = {20, 100};
    EXPECT_EQ(judge.shot(kNow, 7, claim, target, {target.position}), Refusal::unknown_shooter);
}

TEST_F(JudgeTest, RefusesAShotThatIsDatedBackToGetElsewhere) {
    claim.at = kNow - 300ms;
    claim.from = {26, 100};
    // The tank stood still for a second, as its updates say.
    TankWatch steady{arena.field};
    Judge strict{arena.field, steady};
    for (int ms = 1000; ms >= 0; ms -= 50) {
        const State state = state_of_tank(shooter, {}, kTankType);
        Replica replica;
        replica.received = replica.pose = state.pose;
        replica.stamp = kNow - std::chrono::milliseconds{ms};
        replica.payload = replica.received_payload = state.payload;
        steady.see(1, replica);
    }
    EXPECT_EQ(strict.shot(kNow, 1, claim, target, {target.position}), Refusal::elsewhere);
    claim.from = {20, 100};
    EXPECT_EQ(strict.shot(kNow, 1, claim, target, {target.position}), Refusal::none);
    EXPECT_EQ(strict.launch(kNow, 1, {kNow - 2200ms, {60, 100}, 0}), Refusal::elsewhere)
        << "40 m in the 1.2 s before the first update";
    EXPECT_EQ(strict.launch(kNow, 1, {kNow - 2200ms, {20, 100}, 0}), Refusal::untimely);
    EXPECT_EQ(strict.launch(kNow, 1, {kNow - 1200ms, {20, 100}, 0}), Refusal::untimely);
}

TEST_F(JudgeTest, ATankThatIsPublishedAnewMustBeWhereItCanHaveGotTo) {
    watch.lose(1);
    shooter.position = {150, 100};
    show(kNow, shooter);
    EXPECT_EQ(watch.impossible_moves(), 1U);
}

TEST_F(JudgeTest, AnyFloatIsAPlace) {
    for (const float x : {-1e38F, 1e38F, -1.0F, 184.0F})
        EXPECT_EQ(shot({kNow, {x, 100}, 0}), Refusal::malformed) << x;
}

TEST_F(JudgeTest, RefusesShotsThatComeFasterThanTheGunLoads) {
    EXPECT_EQ(shot(claim), Refusal::none);
    claim.at = kNow - 300ms;
    EXPECT_EQ(shot(claim), Refusal::too_fast);
    const SessionInstant later = kNow + 600ms;
    show(later, shooter);
    EXPECT_EQ(judge.shot(later, 1, {later, {20, 100}, 0}, target, {target.position}), Refusal::none);
}

TEST_F(JudgeTest, RefusesWhatIsNotOfThisTime) {
    claim.at = kNow - Judge::kMostOld - 1ms;
    EXPECT_EQ(shot(claim), Refusal::untimely);
    claim.at = kNow + Judge::kMostAhead + 1ms;
    EXPECT_EQ(shot(claim), Refusal::untimely);
    judge.set_end(kNow);
    claim.at = kNow;
    EXPECT_EQ(shot(claim), Refusal::match_over);
}

TEST_F(JudgeTest, ADeadTankNeitherShootsNorIsShot) {
    Tank dead = shooter;
    dead.armour = 0;
    show(kNow - 20ms, dead);
    EXPECT_EQ(shot(claim), Refusal::dead_shooter);
    claim.at = kNow - 30ms;
    EXPECT_EQ(shot(claim), Refusal::none) << "it fired before it was destroyed";
    target.armour = 0;
    claim.at = kNow - 30ms;
    EXPECT_EQ(shot(claim), Refusal::dead_target);
}

TEST_F(JudgeTest, DistrustsATankThatMovedAsNoTankCan) {
    shooter.position = {60, 100};
    show(kNow, shooter);
    EXPECT_EQ(watch.impossible_moves(), 1U);
    EXPECT_EQ(shot({kNow, {60, 100}, degrees(180)}), Refusal::impossible_move);
    const SessionInstant later = kNow + kDistrust + 50ms;
    show(later, shooter);
    EXPECT_EQ(judge.shot(later, 1, {later, {60, 100}, degrees(180)}, target, {target.position}),
              Refusal::none);
}

TEST_F(JudgeTest, ATankOutOfSightMayHaveEnteredAgain) {
    shooter.position = arena.map.spawns.back().position;
    show(kNow + 10s, shooter);
    EXPECT_EQ(watch.impossible_moves(), 0U);
    shooter.position = arena.map.spawns.front().position;
    show(kNow + 12s, shooter);
    EXPECT_EQ(watch.impossible_moves(), 1U) << "not within 2 s";
}

TEST_F(JudgeTest, ShellsStartAtTheMuzzleAndLoadSlowly) {
    EXPECT_EQ(judge.launch(kNow, 1, {kNow, {20 + kMuzzle, 100}, 0}), Refusal::none);
    show(kNow + 1s, shooter);
    EXPECT_EQ(judge.launch(kNow + 1s, 1, {kNow + 1s, {20, 100}, 0}), Refusal::too_fast);
    show(kNow + 2s, shooter);
    EXPECT_EQ(judge.launch(kNow + 2s, 1, {kNow + 2s, {90, 100}, 0}), Refusal::elsewhere);
}

}  // namespace
}  // namespace fray::panzer
