#include <fray/random.hpp>
#include <fray/world.hpp>

#include "wire/corpus.hpp"
#include "wire/corpus_json.hpp"
#include "wire/pose_codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <string>
#include <utility>

namespace fray {
namespace {

World large_world() {
    World world;
    world.low = {-4096, -4096, -4096};
    world.high = {4096, 4096, 4096};
    world.velocity_limit = 40'000;
    world.angle_bits = 16;
    return world;
}

/// A number of this class, with some sign and low bits.
std::int32_t number_of_class(RandomStream& random, unsigned number_class) {
    if (number_class == 0) return 0;
    const std::uint32_t size = (1U << (number_class - 1)) | random.below(1U << (number_class - 1));
    return random.chance(0.5) ? -static_cast<std::int32_t>(size) : static_cast<std::int32_t>(size);
}

std::string delta_arguments(const QuantisedPose& old, Duration elapsed) {
    return "[" + json(old) + ", " + std::to_string(micros(elapsed)) + "]";
}

TEST(Corpus, EveryClassOfEveryCode) {
    const World world = large_world();
    const PoseCodec codec{world};
    Corpus corpus{"pose_classes", "pose_delta", json(world)};
    RandomStream random{Seed{1}, "classes"};
    constexpr std::array<unsigned, 6> kVelocityClass{0, 2, 3, 6, 9, 15};
    for (unsigned i = 0; i < 16 * kVelocityClass.size(); ++i) {
        const unsigned c = i % 16;
        QuantisedPose old{32768, 32768, 32768, 0, 0, static_cast<std::int32_t>(i / 16 % 2) * 5, 32768, 16384};
        QuantisedPose now = old;
        now.vx += number_of_class(random, i / 16 == 1   ? 1 + i % 2
                                          : i / 16 == 5 ? 7 + i % 9
                                                        : kVelocityClass[i / 16]);
        now.vy += number_of_class(random, c);
        now.vz += number_of_class(random, i / 16 >= 4 ? 0 : 1 + (c + 3) % 15);
        now.x += number_of_class(random, c);
        now.y += number_of_class(random, (i * 7) % 16);
        now.z += number_of_class(random, c);
        now.yaw = static_cast<std::uint16_t>(now.yaw + number_of_class(random, c));
        // Half of its range is the only change of pitch in the largest class.
        now.pitch = static_cast<std::uint16_t>(c == 15 ? 32768 : now.pitch + number_of_class(random, c));
        // No time passes, so the predicted position is the old one.
        corpus.add(delta_arguments(old, 0ms), json(now),
                   [&](BitWriter& out) { codec.write_delta(out, old, 0ms, now); });
    }
    corpus.check();
}

Pose random_pose(RandomStream& random, const World& world) {
    Pose pose;
    const auto within = [&](float low, float high) { return static_cast<float>(random.uniform(low, high)); };
    pose.position = {within(world.low.x, world.high.x), within(world.low.y, world.high.y),
                     within(world.low.z, world.high.z)};
    pose.velocity = {within(-400, 400), within(-400, 400), within(-400, 400)};
    pose.yaw = within(0, 360);
    pose.pitch = within(-90, 90);
    return pose;
}

void check_poses(const std::string& name, const World& world) {
    ASSERT_TRUE(world.check());
    const PoseCodec codec{world};
    Corpus full{name + "_full", "pose_full", json(world)};
    Corpus delta{name + "_delta", "pose_delta", json(world)};
    RandomStream random{Seed{1}, name};
    for (int i = 0; i < 24; ++i) {
        const Pose before = random_pose(random, world);
        const Duration elapsed{
            std::array{50'000, 150'000, 20'000, 0, -7, 9'000'000}[static_cast<std::size_t>(i % 6)]};
        Pose after = before;
        const auto change = [&] { return static_cast<float>(random.normal(0, i % 2 == 0 ? 10 : 300)); };
        after.velocity += Vec3{change(), change(), change()};
        after.position += (before.velocity + after.velocity) * static_cast<float>(seconds(elapsed) / 2);
        after.yaw += change();
        const QuantisedPose old = codec.quantise(before);
        const QuantisedPose now = codec.quantise(after);
        full.add("[]", json(now), [&](BitWriter& out) { codec.write_full(out, now); });
        delta.add(delta_arguments(old, elapsed), json(now),
                  [&](BitWriter& out) { codec.write_delta(out, old, elapsed, now); });
    }
    full.check();
    delta.check();
}

TEST(Corpus, PosesInSpace) { check_poses("pose_space", large_world()); }

TEST(Corpus, PosesOnARound) {
    World world;
    world.low = {0, -100, 3};
    world.high = {512.5F, 28.5F, 3};  // 1025 and 257 steps: one less would need a bit less
    world.position_precision = 0.5F;
    world.velocity_precision = 0.25F;
    world.angle_bits = 0;
    world.wrap_x = world.wrap_y = true;
    world.tick = 30ms;
    check_poses("pose_round", world);
}

TEST(Corpus, PosesAlongALine) {
    World world;
    world.low = {-10, 7, -20};
    world.high = {10, 7, 20};
    world.position_precision = 0.01F;
    world.velocity_limit = 401;
    world.velocity_precision = 3;
    world.angle_bits = 7;
    world.wrap_x = true;
    check_poses("pose_line", world);
}

TEST(Corpus, PosesWithOneStepPerAxis) {
    World world;
    world.low = {0, 0, 0};
    world.high = {1, 1, 1};
    world.position_precision = 1;
    world.angle_bits = 1;
    check_poses("pose_tiny", world);
}

TEST(Corpus, BitsThatAreNoPose) {
    const World world;  // positions 0..16384 in 15 bits, velocities -1024..1024 in 12
    Corpus full{"pose_full_refused", "pose_full", json(world)};
    full.refuse("[]", [](BitWriter& out) {
        out.bits(2049, 12);
        for (int i = 0; i < 10; ++i) out.bits(0, 10);
    });
    full.refuse("[]", [](BitWriter& out) {
        for (int i = 0; i < 7; ++i) out.bits(0, 13);
        out.bits(600, 10);  // pitch ends at 512
    });
    full.check();
    Corpus delta{"pose_delta_refused", "pose_delta", json(world)};
    const auto refuse = [&](const QuantisedPose& old,
                            std::initializer_list<std::pair<std::uint64_t, unsigned>> parts) {
        delta.refuse(delta_arguments(old, 0ms), [&](BitWriter& out) {
            for (const auto& [value, count] : parts) out.bits(value, count);
        });
    };
    QuantisedPose fast;
    fast.vx = 1024;
    refuse(fast, {{0b0101, 4}, {0, 1}, {0, 30}});             // faster than the limit
    refuse({}, {{0b1011111, 7}, {1024 + 100, 12}, {0, 30}});  // a small change written as a large one
    QuantisedPose turned;
    turned.yaw = 5;
    refuse(turned, {{0, 7}, {0b01011111, 8}, {0x3FF, 10}, {0, 10}});  // more than once around
    delta.check();
}

}  // namespace
}  // namespace fray
