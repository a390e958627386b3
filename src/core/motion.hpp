#pragma once
// Extrapolation between updates: by the motion model of the type, or at constant velocity.

#include <fray/state.hpp>

#include <span>

namespace fray {

/// Beyond this, extrapolation at constant velocity is worse than standing still.
inline constexpr Duration kMaxExtrapolation{1s};

/// The pose `ahead` later, at constant velocity.
[[nodiscard]] Pose straight_on(const World& world, Pose pose, Duration ahead);
/// The pose `ahead` later by the type's motion model and this input; at constant velocity if it has no model.
[[nodiscard]] Pose go_on(const World& world, EntityTypeId type, const Pose& pose,
                         std::span<const std::uint8_t> payload, std::span<const std::uint8_t> input,
                         Duration ahead);
/// Interpolates between two poses; share 0 is the first, 1 the second.
[[nodiscard]] Pose between(const World& world, const Pose& first, const Pose& second, float share);

}  // namespace fray
