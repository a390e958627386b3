#include "games/panzer/bots/face.hpp"

#include <gtest/gtest.h>

namespace fray::panzer {
namespace {

TEST(Face, TurnsNoFasterThanTheGivenRateAndTheShorterWay) {
    const Angle from = degrees(350);
    const Angle wanted = degrees(20);
    Angle turret = from;
    int steps_taken = 0;
    while (turret != wanted && steps_taken < 100) {
        const Angle next = face(turret, wanted, 90);
        EXPECT_LE(aim_error(next, turret), 90 * kStep + 0.01F);
        EXPECT_LT(aim_error(next, wanted), aim_error(turret, wanted));
        turret = next;
        ++steps_taken;
    }
    EXPECT_NEAR(steps_taken, 20, 1) << "30 degrees at 90 a second";
}

TEST(Face, PointsAtTheTargetWithTheDeviation) {
    const Vec2 from{10, 10};
    EXPECT_NEAR(in_degrees(bearing_of(from, {10, 30})), 90, 0.1F);
    EXPECT_NEAR(in_degrees(bearing_of(from, {10, 30}, static_cast<std::int16_t>(degrees(12)))), 102, 0.1F);
    EXPECT_NEAR(in_degrees(bearing_of(from, {10, 30}, static_cast<std::int16_t>(-degrees(12)))), 78, 0.1F);
}

}  // namespace
}  // namespace fray::panzer
