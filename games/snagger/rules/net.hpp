#pragma once
// The net between the two ships: a chain of knots that both drag behind them.
//
// It has no momentum: a knot moves only if the chain pulls it, so a slack net lies still and a dragged one
// follows the ships. Ships farther apart than its length stretch it into a straight line; it does not hold
// them back. The net and the line from ship to ship form the loop.

#include <fray/geometry.hpp>

#include <array>
#include <cstddef>

namespace fray::snagger {

inline constexpr float kNetLength = 40;
inline constexpr std::size_t kKnots = 19;
inline constexpr float kMesh = kNetLength / (kKnots + 1);  ///< from knot to knot, at most, when slack

struct Net {
    std::array<Vec3, kKnots> knots{};  ///< from the first ship to the second, without the ships

    friend constexpr bool operator==(const Net&, const Net&) = default;
};

/// Laid out as a V below the line from `first` to `second`.
[[nodiscard]] Net lay_net(const Vec3& first, const Vec3& second);
/// One tick later; `first` and `second` are the ships' new positions.
[[nodiscard]] Net drag(const Net& net, const Vec3& first, const Vec3& second);
/// Whether the loop encloses this point. A loop that crosses itself encloses the points in each of its parts.
[[nodiscard]] bool encloses(const Net& net, const Vec3& first, const Vec3& second, const Vec3& point);

}  // namespace fray::snagger
