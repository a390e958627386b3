#pragma once
// Where a player wants to be: on its own side of the alien that both are after, and past it, so that the net
// between the ships sweeps over it.

#include "games/snagger/rules/game.hpp"

#include <cstddef>

namespace fray::snagger {

/// The alien nearest to the middle between the ships: two people who play together agree on it.
[[nodiscard]] const Alien& quarry(const Game& game);
/// Where this ship should fly to, at the time `ahead` seconds from now.
[[nodiscard]] Vec3 destination(const Game& game, std::size_t ship, float ahead);
/// Degrees from where the ship points to where it should, to fly to `place`: above zero is to the left.
[[nodiscard]] float bearing(const Ship& ship, const Vec3& place);

}  // namespace fray::snagger
