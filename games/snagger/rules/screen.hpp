#pragma once
// Units of Snagger: one is 1 % of the screen's width, so distances are percentages of the screen. x goes
// right, y up; (0, 0) is the lower left corner. The screen is 4:3 and does not wrap: a net between two ships,
// one of which crossed an edge, would have no inside.

#include <fray/geometry.hpp>

#include <algorithm>
#include <cstdint>

namespace fray::snagger {

inline constexpr float kWidth = 100;
inline constexpr float kHeight = 75;

inline constexpr std::uint32_t kTicksPerSecond = 60;
inline constexpr float kTickSeconds = 1.0F / kTicksPerSecond;

[[nodiscard]] constexpr Vec3 inside_screen(const Vec3& point) {
    return {std::clamp(point.x, 0.0F, kWidth), std::clamp(point.y, 0.0F, kHeight), 0};
}

}  // namespace fray::snagger
