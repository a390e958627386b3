// Screens beside the truth, with samples made by hand.

#include "lab/metrics/replica_meter.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

constexpr ReplicaLimits kLimits{.top_speed = 10, .diameter = 4};
constexpr float kStep = 0.5F;  // units in a frame at top speed

/// One replica on one screen, a sample every 50 ms.
class OneReplica {
public:
    ReplicaMeter meter{kLimits};
    ReplicaSample next{.mode = ReplicaMode::guided};

    void frame() {
        next.at += 50ms;
        meter.see(0, 1, next);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }
};

TEST(ReplicaMeter, CountsUpdatesWhereTheReplicaIsWhenTheyArrive) {
    OneReplica r;
    r.frame();  // the first look only begins
    r.next.in_focus = true;
    r.next.updates = 1;
    r.frames(40);
    r.next.updates = 2;  // one was delayed by a frame, and both arrived together
    r.frame();
    r.next.in_focus = false;
    r.next.updates = 0;
    r.frames(20);
    r.next.updates = 1;
    r.frame();
    EXPECT_NEAR(r.meter.focused().seconds, 2.05, 1e-9);
    EXPECT_EQ(r.meter.focused().updates, 42U);
    EXPECT_EQ(r.meter.unfocused().updates, 1U);
    EXPECT_NEAR(r.meter.unfocused().rate_hz(), 1 / 1.05, 1e-9);
    ASSERT_EQ(r.meter.gaps_s().count(), 1U);
    EXPECT_NEAR(r.meter.gaps_s().quantile(0.5), 1.05, 0.06);
}

TEST(ReplicaMeter, AStayInFocusLastsUntilTheOwnerDecidesOtherwise) {
    OneReplica r;
    r.frame();
    EXPECT_EQ(r.meter.focus_stay_s(), 0);
    for (const int frames : {20, 60}) {
        r.next.in_focus = true;
        r.frames(frames);
        r.next.in_focus = false;
        r.frames(10);
    }
    EXPECT_NEAR(r.meter.focus_stay_s(), 2, 1e-9) << "stays of 1 s and 3 s";
}

TEST(ReplicaMeter, AStepAboveTopSpeedIsImpossibleAndOneAboveAQuarterOfATankAWarp) {
    OneReplica r;
    r.frame();
    const auto move = [&](float units) {
        r.next.shown.x += units;
        r.frame();
    };
    for (int i = 0; i < 20; ++i) move(kStep);
    EXPECT_EQ(r.meter.impossible(), 0U);
    move(kStep + 0.5F);  // an eighth of a tank too far
    EXPECT_GT(r.meter.impossible(), 0U);
    EXPECT_EQ(r.meter.shown().warps, 0U);
    move(kStep + 1.5F);
    EXPECT_GT(r.meter.shown().warps, 0U);
    EXPECT_NEAR(r.meter.shown().jumps.quantile(1), 1.5, 0.02);
}

TEST(ReplicaMeter, AConvergingReplicaMayBeFasterByAQuarterAndNoMore) {
    OneReplica r;
    r.next.mode = ReplicaMode::converging;
    r.frame();
    r.next.shown.x += kStep * 1.24F;
    r.frame();
    EXPECT_EQ(r.meter.impossible(), 0U);
    r.next.shown.x += kStep * 1.24F + 0.1F;
    r.frame();
    EXPECT_GT(r.meter.impossible(), 0U);
}

TEST(ReplicaMeter, ConvergenceTakesFromGainingFocusUntilUpdatesAreShownDirectly) {
    OneReplica r;
    r.frames(5);
    r.next.in_focus = true;
    r.frames(3);
    r.next.mode = ReplicaMode::converging;
    r.frames(4);
    r.next.mode = ReplicaMode::direct;
    r.frame();
    ASSERT_EQ(r.meter.converged_ms().count(), 1U);
    EXPECT_NEAR(r.meter.converged_ms().quantile(0.5), 350, 10);
    r.next.in_focus = false;
    r.next.mode = ReplicaMode::guided;
    r.frames(3);
    r.next.in_focus = true;
    r.frames(3);
    r.next.in_focus = false;  // lost before it converged
    r.frame();
    r.next.mode = ReplicaMode::direct;
    r.frame();
    EXPECT_EQ(r.meter.converged_ms().count(), 1U);
}

TEST(ReplicaMeter, ErrorsAreOfScreenAndOfDeadReckoningAgainstTheTruth) {
    OneReplica r;
    r.next.truth = {10, 0, 0};
    r.next.shown = {7, 0, 0};
    r.next.reckoned = {10, 1, 0};
    r.frames(10);
    ASSERT_EQ(r.meter.unfocused().error.count(), 9U);
    EXPECT_NEAR(r.meter.unfocused().error.quantile(0.5), 3, 0.06);
    EXPECT_NEAR(r.meter.unfocused().reckoned_error.quantile(0.5), 1, 0.06);
    r.next.is_there = false;  // destroyed: there is nothing to be right about
    r.frames(10);
    EXPECT_EQ(r.meter.unfocused().error.count(), 9U);
}

/// A replica that stands at 0, and whose truth is at 1.
ReplicaSample sample(Duration at, float x = 0) {
    return {.at = SessionInstant{at},
            .stamp = SessionInstant{at},
            .shown = {x, 0, 0},
            .reckoned = {x, 0, 0},
            .truth = {1, 0, 0},
            .mode = ReplicaMode::direct};
}

TEST(ReplicaMeter, WhatTheRulesOfTheGameForbidIsImpossibleAtAnySpeed) {
    ReplicaMeter meter{kLimits};
    ReplicaSample through_a_wall = sample(100ms);
    through_a_wall.is_possible = false;
    meter.see(0, 1, sample(0ms));
    meter.see(0, 1, through_a_wall);
    EXPECT_EQ(meter.impossible(), 1U);
}

TEST(ReplicaMeter, ConvergenceCountsFromTheGainOfFocusAndLaterBlendsDoNot) {
    ReplicaMeter meter{kLimits};
    const auto see = [&](Duration at, ReplicaMode mode, bool in_focus, float off) {
        ReplicaSample one = sample(at);
        one.mode = mode;
        one.in_focus = in_focus;
        one.reckoned.x = off;
        meter.see(0, 1, one);
    };
    using enum ReplicaMode;
    see(0ms, guided, false, 6);
    see(100ms, guided, true, 6);
    see(200ms, converging, true, 5);
    see(300ms, converging, true, 3);
    see(400ms, converging, true, 2);
    EXPECT_EQ(meter.near_ms().count(), 1U);
    EXPECT_NEAR(meter.near_ms().mean(), 200, 1e-6);
    EXPECT_EQ(meter.converged_ms().count(), 0U);
    see(500ms, direct, true, 0);
    see(600ms, converging, true, 1);
    see(700ms, direct, true, 0);
    EXPECT_EQ(meter.converged_ms().count(), 1U);
    EXPECT_NEAR(meter.converged_ms().mean(), 400, 1e-6);
}

}  // namespace
}  // namespace fray::lab
