#include "games/any_keys.hpp"
#include "games/snagger/rules/game.hpp"
#include "games/snagger/rules/net.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fray::snagger {
namespace {

constexpr Vec3 kFirst{40, 40, 0};
constexpr Vec3 kSecond{60, 40, 0};

float longest_mesh(const Net& net, const Vec3& first, const Vec3& second) {
    float longest = distance(net.knots.back(), second);
    Vec3 from = first;
    for (const Vec3& knot : net.knots) {
        longest = std::max(longest, distance(from, knot));
        from = knot;
    }
    return longest;
}

TEST(SnaggerNet, IsLaidOutAtItsFullLength) {
    const Net net = lay_net(kFirst, kSecond);
    EXPECT_NEAR(longest_mesh(net, kFirst, kSecond), kMesh, 1e-4F);
    EXPECT_LT(net.knots[kKnots / 2].y, 25);
    EXPECT_EQ(net.knots[kKnots / 2].x, 50);
}

TEST(SnaggerNet, LiesStillWhereNobodyPulls) {
    const Vec3 nearer{45, 35, 0};  // than the net is long
    Net net = lay_net(nearer, {55, 35, 0});
    const Net before = net;
    for (int i = 0; i < 60; ++i) net = drag(net, {46, 34, 0}, {54, 34, 0});
    for (std::size_t i = 0; i < kKnots; ++i) EXPECT_LT(distance(net.knots[i], before.knots[i]), 0.01F) << i;
}

TEST(SnaggerNet, FollowsInTheShipsWake) {
    Vec3 first{20, 10, 0};
    Vec3 second{35, 10, 0};
    Net net = lay_net(first, second);
    for (int i = 0; i < 240; ++i) {
        first.y += 0.2F;
        second.y += 0.2F;
        net = drag(net, first, second);
        ASSERT_LT(longest_mesh(net, first, second), kMesh + 0.5F);
    }
    EXPECT_TRUE(std::all_of(net.knots.begin(), net.knots.end(),
                            [&](const Vec3& knot) { return knot.y < first.y && knot.y > first.y - 20; }));
    EXPECT_TRUE(encloses(net, first, second, {27.5F, first.y - 5, 0}));
    EXPECT_FALSE(encloses(net, first, second, {27.5F, first.y + 1, 0}));
}

TEST(SnaggerNet, IsStretchedEvenlyAndHoldsNothingWhenTheShipsAreFarApart) {
    const Vec3 first{10, 30, 0};
    const Vec3 second{90, 30, 0};
    Net net = lay_net(kFirst, kSecond);
    for (int i = 0; i < 60; ++i) net = drag(net, first, second);
    EXPECT_NEAR(longest_mesh(net, first, second), 80.0F / (kKnots + 1), 0.01F);
    for (float x = 5; x < 95; x += 5) EXPECT_FALSE(encloses(net, first, second, {x, 30.5F, 0}));
}

TEST(SnaggerNet, HoldsWhatIsInTheLoopAndNothingElse) {
    const Net net = lay_net(kFirst, kSecond);  // a V from (40, 40) by (50, 22.7) to (60, 40)
    EXPECT_TRUE(encloses(net, kFirst, kSecond, {50, 39, 0}));
    EXPECT_TRUE(encloses(net, kFirst, kSecond, {50, 24, 0}));
    EXPECT_TRUE(encloses(net, kFirst, kSecond, {42, 39, 0}));
    EXPECT_FALSE(encloses(net, kFirst, kSecond, {50, 41, 0}));
    EXPECT_FALSE(encloses(net, kFirst, kSecond, {42, 30, 0}));
    EXPECT_FALSE(encloses(net, kFirst, kSecond, {50, 22, 0}));
}

TEST(SnaggerNet, HoldsBothHalvesOfALoopThatCrossesItself) {
    Net net = lay_net(kFirst, kSecond);
    // The ships have changed sides: the loop is an eight, its crossing half way down the V.
    EXPECT_TRUE(encloses(net, kSecond, kFirst, {50, 25, 0}));
    EXPECT_TRUE(encloses(net, kSecond, kFirst, {50, 39.5F, 0}));
    EXPECT_FALSE(encloses(net, kSecond, kFirst, {30, 30, 0}));
}

RC_GTEST_PROP(SnaggerNet, IsBetweenTheEdgesAndNotLongerThanTheShipsPullIt, ()) {
    Game game = start(Seed{1});
    for (const Inputs& inputs : any_keys()) {
        game = step(game, inputs);
        const Vec3& first = game.ships[0].pose.position;
        const Vec3& second = game.ships[1].pose.position;
        const float taut = distance(first, second) / (kKnots + 1);
        RC_ASSERT(longest_mesh(game.net, first, second) <= std::max(kMesh, taut) + 1);
        for (const Vec3& knot : game.net.knots) RC_ASSERT(inside_screen(knot) == knot);
    }
}

}  // namespace
}  // namespace fray::snagger
