#pragma once
// Directions in the ground plane, cut into sectors of equal angle.

#include <fray/geometry.hpp>
#include <fray/world.hpp>

#include "core/space.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class Sectors {
public:
    explicit Sectors(unsigned count);
    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(starts_.size()); }
    /// The sector of a point at this offset from us.
    [[nodiscard]] unsigned of(const Vec3& offset) const;

private:
    std::vector<double> starts_;  // each sector's first direction, see turn()
};

[[nodiscard]] inline float squared(float x) { return x * x; }

}  // namespace fray
