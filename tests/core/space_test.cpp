#include "core/space.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fray {
namespace {

/// From -20 to 80 along x, which may wrap, and from 0 to 100 along y, which does not.
World flat(bool wraps) {
    World world;
    world.low = {-20, 0, 0};
    world.high = {80, 100, 5};
    world.wrap_x = wraps;
    return world;
}

TEST(Inside, IsAtTheBorderOfAWorldThatDoesNotWrap) {
    const World world = flat(false);
    EXPECT_EQ(inside(world, {30, 40, 2}), (Vec3{30, 40, 2}));
    EXPECT_EQ(inside(world, {-21, 101, 6}), (Vec3{-20, 100, 5}));
    EXPECT_EQ(inside(world, {1e30F, -1e30F, -1}), (Vec3{80, 0, 0}));
}

TEST(Inside, ComesInAgainOnTheOtherSideOfAWorldThatWraps) {
    const World world = flat(true);
    EXPECT_EQ(inside(world, {81, 50, 0}), (Vec3{-19, 50, 0}));
    EXPECT_EQ(inside(world, {80, 50, 0}), (Vec3{-20, 50, 0})) << "the edges touch";
    EXPECT_EQ(inside(world, {-21, 50, 0}), (Vec3{79, 50, 0}));
    EXPECT_EQ(inside(world, {-20, 101, 0}), (Vec3{-20, 100, 0}));
    EXPECT_EQ(inside(world, {330, 50, 0}), (Vec3{30, 50, 0})) << "three times around";
    World tall = flat(false);
    tall.wrap_y = true;
    EXPECT_EQ(inside(tall, {81, 101, 0}), (Vec3{80, 1, 0}));
}

RC_GTEST_PROP(Inside, IsInTheWorldAndStaysWhereItIs, (bool wraps)) {
    const World world = flat(wraps);
    const auto any = [] { return static_cast<float>(*rc::gen::inRange(-40'000'000, 40'000'000)) / 997; };
    const Vec3 place = inside(world, {any(), any(), any()});
    RC_ASSERT(place.x >= world.low.x && place.x <= world.high.x);
    RC_ASSERT(place.y >= world.low.y && place.y <= world.high.y);
    RC_ASSERT(place.z >= world.low.z && place.z <= world.high.z);
    if (!wraps || place.x < world.high.x) RC_ASSERT(inside(world, place) == place);
}

RC_GTEST_PROP(TheWay, LeadsThereAndIsNeverLongerThanHalfTheWorld, (bool wraps)) {
    const World world = flat(wraps);
    const auto any = [] { return static_cast<float>(*rc::gen::inRange(-20'000, 80'000)) / 1000; };
    const Vec3 from{any(), any() + 20, 0};
    const Vec3 to{any(), any() + 20, 0};
    const Vec3 d = way(world, from, to);
    if (wraps) RC_ASSERT(d.x >= -50.001F && d.x <= 50.001F);
    RC_ASSERT(length(way(world, inside(world, from + d), to)) < 1e-3F);
    RC_ASSERT(length(d) <= length(to - from) + 1e-3F);
}

}  // namespace
}  // namespace fray
