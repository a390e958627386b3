#pragma once
// The ground players walk on: flat, from (0, 0) to (width, height), a torus where it wraps.

#include <fray/geometry.hpp>

namespace fray::lab {

struct Area {
    float width = 1000;
    float height = 1000;
    bool wraps = false;

    /// The way from a to b, the short one where the area wraps.
    [[nodiscard]] Vec3 between(const Vec3& a, const Vec3& b) const;
    [[nodiscard]] float distance(const Vec3& a, const Vec3& b) const { return length(between(a, b)); }
    /// The nearest point of the area; on a torus, where at most one turn round it leads.
    [[nodiscard]] Vec3 inside(const Vec3& point) const;
};

}  // namespace fray::lab
