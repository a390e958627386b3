#pragma once
// Distances and positions in a world that may wrap.

#include <fray/geometry.hpp>
#include <fray/world.hpp>

#include <algorithm>

namespace fray {

namespace detail {

[[nodiscard]] inline float shorter(float d, float extent) {
    if (d > extent / 2) return d - extent;
    return d < -extent / 2 ? d + extent : d;
}

[[nodiscard]] inline float keep_inside(float value, float low, float high, bool wraps) {
    if (!wraps || high <= low) return std::clamp(value, low, high);
    const float extent = high - low;
    constexpr int kMostTurns = 8;  // a second of motion; a motion model that runs away is clamped
    for (int i = 0; i < kMostTurns && value >= high; ++i) value -= extent;
    for (int i = 0; i < kMostTurns && value < low; ++i) value += extent;
    return std::clamp(value, low, high);
}

}  // namespace detail

/// The vector from one position to another; in a world that wraps, the shorter one.
[[nodiscard]] inline Vec3 way(const World& world, const Vec3& from, const Vec3& to) {
    Vec3 d = to - from;
    if (world.wrap_x) d.x = detail::shorter(d.x, world.high.x - world.low.x);
    if (world.wrap_y) d.y = detail::shorter(d.y, world.high.y - world.low.y);
    return d;
}

/// The position inside the world: wrapped, or clamped to the border.
[[nodiscard]] inline Vec3 inside(const World& world, const Vec3& place) {
    return {detail::keep_inside(place.x, world.low.x, world.high.x, world.wrap_x),
            detail::keep_inside(place.y, world.low.y, world.high.y, world.wrap_y),
            std::clamp(place.z, world.low.z, world.high.z)};
}

}  // namespace fray
