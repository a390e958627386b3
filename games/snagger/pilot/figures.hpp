#pragma once
// Figures of recordings: speed and acceleration of ships, and how often keys change.

#include "games/snagger/pilot/recording.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace fray::snagger {

/// Means over all ticks of one ship, or of several. A unit is 1 % of the screen.
struct ShipFigures {
    double speed = 0;  ///< units per second: the length of the velocity after a tick
    /// Units per second squared: the length of a tick's change of velocity, times 60.
    double acceleration = 0;
    double key_changes = 0;  ///< per second: keys that went down or up
};

struct Figures {
    std::array<ShipFigures, kShips> ships{};
    std::uint32_t caught = 0;
};

[[nodiscard]] Figures figures(const Recording& recording);
/// Mean over both ships of all recordings, which are equally long.
[[nodiscard]] ShipFigures mean_ship(std::span<const Figures> all);

}  // namespace fray::snagger
