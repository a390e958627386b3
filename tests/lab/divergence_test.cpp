#include "lab/metrics/divergence.hpp"

#include "lab/screen_logs.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

// 0 until 100 ms, then 1; the other is at 4 from 50 ms on, at 1 from 150 ms on.
const Trail kOne{{at_ms(0), along_x(0)}, {at_ms(100), along_x(1)}};
const Trail kOther{{at_ms(0), along_x(0)}, {at_ms(50), along_x(4)}, {at_ms(150), along_x(1)}};

TEST(StateDivergence, EveryDistanceCountsAsLongAsItLasts) {
    // 0 for 50 ms, 4 for 50 ms, 3 for 50 ms, 0 for 50 ms.
    EXPECT_NEAR(state_divergence(kOne, kOther, span_ms(0, 200)), (4 + 3) * 50 / 200.0, 1e-9);
    EXPECT_NEAR(state_divergence(kOther, kOne, span_ms(0, 200)), (4 + 3) * 50 / 200.0, 1e-9);
}

TEST(StateDivergence, OnlyTheSpanCounts) {
    EXPECT_NEAR(state_divergence(kOne, kOther, span_ms(60, 90)), 4, 1e-9);
    EXPECT_NEAR(state_divergence(kOne, kOther, span_ms(90, 130)), (4 * 10 + 3 * 30) / 40.0, 1e-9);
    EXPECT_EQ(state_divergence(kOne, kOther, span_ms(150, 900)), 0);
}

TEST(StateDivergence, TheLastFrameStaysOnTheScreen) {
    const Trail gone{{at_ms(0), along_x(4)}};
    EXPECT_NEAR(state_divergence(kOne, gone, span_ms(0, 1100)), (4 * 100 + 3 * 1000) / 1100.0, 1e-9);
}

TEST(StateDivergence, CountsFromWhereBothHaveBegun) {
    const Trail late{{at_ms(80), along_x(2)}};
    EXPECT_NEAR(state_divergence(kOne, late, span_ms(0, 120)), (2 * 20 + 1 * 20) / 40.0, 1e-9);
    EXPECT_NEAR(state_divergence(late, kOne, span_ms(0, 120)), (2 * 20 + 1 * 20) / 40.0, 1e-9);
}

TEST(StateDivergence, OfTwoFramesAtOnceTheLaterIsSeen) {
    const Trail twice{{at_ms(0), along_x(9)}, {at_ms(0), along_x(2)}};
    EXPECT_NEAR(state_divergence(kOne, twice, span_ms(0, 100)), 2, 1e-9);
}

TEST(StateDivergence, IsZeroWhereThereIsNothingToCompare) {
    EXPECT_EQ(state_divergence({}, kOne, span_ms(0, 100)), 0);
    EXPECT_EQ(state_divergence(kOne, {}, span_ms(0, 100)), 0);
    EXPECT_EQ(state_divergence(kOne, {{at_ms(100), along_x(7)}}, span_ms(0, 100)), 0);
    EXPECT_EQ(state_divergence(kOne, kOther, span_ms(80, 80)), 0);
}

Trail corner() {  // to (1, 0) in a second, to (1, 1) in another
    return {{at_ms(0), {0, 0, 0}}, {at_ms(1000), {1, 0, 0}}, {at_ms(2000), {1, 1, 0}}};
}

double shape_of(const Vec3& shown, std::int64_t ms) {
    return shape_divergence({{at_ms(ms), shown}}, corner(), span_ms(0, 10'000));
}

TEST(ShapeDivergence, IsTheDistanceToThePathWheneverThatWas) {
    EXPECT_NEAR(shape_of({0.25F, 0, 0}, 2000), 0, 1e-6);       // its position long ago
    EXPECT_NEAR(shape_of({0.25F, 0.5F, 0}, 2000), 0.5, 1e-6);  // beside the first leg
    EXPECT_NEAR(shape_of({1.25F, 0.5F, 0}, 2000), 0.25, 1e-6);
    EXPECT_NEAR(shape_of({4, -4, 0}, 2000), 5, 1e-6);  // the corner is nearest
    EXPECT_NEAR(shape_of({1, 1, 3}, 2000), 3, 1e-6);
}

TEST(ShapeDivergence, WhereItWillGoIsNotWhereItWas) {
    EXPECT_NEAR(shape_of({1, 0.75F, 0}, 1500), 0.25, 1e-6);
    EXPECT_NEAR(shape_of({1, 0.75F, 0}, 1750), 0, 1e-6);
    EXPECT_NEAR(shape_of({1, 4, 0}, 9000), 3, 1e-6);  // it stays at the end
}

TEST(ShapeDivergence, WhatIsOlderThanTwoSecondsIsForgotten) {
    EXPECT_NEAR(shape_of({0.25F, 0, 0}, 2250), 0, 1e-6);
    EXPECT_NEAR(shape_of({0.25F, 0, 0}, 2750), 0.5, 1e-6);  // the path begins at x = 0.75
}

TEST(ShapeDivergence, IsTheMeanOverTheFramesOfTheSpan) {
    const Trail shown{{at_ms(100), {0, 8, 0}}, {at_ms(500), {0, 2, 0}}, {at_ms(501), {0, 4, 0}}};
    EXPECT_NEAR(shape_divergence(shown, corner(), span_ms(500, 900)), 3, 1e-6);
}

TEST(ShapeDivergence, IsZeroWhereThereIsNothingToCompare) {
    const Trail shown{{at_ms(10), {7, 7, 7}}};
    EXPECT_EQ(shape_divergence({}, corner(), span_ms(0, 100)), 0);
    EXPECT_EQ(shape_divergence(shown, {}, span_ms(0, 100)), 0);
    EXPECT_EQ(shape_divergence(shown, corner(), span_ms(20, 100)), 0);
    EXPECT_EQ(shape_divergence(shown, {{at_ms(20), {1, 1, 1}}}, span_ms(0, 100)), 0);  // before the path
}

TEST(ShapeDivergence, AnEntityThatStandsStillHasAPathOfOnePoint) {
    const Trail still{{at_ms(0), {1, 2, 3}}, {at_ms(10), {1, 2, 3}}, {at_ms(20), {1, 2, 3}}};
    EXPECT_EQ(shape_divergence({{at_ms(30), {1, 2, 3}}}, still, span_ms(0, 100)), 0);
    EXPECT_NEAR(shape_divergence({{at_ms(15), {1, 2, 5}}}, still, span_ms(0, 100)), 2, 1e-6);
}

}  // namespace
}  // namespace fray::lab
