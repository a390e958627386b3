#include "overlay/sectors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace fray {
namespace {

TEST(Sectors, CutTheFullTurnIntoEqualParts) {
    for (const unsigned count : {1U, 2U, 3U, 8U, 13U, 64U}) {
        const Sectors sectors{count};
        for (int i = 0; i < 3600; ++i) {
            const double angle = (i + 0.37) * 6.283185307179586 / 3600;
            const Vec3 offset{static_cast<float>(1000 * std::cos(angle)),
                              static_cast<float>(1000 * std::sin(angle)), 5};
            EXPECT_EQ(sectors.of(offset), static_cast<unsigned>((i + 0.37) * count / 3600))
                << count << ", " << i;
        }
        EXPECT_EQ(sectors.of({}), 0U);
    }
}

TEST(Sectors, TheShorterWayIsTakenWhereTheWorldWraps) {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    EXPECT_EQ(way(world, {5, 5, 0}, {95, 5, 0}), (Vec3{90, 0, 0}));
    world.wrap_x = true;
    EXPECT_EQ(way(world, {5, 5, 0}, {95, 5, 0}), (Vec3{-10, 0, 0}));
    EXPECT_EQ(way(world, {95, 5, 0}, {5, 5, 0}), (Vec3{10, 0, 0}));
}

TEST(Sectors, EveryOffsetHasOneThoughItIsNoNumberOrEndless) {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    constexpr float kEndless = std::numeric_limits<float>::infinity();
    constexpr float kLargest = std::numeric_limits<float>::max();
    constexpr float kLeast = std::numeric_limits<float>::denorm_min();
    constexpr std::array kNumbers{kNone,  kEndless, -kEndless, kLargest, -kLargest,
                                  kLeast, -kLeast,  0.0F,      -0.0F,    1.0F};
    for (unsigned count = 1; count <= 64; ++count) {
        const Sectors sectors{count};
        for (const float x : kNumbers) {
            for (const float y : kNumbers) {
                const unsigned sector = sectors.of({x, y, kNone});
                EXPECT_LT(sector, count) << x << ", " << y;
                if (std::isnan(x) || std::isnan(y) || (std::isinf(x) && std::isinf(y))) {
                    EXPECT_EQ(sector, 0U) << "no direction: " << x << ", " << y;
                }
            }
        }
        EXPECT_EQ(sectors.of({kLargest, -kLeast, 0}), count - 1);
    }
    EXPECT_EQ(Sectors{8}.of({-kEndless, 1, 0}), 4U) << "which has a direction";
}

}  // namespace
}  // namespace fray
