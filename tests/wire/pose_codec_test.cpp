#include "wire/pose_codec.hpp"

#include "wire/class_code.hpp"
#include "wire/pose_tables.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace fray {
namespace {

float any_float(int low, int high) { return static_cast<float>(*rc::gen::inRange(low * 64, high * 64)) / 64; }

World any_world() {
    World world;
    world.low = {any_float(-5000, 0), any_float(-5000, 0), any_float(-500, 500)};
    world.high = {world.low.x + static_cast<float>(*rc::gen::inRange(1, 8000)),
                  world.low.y + static_cast<float>(*rc::gen::inRange(1, 8000)),
                  world.low.z + static_cast<float>(*rc::gen::element(0, 0, 1, 4096))};
    world.position_precision = *rc::gen::element(0.125F, 0.5F, 1.0F, 0.01F, 3.0F);
    world.velocity_limit = *rc::gen::element(0.0F, 10.0F, 1000.0F, 30'000.0F);
    world.velocity_precision = *rc::gen::element(1.0F, 0.25F, 0.1F, 7.0F);
    world.angle_bits = *rc::gen::inRange(0U, 17U);
    world.wrap_x = *rc::gen::arbitrary<bool>();
    world.wrap_y = *rc::gen::arbitrary<bool>();
    world.tick = Duration{*rc::gen::inRange(1'000, 200'000)};
    return world;
}

World checked_world() {
    World world = any_world();
    if (world.check()) return world;
    world.wrap_x = world.wrap_y = false;  // an extent that is no whole number of steps
    RC_ASSERT(world.check().has_value());
    return world;
}

Pose any_pose() {
    Pose pose;
    pose.position = {any_float(-6000, 6000), any_float(-6000, 6000), any_float(-6000, 6000)};
    const int speed = *rc::gen::element(1, 50, 40'000);
    pose.velocity = {any_float(-speed, speed), any_float(-speed, speed), any_float(-speed, speed)};
    pose.yaw = any_float(-400, 400);
    pose.pitch = any_float(-100, 100);
    return pose;
}

Duration any_elapsed() {
    return Duration{*rc::gen::element<std::int64_t>(-5, 0, 1, 50'000, 150'000, 10'000'000'000)};
}

/// A pose near the future of another one, as in a game.
Pose moved(Pose pose, Duration elapsed) {
    pose.position += pose.velocity * static_cast<float>(seconds(elapsed));
    pose.position += Vec3{any_float(-2, 2), any_float(-2, 2), any_float(-2, 2)};
    pose.velocity += Vec3{any_float(-20, 20), 0, any_float(-20, 20)};
    pose.yaw += any_float(-10, 10);
    return pose;
}

unsigned sum(const PoseCodec::FieldBits& bits) { return std::accumulate(bits.begin(), bits.end(), 0U); }

struct Memory {
    std::array<std::uint8_t, 64> bytes{};
    BitWriter out{bytes};
    [[nodiscard]] BitReader reader() {
        const std::size_t bits = out.bit_count();
        return BitReader{out.finish(), bits};
    }
};

RC_GTEST_PROP(PoseCodec, GridPosesComeBackFromFloatsExactly, ()) {
    const PoseCodec codec{checked_world()};
    const QuantisedPose pose = codec.quantise(any_pose());
    RC_ASSERT(codec.quantise(codec.restore(pose)) == pose);
}

RC_GTEST_PROP(PoseCodec, FullPosesComeBackExactly, ()) {
    const PoseCodec codec{checked_world()};
    const QuantisedPose pose = codec.quantise(any_pose());
    Memory memory;
    codec.write_full(memory.out, pose);
    RC_ASSERT(memory.out.bit_count() == sum(codec.full_bits()));
    BitReader in = memory.reader();
    RC_ASSERT(codec.read_full(in) == pose);
    RC_ASSERT(in.ok());
    RC_ASSERT(in.bits_left() == 0U);
}

RC_GTEST_PROP(PoseCodec, DeltasComeBackExactlyWhateverTheBaselineAndItsAge, ()) {
    const PoseCodec codec{checked_world()};
    const Duration elapsed = any_elapsed();
    const Pose before = any_pose();
    const QuantisedPose baseline = codec.quantise(before);
    const QuantisedPose value =
        codec.quantise(*rc::gen::arbitrary<bool>() ? any_pose() : moved(before, elapsed));
    Memory memory;
    codec.write_delta(memory.out, baseline, elapsed, value);
    RC_ASSERT(memory.out.bit_count() == sum(codec.delta_bits(baseline, elapsed, value)));
    BitReader in = memory.reader();
    RC_ASSERT(codec.read_delta(in, baseline, elapsed) == value);
    RC_ASSERT(in.ok());
    RC_ASSERT(in.bits_left() == 0U);
}

RC_GTEST_PROP(PoseCodec, AnyBytesAreRefusedOrTheOneSpellingOfAGridPose, (std::vector<std::uint8_t> bytes)) {
    const PoseCodec codec{checked_world()};
    const Duration elapsed = any_elapsed();
    const QuantisedPose baseline = codec.quantise(any_pose());
    BitReader in{bytes};
    const QuantisedPose pose = codec.read_delta(in, baseline, elapsed);
    RC_ASSERT(codec.quantise(codec.restore(pose)) == pose);  // on the grid, even after a failure
    RC_CLASSIFY(in.ok());
    if (!in.ok()) return;
    Memory memory;
    codec.write_delta(memory.out, baseline, elapsed, pose);
    RC_ASSERT(memory.out.bit_count() == in.position());
    BitReader a{bytes, in.position()};
    BitReader b = memory.reader();
    while (a.bits_left() > 0) RC_ASSERT(a.boolean() == b.boolean());
}

RC_GTEST_PROP(PoseCodec, AnyBytesOfAFullPoseStayOnTheGrid, (std::vector<std::uint8_t> bytes)) {
    const PoseCodec codec{checked_world()};
    BitReader in{bytes};
    const QuantisedPose pose = codec.read_full(in);
    RC_ASSERT(codec.quantise(codec.restore(pose)) == pose);
}

TEST(PoseCodec, AFlatWorldWithoutAnglesPaysForTwoAxesOnly) {
    World world;
    world.low.z = world.high.z = 12;
    world.angle_bits = 0;
    const PoseCodec codec{world};
    const Pose pose{.position = {1, 2, 3}, .velocity = {4, 5, 6}, .yaw = 90, .pitch = 45};
    EXPECT_EQ(codec.full_bits(), (PoseCodec::FieldBits{12, 12, 0, 15, 15, 0, 0, 0}));
    const PoseCodec::FieldBits bits = codec.delta_bits({}, 50ms, codec.quantise(pose));
    EXPECT_EQ(bits[PoseCodec::kVz] + bits[PoseCodec::kZ] + bits[PoseCodec::kYaw] + bits[PoseCodec::kPitch],
              0U);
    EXPECT_EQ(codec.restore(codec.quantise(pose)), (Pose{.position = {1, 2, 12}, .velocity = {4, 5, 0}}));
}

TEST(PoseCodec, AConstantVelocityCostsLittleHoweverFast) {
    const PoseCodec codec{World{}};
    const Pose before{.position = {-500, 100, 30}, .velocity = {300, -700, 0}, .yaw = 10};
    Pose after = before;
    after.position += before.velocity * 0.15F;
    EXPECT_LE(sum(codec.delta_bits(codec.quantise(before), 150ms, codec.quantise(after))), 16U);
}

TEST(PoseCodec, FreeFallIsPredictedOnceTheVelocityIsKnown) {
    const PoseCodec codec{World{}};
    const Pose before{.position = {0, 0, 500}, .velocity = {0, 0, -100}};
    Pose after = before;
    after.velocity.z = -220;
    after.position.z += -160 * 0.15F;
    const PoseCodec::FieldBits bits = codec.delta_bits(codec.quantise(before), 150ms, codec.quantise(after));
    EXPECT_EQ(bits[PoseCodec::kZ], 1U);
}

TEST(PoseCodec, TheWayOverTheEdgeIsShort) {
    World world;
    world.wrap_x = true;
    const PoseCodec codec{world};
    const QuantisedPose left = codec.quantise({.position = {-1024, 0, 0}});
    const QuantisedPose right = codec.quantise({.position = {1023.5F, 0, 0}});
    EXPECT_EQ(codec.quantise({.position = {1024, 0, 0}}), left);
    EXPECT_EQ(codec.quantise({.position = {1025, 0, 0}}).x, 8);
    EXPECT_LE(codec.delta_bits(left, 50ms, right)[PoseCodec::kX], 10U);
    EXPECT_GE(codec.delta_bits(left, 50ms, right)[PoseCodec::kX], 4U);
}

TEST(PoseCodec, YawTurnsTheShortWay) {
    const PoseCodec codec{World{}};
    const QuantisedPose a = codec.quantise({.yaw = 359.6F});
    const QuantisedPose b = codec.quantise({.yaw = 0.7F});
    EXPECT_EQ(codec.delta_bits(a, 50ms, b)[PoseCodec::kYaw], 6U);  // a difference of three steps
}

TEST(PoseCodec, NonsenseFromTheGameIsClamped) {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const PoseCodec codec{World{}};
    const Pose pose = codec.restore(codec.quantise({.position = {kNaN, kInfinity, -kInfinity},
                                                    .velocity = {kNaN, kInfinity, -1e30F},
                                                    .yaw = kNaN,
                                                    .pitch = 1e30F}));
    EXPECT_EQ(pose,
              (Pose{.position = {-1024, 1024, -1024}, .velocity = {0, 1024, -1024}, .yaw = 0, .pitch = 90}));
}

TEST(PoseCodec, AnOverflowingWriterIsNoticed) {
    const PoseCodec codec{World{}};
    std::array<std::uint8_t, 5> bytes{};
    BitWriter out{bytes};
    codec.write_full(out, {});
    EXPECT_TRUE(out.overflowed());
}

RC_GTEST_PROP(ClassCode, EveryNumberComesBackWithItsClass, ()) {
    const auto shift = *rc::gen::inRange(0U, 31U);
    const std::int64_t number = *rc::gen::arbitrary<std::int32_t>() >> shift;
    Memory memory;
    const unsigned written = pose_tables::kVx.write(memory.out, number);
    const std::size_t bits = memory.out.bit_count();
    RC_ASSERT(bits == pose_tables::kVx.bits(written));
    BitReader in = memory.reader();
    std::int64_t back = 0;
    unsigned used = 0;
    RC_ASSERT(pose_tables::kVx.read(in.peek(), used, back) == written);
    RC_ASSERT(used == bits);
    RC_ASSERT(back == (written == kLargeClass ? 0 : number));
}

TEST(ClassCode, OnlyLengthsThatFillTheCodeSpaceAreComplete) {
    EXPECT_TRUE(ClassCode({4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}).complete());
    EXPECT_FALSE(
        ClassCode({4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5}).complete());  // bits without meaning
    EXPECT_FALSE(ClassCode({3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}).complete());  // too many
    EXPECT_FALSE(
        ClassCode({1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 9, 9, 9, 9, 9}).complete());  // classes without a code
}

}  // namespace
}  // namespace fray
