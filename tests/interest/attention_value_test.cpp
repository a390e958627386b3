// Worked values of the three metrics, and the edges that the paper leaves open.

#include "interest/attention_value.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace fray {
namespace {

constexpr double kDegree = math::kPi / 180;
constexpr double kNear = 1e-9;

TEST(AttentionValue, ProximityFallsWithThePowerOfOneAndAHalf) {
    EXPECT_EQ(proximity(0, 100), 1);
    EXPECT_NEAR(proximity(19, 100), 0.729, kNear);  // 0.81^1.5
    EXPECT_NEAR(proximity(75, 100), 0.125, kNear);  // 0.25^1.5
    EXPECT_EQ(proximity(100, 100), 0);
    EXPECT_EQ(proximity(250, 100), 0) << "beyond D_max the base is negative";
}

TEST(AttentionValue, AimFallsFasterTheFartherTheTarget) {
    EXPECT_EQ(aim(0, 50), 1) << "straight ahead";
    const double e = std::exp(1.0);
    EXPECT_NEAR(aim(22.5 * kDegree, e), std::pow(0.5, 1.5), kNear);
    EXPECT_NEAR(aim(22.5 * kDegree, e * e), 0.125, kNear);  // 0.5^(1.5 * 2)
    EXPECT_NEAR(aim(9 * kDegree, 100), std::pow(0.8, 1.5 * std::log(100.0)), kNear);
    EXPECT_GT(aim(10 * kDegree, 10), aim(10 * kDegree, 100));
}

TEST(AttentionValue, AimCountsFullyUpToADistanceOfOne) {
    for (const double distance : {0.0, 0.001, 0.5, 1.0}) {
        EXPECT_EQ(aim(44 * kDegree, distance), 1) << distance;
        EXPECT_EQ(aim(45 * kDegree, distance), 0) << distance;
        EXPECT_EQ(aim(135 * kDegree, distance), 0) << distance;
    }
    EXPECT_NEAR(aim(44 * kDegree, 1.0001), 1, 1e-3) << "no jump above 1";
}

TEST(AttentionValue, AimIsNothingBeyondFortyFiveDegrees) {
    EXPECT_GT(aim(44.9 * kDegree, 2), 0);
    EXPECT_EQ(aim(45.1 * kDegree, 2), 0);
    EXPECT_EQ(aim(180 * kDegree, 1000), 0);
}

TEST(AttentionValue, AnInteractionCountsForThreeSeconds) {
    EXPECT_EQ(interaction_recency(Duration{0}), 1);
    EXPECT_NEAR(interaction_recency(1s), std::exp(-1.0), kNear);
    EXPECT_NEAR(interaction_recency(3s), std::exp(-3.0), kNear);
    EXPECT_EQ(interaction_recency(3s + 1us), 0);
    EXPECT_EQ(interaction_recency(-1s), 1) << "a clock that stepped back";
}

TEST(AttentionValue, TheWeightsOfThePaperSumTheMetrics) {
    EXPECT_NEAR(attention_value({}, 0.5, 0.25, 0.2), 0.5 + 0.25 + 1.5 * 0.2, kNear);
    EXPECT_NEAR(attention_value({.proximity = 4, .aim = 0, .interaction = 0}, 0.5, 1, 1), 2, kNear);
}

TEST(AttentionValue, TheDeviationIsTheAngleBetweenViewAndTarget) {
    EXPECT_NEAR(aim_deviation({1, 0, 0}, {10, 0, 0}), 0, kNear);
    EXPECT_NEAR(aim_deviation({1, 0, 0}, {0, 3, 0}), math::kPi / 2, kNear);
    EXPECT_NEAR(aim_deviation({1, 0, 0}, {-2, 0, 0}), math::kPi, 1e-6);
    EXPECT_NEAR(aim_deviation(forward_vector({.yaw = 90, .pitch = 45}), {0, 1, 1}), 0, 1e-6);
    EXPECT_EQ(aim_deviation({1, 0, 0}, {0, 0, 0}), 0) << "at the same place";
}

RC_GTEST_PROP(AttentionValue, EveryMetricIsANumberFromZeroToOne, ()) {
    const auto any = [] {
        const auto scale = *rc::gen::inRange(-40, 40);
        return static_cast<double>(*rc::gen::inRange(-1000, 1000)) * std::pow(10.0, scale);
    };
    const double distance = std::abs(any());
    const double values[] = {proximity(distance, std::abs(any())), aim(any(), distance),
                             interaction_recency(Duration{*rc::gen::inRange<std::int64_t>(-9e9, 9e9)})};
    for (const double value : values) RC_ASSERT(value >= 0 && value <= 1);
}

TEST(AttentionValue, InfinitiesAndNoNumbersGiveNumbers) {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double odd : {inf, -inf, nan}) {
        for (const double value : {proximity(odd, 100), proximity(1, odd), aim(odd, 2), aim(0.1, odd)}) {
            EXPECT_GE(value, 0) << odd;
            EXPECT_LE(value, 1) << odd;
        }
    }
}

}  // namespace
}  // namespace fray
