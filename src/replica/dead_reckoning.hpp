#pragma once
// What a replica does between two updates: it goes on as the motion model of its type says, or straight on.

#include <fray/state.hpp>

namespace fray {

/// Beyond this, going straight on is worse than standing still.
inline constexpr Duration kMaxExtrapolation{1s};

/// The pose at the time for which the replica's age is given.
[[nodiscard]] Pose dead_reckon(const Replica& replica, const World& world);

}  // namespace fray
