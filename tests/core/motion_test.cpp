#include "core/motion.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

Pose moving() { return {.position = {10, 20, 0}, .velocity = {100, -40, 0}}; }

TEST(GoingOn, StaysInsideTheWorldOrWrapsAround) {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    const auto x_after = [&](const Pose& pose) { return go_on(world, {}, pose, {}, {}, 1s).position.x; };
    EXPECT_EQ(x_after(moving()), 100);
    world.wrap_x = true;
    EXPECT_NEAR(x_after(moving()), 10, 1e-3);
    Pose fast = moving();
    fast.velocity = {1e9F, 0, 0};
    EXPECT_GE(x_after(fast), 0);
    EXPECT_LE(x_after(fast), 100);
}

TEST(GoingOn, AMotionModelIsAskedInTicksAndTheRestGoesStraight) {
    World world;
    world.types = {EntityType::bare("jumper", [](const Pose& pose, std::span<const std::uint8_t>,
                                                 std::span<const std::uint8_t>, std::uint32_t ticks) {
        Pose jumped = pose;
        jumped.position.z += static_cast<float>(ticks);
        return jumped;
    })};
    const Pose pose = go_on(world, {}, moving(), {}, {}, 220ms);  // four ticks of 50 ms and 20 ms
    EXPECT_EQ(pose.position.z, 4);
    EXPECT_NEAR(pose.position.x, 12, 1e-3);
}

TEST(GoingOn, IsStraightWhereThereIsNoModelAndLeavesThePoseWhereNoTimePasses) {
    const World world;
    Pose pose;
    pose.position = {1, 2, 3};
    pose.velocity = {10, 0, -4};
    pose.yaw = 77;
    EXPECT_EQ(go_on(world, {}, pose, {}, {}, 0s), pose);
    const Pose later = go_on(world, {}, pose, {}, {}, 500ms);
    EXPECT_EQ(later.position, (Vec3{6, 2, 1}));
    EXPECT_EQ(later.velocity, pose.velocity);
    EXPECT_EQ(later.yaw, 77);
}

TEST(GoingOn, GivesTheModelPayloadAndInputAndGoesOnWithItsVelocity) {
    World world;
    world.types.push_back(
        EntityType::bare("told", [](const Pose& pose, std::span<const std::uint8_t> payload,
                                    std::span<const std::uint8_t> input, std::uint32_t ticks) {
            Pose after = pose;
            after.velocity = {static_cast<float>(payload[0]), static_cast<float>(input[0]), 0};
            after.position.z = static_cast<float>(ticks);
            return after;
        }));
    const std::vector<std::uint8_t> payload{100};
    const std::vector<std::uint8_t> input{50};
    const Pose later = go_on(world, EntityTypeId{1}, Pose{}, payload, input, 170ms);
    EXPECT_EQ(later.position.z, 3) << "ticks of 50 ms";
    EXPECT_NEAR(later.position.x, 100 * 0.020, 1e-4) << "the rest";
    EXPECT_NEAR(later.position.y, 50 * 0.020, 1e-4);
    EXPECT_EQ(go_on(world, EntityTypeId{0}, Pose{}, payload, input, 170ms).position, Vec3{});
}

TEST(Between, IsTheFirstPoseAtZeroAndTheSecondAtOne) {
    const World world;
    Pose first{.position = {1, 2, 3}, .velocity = {4, 5, 6}, .yaw = 10, .pitch = -20};
    Pose second{.position = {5, 6, 7}, .velocity = {8, 7, 6}, .yaw = 90, .pitch = 40};
    EXPECT_EQ(between(world, first, second, 0), first);
    EXPECT_EQ(between(world, first, second, 1), second);
    const Pose quarter = between(world, first, second, 0.25F);
    EXPECT_EQ(quarter, (Pose{.position = {2, 3, 4}, .velocity = {5, 5.5F, 6}, .yaw = 30, .pitch = -5}));
}

TEST(Between, TurnsTheShorterWay) {
    const World world;
    const auto yaw = [&](float a, float b, float share) {
        Pose first;
        Pose second;
        first.yaw = a;
        second.yaw = b;
        return between(world, first, second, share).yaw;
    };
    EXPECT_EQ(yaw(359, 1, 0.25F), 359.5F);
    EXPECT_EQ(yaw(359, 1, 0.5F), 0);
    EXPECT_EQ(yaw(1, 359, 0.75F), 359.5F);
    EXPECT_EQ(yaw(90, 200, 0.5F), 145);
    EXPECT_EQ(yaw(200, 90, 0.5F), 145);
    EXPECT_EQ(yaw(1e-7F, 350, 1e-8F), 0) << "rounding never gives a full turn";
    for (int a = 0; a < 360; a += 7) {
        for (int b = 0; b < 360; b += 11) {
            for (const float share : {0.0F, 0.3F, 0.5F, 0.9F, 1.0F}) {
                const float y = yaw(static_cast<float>(a), static_cast<float>(b), share);
                ASSERT_GE(y, 0);
                ASSERT_LT(y, 360);
            }
        }
    }
}

}  // namespace
}  // namespace fray
