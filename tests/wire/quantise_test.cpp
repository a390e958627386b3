#include <fray/quantise.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace fray {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Range any_range() {
    const float low = static_cast<float>(*rc::gen::inRange(-100'000, 100'000)) / 8;
    const float extent = static_cast<float>(*rc::gen::inRange(0, 100'000)) / 16;
    const float precision = static_cast<float>(*rc::gen::inRange(1, 1000)) / 100;
    return {low, low + extent, precision};
}

float inside(const Range& range) {
    const float part = static_cast<float>(*rc::gen::inRange(0, 10'001)) / 10'000;
    return range.low + (range.high - range.low) * part;
}

RC_GTEST_PROP(Range, ValuesComeBackWithinHalfThePrecision, ()) {
    const Range range = any_range();
    const float value = inside(range);
    const float back = range.restore(range.quantise(value));
    RC_ASSERT(std::fabs(double{back} - value) <=
              double{range.precision} * 0.5 + 1e-2 * double{range.precision});
    RC_ASSERT(back >= range.low);
    RC_ASSERT(back <= range.high);
}

RC_GTEST_PROP(Range, StepsComeBackExactly, ()) {
    const Range range = any_range();
    const auto step = *rc::gen::inRange<std::uint32_t>(0, range.steps() + 1);
    RC_ASSERT(range.quantise(range.restore(step)) == step);
    RC_ASSERT(bits_for(step) <= range.bits());
}

TEST(Range, ZeroExtentCostsNothing) {
    const Range flat{5, 5, 0.125F};
    EXPECT_EQ(flat.steps(), 0U);
    EXPECT_EQ(flat.bits(), 0U);
    EXPECT_EQ(flat.quantise(77), 0U);
    EXPECT_EQ(flat.restore(0), 5);
}

TEST(Range, OutsideIsClampedAndNaNIsTheLowBound) {
    const Range range{-10, 10, 0.5F};
    EXPECT_EQ(range.bits(), 6U);
    EXPECT_EQ(range.restore(range.quantise(1000)), 10);
    EXPECT_EQ(range.restore(range.quantise(kInfinity)), 10);
    EXPECT_EQ(range.restore(range.quantise(-1000)), -10);
    EXPECT_EQ(range.restore(range.quantise(-kInfinity)), -10);
    EXPECT_EQ(range.restore(range.quantise(std::nanf(""))), -10);
}

TEST(Range, TheLastStepReachesTheHighBoundEvenIfThePrecisionDoesNotDivideTheExtent) {
    const Range range{0, 10, 3};
    EXPECT_EQ(range.steps(), 3U);
    EXPECT_EQ(range.restore(3), 9);
    const Range longer{0, 11, 3};
    EXPECT_EQ(longer.steps(), 4U);
    EXPECT_EQ(longer.restore(4), 11);
}

RC_GTEST_PROP(Angle, ComesBackWithinHalfAStep, ()) {
    const auto bits = *rc::gen::inRange(1U, 17U);
    const float degrees = static_cast<float>(*rc::gen::inRange(-100'000, 100'000)) / 64;
    const float back = restore_angle(quantise_angle(degrees, bits), bits);
    RC_ASSERT(back >= 0.0F);
    RC_ASSERT(back < 360.0F);
    const double off = std::remainder(double{back} - degrees, 360.0);
    RC_ASSERT(std::fabs(off) <= 180.0 / (1U << bits) + 1e-4);
}

RC_GTEST_PROP(Angle, StepsComeBackExactly, ()) {
    const auto bits = *rc::gen::inRange(1U, 17U);
    const auto step = *rc::gen::inRange<std::uint32_t>(0, 1U << bits);
    RC_ASSERT(quantise_angle(restore_angle(step, bits), bits) == step);
}

TEST(Angle, AFullTurnIsZeroAndNonsenseToo) {
    EXPECT_EQ(quantise_angle(360, 10), 0U);
    EXPECT_EQ(quantise_angle(-360, 10), 0U);
    EXPECT_EQ(quantise_angle(359.99F, 10), 0U);
    EXPECT_EQ(quantise_angle(-90, 10), 768U);
    EXPECT_EQ(quantise_angle(kInfinity, 10), 0U);
    EXPECT_EQ(quantise_angle(std::nanf(""), 10), 0U);
    EXPECT_EQ(quantise_angle(3e38F, 10), quantise_angle(3e38F, 10));
}

}  // namespace
}  // namespace fray
