#pragma once
// Lengths of the class codes' prefixes in a pose delta: one row per field and context.
//
// The rows are optimal for the recording B_part1 of the OpenArena traces (baselines 150 ms old, 1/8 unit,
// 1 unit/s, 360/1024 degree), except that no class counts as rarer than 1 in 500 and "no change" not as rarer
// than 1 in 20, so that other games do not pay for what these players never did.

#include "wire/class_code.hpp"

#include <array>

namespace fray::pose_tables {

/// Change of vx.
inline constexpr ClassCode kVx{{2, 4, 4, 4, 4, 3, 3, 3, 4, 5, 7, 8, 8, 8, 8, 7}};
/// Change of vy, by the change of vx: none, small, any other.
inline constexpr std::array kVy{
    ClassCode{{1, 3, 3, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7}},
    ClassCode{{2, 3, 2, 3, 4, 4, 4, 6, 6, 7, 8, 8, 8, 8, 8, 8}},
    ClassCode{{4, 5, 4, 3, 3, 3, 3, 3, 3, 4, 7, 8, 8, 8, 8, 7}},
};
/// Change of vz, by whether the baseline's vz was zero: standing, or in the air.
inline constexpr std::array kVz{
    ClassCode{{1, 6, 6, 5, 6, 6, 5, 4, 2, 7, 6, 7, 7, 7, 7, 7}},
    ClassCode{{4, 5, 5, 5, 6, 6, 5, 1, 3, 4, 4, 8, 8, 7, 7, 7}},
};
/// Error of the predicted x or y, by the class of the change of velocity on that axis: 0, 1-2, 3-4, 5-6,
/// above.
inline constexpr std::array kHorizontal{
    ClassCode{{1, 2, 3, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6}},
    ClassCode{{1, 2, 3, 5, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8, 8, 7}},
    ClassCode{{2, 2, 2, 3, 4, 6, 7, 7, 8, 8, 8, 8, 8, 8, 8, 8}},
    ClassCode{{3, 3, 2, 3, 3, 3, 4, 5, 8, 8, 8, 8, 8, 8, 8, 8}},
    ClassCode{{4, 5, 5, 4, 3, 2, 2, 3, 5, 7, 8, 8, 8, 8, 8, 8}},
};
/// Error of the predicted z, by whether vz changed.
inline constexpr std::array kVertical{
    ClassCode{{1, 6, 6, 6, 6, 6, 6, 3, 3, 6, 6, 6, 6, 5, 5, 5}},
    ClassCode{{1, 3, 5, 5, 5, 4, 4, 4, 4, 7, 8, 8, 8, 8, 8, 8}},
};
inline constexpr ClassCode kYaw{{5, 4, 4, 3, 3, 2, 3, 3, 4, 8, 8, 8, 8, 8, 8, 7}};
inline constexpr ClassCode kPitch{{3, 3, 3, 3, 2, 3, 4, 5, 8, 8, 8, 8, 8, 8, 8, 8}};

template <std::size_t N>
[[nodiscard]] constexpr bool all_complete(const std::array<ClassCode, N>& rows) {
    for (const ClassCode& row : rows) {
        if (!row.complete()) return false;
    }
    return true;
}
static_assert(kVx.complete() && all_complete(kVy) && all_complete(kVz) && all_complete(kHorizontal) &&
              all_complete(kVertical) && kYaw.complete() && kPitch.complete());

/// Row of kVy for a class of the change of vx.
[[nodiscard]] constexpr std::size_t row_of_vy(unsigned vx_class) {
    return vx_class == 0 ? 0 : vx_class <= 2 ? 1 : 2;
}
/// Row of kHorizontal for a class of the change of velocity.
[[nodiscard]] constexpr std::size_t row_of_position(unsigned velocity_class) {
    return velocity_class >= 7 ? 4 : (velocity_class + 1) / 2;
}

}  // namespace fray::pose_tables
