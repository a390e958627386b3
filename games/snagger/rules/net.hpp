#pragma once
// The net between the two ships: a chain of knots that both drag behind them.
//
// It has no momentum: a knot moves only where the chain pulls it, so that a slack net lies still and a
// dragged one follows in the ships' wake. Ships farther apart than the net is long stretch it into a straight
// line, and it does not hold them. The net and the line from ship to ship are the loop.

#include <fray/geometry.hpp>

#include <array>
#include <cstddef>

namespace fray::snagger {

inline constexpr float kNetLength = 40;
inline constexpr std::size_t kKnots = 19;
inline constexpr float kMesh = kNetLength / (kKnots + 1);  ///< from knot to knot, at most, when slack

struct Net {
    std::array<Vec3, kKnots> knots{};  ///< from the first ship to the second; the ships are not among them

    friend constexpr bool operator==(const Net&, const Net&) = default;
};

/// Laid out as a V below the line from `first` to `second`.
[[nodiscard]] Net lay_net(const Vec3& first, const Vec3& second);
/// One tick later, the ships being at `first` and `second` now.
[[nodiscard]] Net drag(const Net& net, const Vec3& first, const Vec3& second);
/// Whether the loop goes round this point. A loop that crosses itself holds what is in any part of it.
[[nodiscard]] bool encloses(const Net& net, const Vec3& first, const Vec3& second, const Vec3& point);

}  // namespace fray::snagger
