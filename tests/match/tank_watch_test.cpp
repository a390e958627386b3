// What watchers say of tanks whose updates come seldom.

#include "games/panzer/match/tank_watch.hpp"

#include <fray/random.hpp>

#include "games/panzer/match/judge.hpp"
#include "games/panzer/match/match_options.hpp"
#include "games/panzer/rules/rules.hpp"
#include "match/match_fields.hpp"
#include "wire/pose_codec.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fray::panzer {
namespace {

Arena& arena() {
    static Arena made;
    return made;
}

Tank tank_at(float x, float y) {
    Tank tank;
    tank.position = {x, y};
    tank.armour = kFullArmour;
    return tank;
}

/// As its owner sends it, and with another payload on the screen, if given.
void show(TankWatch& watch, SessionInstant stamp, const Tank& sent, const Tank* on_screen = nullptr) {
    const World all = match_world(arena().field, Mode{});
    const PoseCodec codec{all};
    const State state = state_of_tank(sent, {}, kTankType);
    const State screen = state_of_tank(on_screen == nullptr ? sent : *on_screen, {}, kTankType);
    Replica replica;
    replica.received = codec.restore(codec.quantise(state.pose));
    replica.pose = screen.pose;
    replica.stamp = stamp;
    replica.received_payload = state.payload;
    replica.payload = screen.payload;
    watch.see(1, replica);
}

TEST(TankWatch, WhatAGuideShowsAccusesNobody) {
    TankWatch watch{arena().field};
    Tank sent = tank_at(20, 100);
    Tank guided = sent;
    SessionInstant stamp{10s};
    for (int i = 0; i < 20; ++i, stamp += 50ms) {
        guided.turret = static_cast<Angle>(guided.turret + 0x8000);  // half a turn
        show(watch, stamp, sent, &guided);
    }
    ASSERT_NE(watch.find(1), nullptr);
    EXPECT_EQ(watch.impossible_moves(), 0U);
    EXPECT_EQ(watch.find(1)->tank.turret, sent.turret);
    sent.turret = 0x8000;
    show(watch, stamp, sent);
    EXPECT_EQ(watch.impossible_moves(), 1U) << "what the owner sends counts";
}

/// Drives, dies and enters again by the rules, at random.
class Honest {
public:
    explicit Honest(std::uint32_t seed) : random_{Seed{seed}, "driver"} { enter(); }

    void tick() {
        if (random_.chance(0.1)) keys_ = {.throttle = key(), .steer = key(), .aim = angle()};
        for (std::uint32_t i = 0; i < kStepsPerTick; ++i) step();
        if (!tank.alive() || !random_.chance(0.01)) return;
        tank.armour = 0;
        tank.speed = 0;
        dead_ = 0;
        ++deaths;
    }
    /// 50 ms to 3 s.
    Duration gap() { return 50ms * (1 + random_.below(60)); }

    Tank tank;
    std::size_t deaths = 0;

private:
    void step() {
        if (tank.alive())
            drive(arena().field.ground(), tank, keys_);
        else if (++dead_ >= kRespawnSteps)
            enter();
    }
    void enter() {
        const auto& spawns = arena().map.spawns;
        const Vec2 at = spawns[random_.below(static_cast<std::uint32_t>(spawns.size()))].position;
        tank = tank_at(at.x, at.y);
    }
    std::int8_t key() { return static_cast<std::int8_t>(kFull * (static_cast<int>(random_.below(3)) - 1)); }
    Angle angle() { return static_cast<Angle>(random_.below(65536)); }

    RandomStream random_;
    Input keys_;
    std::uint32_t dead_ = 0;
};

RC_GTEST_PROP(TankWatch, AnHonestTankIsNeverAccusedHoweverSeldomItsUpdatesAre, (std::uint32_t seed)) {
    Honest honest{seed};
    TankWatch watch{arena().field};
    std::size_t updates = 0;
    SessionInstant due{};
    for (SessionInstant now{10s}; now < SessionInstant{130s}; now += 50ms) {
        honest.tick();
        if (now < due) continue;
        show(watch, now, honest.tank);
        ++updates;
        due = now + honest.gap();
    }
    RC_ASSERT(updates > 50U);
    RC_ASSERT(honest.deaths > 0U);
    RC_ASSERT(watch.impossible_moves() == 0U);
}

TEST(SparseUpdates, APlaceIsJudgedByHowFarTheTankCanHaveGot) {
    constexpr SessionInstant kNow{100s};
    TankWatch watch{arena().field};
    const Judge judge{arena().field, watch};
    show(watch, kNow - 2s, tank_at(20, 100));
    EXPECT_EQ(judge.place(kNow, 1, {50, 100}, kNow), Refusal::none) << "30 m in two seconds";
    EXPECT_EQ(judge.place(kNow, 1, {50, 100}, kNow - 1700ms), Refusal::elsewhere) << "30 m in 300 ms";
    EXPECT_EQ(judge.place(kNow, 1, {90, 100}, kNow), Refusal::elsewhere) << "70 m in two seconds";
    const SessionInstant late = kNow + Judge::kMostGap;
    EXPECT_EQ(judge.place(late, 1, {20, 100}, late), Refusal::elsewhere) << "nothing is known of that time";
}

}  // namespace
}  // namespace fray::panzer
