#include <fray/time.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace fray {
namespace {

TEST(FromSeconds, RoundsTowardsZeroToMicroseconds) {
    EXPECT_EQ(from_seconds(1.5), 1'500ms);
    EXPECT_EQ(from_seconds(0.0000019), 1us);
    EXPECT_EQ(from_seconds(-0.0000019), -1us);
    EXPECT_EQ(from_seconds(0), 0us);
}

TEST(FromSeconds, OfWhatNoDurationHoldsIsTheNearestOne) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double huge : {1e13, 1e300, kInfinity}) {
        EXPECT_EQ(from_seconds(huge), Duration::max());
        EXPECT_EQ(from_seconds(-huge), Duration::min());
    }
    EXPECT_EQ(from_seconds(std::numeric_limits<double>::quiet_NaN()), 0us);
    static_assert(from_seconds(9e12) == Duration{9'000'000'000'000'000'000});
}

}  // namespace
}  // namespace fray
