#pragma once
// Directions in the ground plane, cut into sectors of equal angle; and distances in a world whose edges may
// touch.

#include <fray/geometry.hpp>
#include <fray/world.hpp>

#include <cstdint>
#include <vector>

namespace fray {

class Sectors {
public:
    explicit Sectors(unsigned count);
    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(starts_.size()); }
    /// The sector in which something lies that is so far away from us.
    [[nodiscard]] unsigned of(const Vec3& offset) const;

private:
    std::vector<double> starts_;  // each sector's first direction, see turn()
};

namespace detail {

[[nodiscard]] inline float shorter(float d, float extent) {
    if (d > extent / 2) return d - extent;
    return d < -extent / 2 ? d + extent : d;
}

}  // namespace detail

[[nodiscard]] inline float squared(float x) { return x * x; }

/// The way from one place to another; where the world wraps, the shorter one.
[[nodiscard]] inline Vec3 way(const World& world, const Vec3& from, const Vec3& to) {
    Vec3 d = to - from;
    if (world.wrap_x) d.x = detail::shorter(d.x, world.high.x - world.low.x);
    if (world.wrap_y) d.y = detail::shorter(d.y, world.high.y - world.low.y);
    return d;
}

}  // namespace fray
