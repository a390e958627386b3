#include "core/motion.hpp"

#include <gtest/gtest.h>

namespace fray {
namespace {

Replica moving(Duration age) {
    Replica replica{};
    replica.received.position = {10, 20, 0};
    replica.received.velocity = {100, -40, 0};
    replica.age = age;
    return replica;
}

TEST(DeadReckoning, GoesStraightOnForASecondAndNoFurther) {
    const World world;
    EXPECT_EQ(dead_reckon(moving(0s), world).position, (Vec3{10, 20, 0}));
    EXPECT_NEAR(dead_reckon(moving(500ms), world).position.x, 60, 1e-3);
    EXPECT_NEAR(dead_reckon(moving(500ms), world).position.y, 0, 1e-3);
    EXPECT_EQ(dead_reckon(moving(1s), world).position, dead_reckon(moving(10s), world).position);
    EXPECT_EQ(dead_reckon(moving(-5s), world).position, (Vec3{10, 20, 0}));
}

TEST(DeadReckoning, StaysInsideTheWorldOrWrapsAround) {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    Replica replica = moving(1s);
    EXPECT_EQ(dead_reckon(replica, world).position.x, 100);
    world.wrap_x = true;
    EXPECT_NEAR(dead_reckon(replica, world).position.x, 10, 1e-3);
    replica.received.velocity = {1e9F, 0, 0};
    const float far = dead_reckon(replica, world).position.x;
    EXPECT_GE(far, 0);
    EXPECT_LE(far, 100);
}

TEST(DeadReckoning, AMotionModelIsAskedInTicksAndTheRestGoesStraight) {
    World world;
    world.types = {EntityType::bare("jumper", [](const Pose& pose, std::span<const std::uint8_t>,
                                                 std::span<const std::uint8_t>, std::uint32_t ticks) {
        Pose jumped = pose;
        jumped.position.z += static_cast<float>(ticks);
        return jumped;
    })};
    const Pose pose = dead_reckon(moving(220ms), world);  // four ticks of 50 ms and 20 ms
    EXPECT_EQ(pose.position.z, 4);
    EXPECT_NEAR(pose.position.x, 12, 1e-3);
}

}  // namespace
}  // namespace fray
