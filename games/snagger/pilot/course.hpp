#pragma once
// The target position of a ship: on its own side of the alien that both chase, and past it, so that the net
// between the ships sweeps over it.

#include "games/snagger/rules/game.hpp"

#include <cstddef>

namespace fray::snagger {

/// The alien nearest to the middle between the ships, so both pilots choose the same one.
[[nodiscard]] const Alien& quarry(const Game& game);
/// The position that this ship should fly to, `ahead` seconds from now.
[[nodiscard]] Vec3 destination(const Game& game, std::size_t ship, float ahead);
/// Degrees from the ship's heading to the heading it needs to fly to `place`; positive is to the left.
[[nodiscard]] float bearing(const Ship& ship, const Vec3& place);

}  // namespace fray::snagger
