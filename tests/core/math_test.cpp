#include "core/math.hpp"

#include <fray/fingerprint.hpp>
#include <fray/geometry.hpp>
#include <fray/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fray {
namespace {

constexpr int kDraws = 20'000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Relative to the larger of the value and `scale`, below which results are differences of larger numbers.
double error(double ours, double exact, double scale) {
    return std::fabs(ours - exact) / std::max(std::fabs(exact), scale);
}

TEST(Math, SineAndCosineAreAccurateUpToAMillion) {
    RandomStream random{Seed{1}, "trigonometry"};
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.uniform(-1, 1) * (i % 2 == 0 ? 10.0 : 1e6);
        ASSERT_LT(error(math::sin(x), std::sin(x), 1e-3), 1e-12) << x;
        ASSERT_LT(error(math::cos(x), std::cos(x), 1e-3), 1e-12) << x;
    }
    EXPECT_EQ(math::sin(0), 0);
    EXPECT_EQ(math::cos(0), 1);
}

TEST(Math, HugeAnglesStayInRangeAndNonsenseIsNaN) {
    for (const double x : {1e10, -1e12, 1e15}) EXPECT_LE(std::fabs(math::sin(x)), 1.001) << x;
    EXPECT_TRUE(std::isnan(math::sin(kInfinity)));
    EXPECT_TRUE(std::isnan(math::cos(std::nan(""))));
}

TEST(Math, ExponentialIsAccurateOverItsWholeRange) {
    RandomStream random{Seed{2}, "exp"};
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.uniform(-700, 709);
        ASSERT_LT(error(math::exp(x), std::exp(x), 0), 1e-12) << x;
    }
    EXPECT_EQ(math::exp(0), 1);
    EXPECT_EQ(math::exp(710), kInfinity);
    EXPECT_EQ(math::exp(-800), 0);
    EXPECT_GT(math::exp(-744), 0);
    EXPECT_EQ(math::exp(-kInfinity), 0);
}

TEST(Math, LogarithmIsAccurateOverItsWholeRange) {
    RandomStream random{Seed{3}, "log"};
    for (int i = 0; i < kDraws; ++i) {
        const double x = i % 2 == 0 ? std::exp(random.uniform(-700, 700)) : random.uniform(0.5, 2);
        ASSERT_LT(error(math::log(x), std::log(x), 1e-3), 1e-12) << x;
    }
    EXPECT_EQ(math::log(1), 0);
    EXPECT_LT(error(math::log(5e-324), std::log(5e-324), 0), 1e-12);
    EXPECT_EQ(math::log(0), -kInfinity);
    EXPECT_EQ(math::log(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(math::log(-1)));
}

TEST(Math, PowerIsAccurateAndKnowsSigns) {
    RandomStream random{Seed{4}, "pow"};
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.uniform(0.01, 100);
        const double y = random.uniform(-20, 20);
        ASSERT_LT(error(math::pow(x, y), std::pow(x, y), 0), 1e-12) << x << " " << y;
    }
    EXPECT_NEAR(math::pow(-2, 3), -8, 1e-11);
    EXPECT_NEAR(math::pow(-2, 4), 16, 1e-11);
    EXPECT_TRUE(std::isnan(math::pow(-2, 0.5)));
    EXPECT_EQ(math::pow(0, 2), 0);
    EXPECT_EQ(math::pow(0, -1), kInfinity);
    EXPECT_EQ(math::pow(5, 0), 1);
}

TEST(Math, ArcTangentIsAccurateInAllQuadrants) {
    RandomStream random{Seed{5}, "atan"};
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.uniform(-1, 1);
        const double y = random.uniform(-1, 1);
        ASSERT_LT(error(math::atan2(y, x), std::atan2(y, x), 1e-6), 1e-12) << y << " " << x;
    }
    EXPECT_EQ(math::atan2(0, 0), 0);
    EXPECT_DOUBLE_EQ(math::atan2(1, 0), math::kPi / 2);
    EXPECT_DOUBLE_EQ(math::atan2(-1, 0), -math::kPi / 2);
    EXPECT_DOUBLE_EQ(math::atan2(0, -1), math::kPi);
    EXPECT_DOUBLE_EQ(math::atan2(kInfinity, kInfinity), math::kPi / 4);
}

TEST(Math, GivesTheSameBitsWithEveryCompiler) {
    Fingerprint sum;
    for (int i = 1; i <= 1000; ++i) {
        const double x = i * 0.37;
        sum.add(math::sin(x)).add(math::cos(x)).add(math::exp(x * 0.1)).add(math::log(x));
        sum.add(math::pow(x, 1.7)).add(math::atan2(x - 150, 20 - x));
    }
    EXPECT_EQ(sum.hex(), "10a54a57fc5294f8");
}

TEST(Geometry, LengthAndDistance) {
    EXPECT_FLOAT_EQ(length({2, 3, 6}), 7);
    EXPECT_FLOAT_EQ(distance({1, 1, 1}, {3, 4, 7}), 7);
    EXPECT_FLOAT_EQ(dot({1, 2, 3}, {4, 5, 6}), 32);
    EXPECT_EQ((Vec3{1, 2, 3} - Vec3{1, 1, 1}) * 2, (Vec3{0, 2, 4}));
}

}  // namespace
}  // namespace fray
