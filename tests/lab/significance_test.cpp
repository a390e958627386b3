#include "lab/metrics/significance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace fray::lab {
namespace {

// Hours of sleep gained with two drugs by the same ten patients: the example of Student's own paper (1908).
constexpr std::array kFirst{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
constexpr std::array kSecond{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

TEST(PairedTest, AgreesWithThePublishedExample) {
    EXPECT_NEAR(paired_p_value(kFirst, kSecond), 0.002833, 5e-7);  // t = -4.0621, as R's t.test says
    EXPECT_DOUBLE_EQ(paired_p_value(kFirst, kSecond), paired_p_value(kSecond, kFirst));
}

// Differences of mean + 1 and mean - 1, five times each, have a standard error of 1/3.
double p_of(double t) {
    std::array<double, 10> a{};
    std::array<double, 10> b{};
    for (std::size_t i = 0; i < a.size(); ++i) b[i] = 10, a[i] = 10 + t / 3 + (i % 2 == 0 ? 1 : -1);
    return paired_p_value(a, b);
}

TEST(PairedTest, TenPairsHaveTheNineDegreesOfTheTable) {
    EXPECT_NEAR(p_of(0), 1, 1e-12);
    EXPECT_NEAR(p_of(1.833), 0.1, 1e-4);
    EXPECT_NEAR(p_of(2.262), 0.05, 1e-4);
    EXPECT_NEAR(p_of(-2.262), 0.05, 1e-4);
    EXPECT_NEAR(p_of(3.250), 0.01, 1e-5);
    EXPECT_NEAR(p_of(4.781), 0.001, 1e-6);
}

TEST(PairedTest, WhatAllPairsShareDoesNotHideADifference) {
    std::array<double, 10> a = kFirst;
    std::array<double, 10> b = kSecond;
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] += 100.0 * static_cast<double>(i), b[i] += 100.0 * static_cast<double>(i);
    EXPECT_NEAR(paired_p_value(a, b), 0.002833, 5e-7);
}

TEST(PairedTest, SmallProbabilitiesAreNotRoundedToZero) {
    EXPECT_GT(p_of(1000), 0);
    EXPECT_LT(p_of(1000), 1e-20);
}

TEST(PairedTest, NoDifferenceIsCertainlyNoneAndAConstantOneCertainlyOne) {
    EXPECT_EQ(paired_p_value(kFirst, kFirst), 1);
    std::array<double, 10> zero{};
    std::array<double, 10> tenth{};
    tenth.fill(0.1);
    EXPECT_EQ(paired_p_value(tenth, zero), 0);
    EXPECT_EQ(paired_p_value(zero, tenth), 0);
}

TEST(PairedTest, OnePairSaysNothing) {
    EXPECT_EQ(paired_p_value(std::array{1.0}, std::array{2.0}), 1);
    EXPECT_EQ(paired_p_value({}, {}), 1);
}

TEST(SignificantlyDifferent, IsAProbabilityBelowAlpha) {
    EXPECT_TRUE(significantly_different(kFirst, kSecond, 0.05));
    EXPECT_TRUE(significantly_different(kFirst, kSecond, 0.0029));
    EXPECT_FALSE(significantly_different(kFirst, kSecond, 0.0028));
    EXPECT_FALSE(significantly_different(kFirst, kFirst, 0.05));
}

}  // namespace
}  // namespace fray::lab
