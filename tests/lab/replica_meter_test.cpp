#include "lab/metrics/replica_meter.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

constexpr ReplicaLimits kLimits{.top_speed = 10, .diameter = 4};

/// A replica that stands at 0, and whose truth is at 1.
ReplicaSample sample(Duration at, float x = 0) {
    return {.at = SessionInstant{at},
            .stamp = SessionInstant{at},
            .shown = {x, 0, 0},
            .reckoned = {x, 0, 0},
            .truth = {1, 0, 0},
            .mode = ReplicaMode::direct};
}

TEST(ReplicaMeter, AStepBeyondTheTopSpeedIsImpossibleAndAboveAQuarterOfADiameterAWarp) {
    ReplicaMeter meter{kLimits};
    meter.see(0, 1, sample(0ms));
    meter.see(0, 1, sample(100ms, 1));  // 1 m in 100 ms: the top speed
    EXPECT_EQ(meter.impossible(), 0U);
    meter.see(0, 1, sample(200ms, 2.5F));
    EXPECT_EQ(meter.impossible(), 1U);
    EXPECT_EQ(meter.shown().warps, 0U);
    meter.see(0, 1, sample(300ms, 5.5F));
    EXPECT_EQ(meter.impossible(), 2U);
    EXPECT_EQ(meter.shown().warps, 1U);
    EXPECT_NEAR(meter.shown().longest, 2, 1e-5);
    EXPECT_EQ(meter.reckoned().warps, 1U);
    EXPECT_NEAR(meter.per_minute(meter.impossible()), 2 * 60 / 0.3, 1);
}

TEST(ReplicaMeter, AConvergingReplicaMayBeAQuarterFaster) {
    ReplicaMeter meter{kLimits};
    ReplicaSample converging = sample(100ms, 1.25F);
    converging.mode = ReplicaMode::converging;
    meter.see(0, 1, sample(0ms));
    meter.see(0, 1, converging);
    EXPECT_EQ(meter.impossible(), 0U);
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
