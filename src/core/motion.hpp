#pragma once
// How an entity goes on where nothing is said of it: as the motion model of its type says, or straight on.

#include <fray/state.hpp>

#include <span>

namespace fray {

/// Beyond this, going straight on is worse than standing still.
inline constexpr Duration kMaxExtrapolation{1s};

/// The pose so much later, with the velocity it has.
[[nodiscard]] Pose straight_on(const World& world, Pose pose, Duration ahead);
/// The pose so much later as the type's motion model says under this input; straight on where there is none.
[[nodiscard]] Pose go_on(const World& world, EntityTypeId type, const Pose& pose,
                         std::span<const std::uint8_t> payload, std::span<const std::uint8_t> input,
                         Duration ahead);
/// The pose at the time for which the replica's age is given.
[[nodiscard]] Pose dead_reckon(const Replica& replica, const World& world);
/// Between two poses; share 0 is the first, 1 the second.
[[nodiscard]] Pose between(const World& world, const Pose& first, const Pose& second, float share);

}  // namespace fray
