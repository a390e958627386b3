#pragma once
// Hand-made updates of an owner, and a walker with two keys as the motion model.

#include "consistency/timeline.hpp"

#include <utility>
#include <vector>

namespace fray::test {

[[nodiscard]] inline SessionInstant at(Duration d) { return SessionInstant{d}; }

[[nodiscard]] inline Pose moving(const Vec3& position, const Vec3& velocity = {}) {
    return {.position = position, .velocity = velocity};
}

[[nodiscard]] inline Moment update(Duration when, const Pose& pose, std::vector<std::uint8_t> input = {}) {
    return {.when = at(when), .pose = pose, .payload = {}, .input = std::move(input)};
}

inline constexpr float kWalk = 10;  // units per second
inline constexpr std::uint8_t kRight = 1;
inline constexpr std::uint8_t kUp = 2;

/// Ten units per second along x while the first key is down, along y while the second is.
[[nodiscard]] inline Pose walk(const Pose& pose, std::span<const std::uint8_t>,
                               std::span<const std::uint8_t> input, std::uint32_t ticks) {
    if (ticks == 0) return pose;
    const unsigned keys = input.empty() ? 0 : input[0];
    Pose after = pose;
    after.velocity = {(keys & kRight) != 0 ? kWalk : 0, (keys & kUp) != 0 ? kWalk : 0, 0};
    after.position += after.velocity * (0.05F * static_cast<float>(ticks));
    return after;
}

/// Flat, a hundred units wide, twenty ticks a second; all entities are walkers.
[[nodiscard]] inline World walkers_world() {
    World world;
    world.low = {0, 0, 0};
    world.high = {100, 100, 0};
    world.types = {EntityType::bare("walker", walk)};
    return world;
}

}  // namespace fray::test
