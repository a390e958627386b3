#pragma once
// The ground plane: flat, from (0, 0) to (width, height); a torus if it wraps.

#include <fray/geometry.hpp>

namespace fray::lab {

struct Area {
    float width = 1000;
    float height = 1000;
    bool wraps = false;

    /// The vector from a to b; the shorter one if the area wraps.
    [[nodiscard]] Vec3 between(const Vec3& a, const Vec3& b) const;
    [[nodiscard]] float distance(const Vec3& a, const Vec3& b) const { return length(between(a, b)); }
    /// The nearest point of the area; on a torus, the point wrapped by at most one turn.
    [[nodiscard]] Vec3 inside(const Vec3& point) const;
};

}  // namespace fray::lab
