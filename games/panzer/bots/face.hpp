#pragma once
// Turns the turret towards a target, as fast as a hand does and with a deviation: that of a player's unsteady
// aim, or the one that guidance predicts for a replica.

#include "games/panzer/rules/units.hpp"

#include <cstdint>

namespace fray::panzer {

/// The direction from a tank to a target, and the deviation (65,536 to a circle, positive counter-clockwise).
[[nodiscard]] Angle bearing_of(const Vec2& from, const Vec2& target, std::int16_t deviation = 0);

/// Input::aim for the coming step: from where the turret points, towards `wanted`, by at most this rate.
[[nodiscard]] Angle face(Angle turret, Angle wanted, float degrees_per_second);

/// Degrees between where the turret points and where it should.
[[nodiscard]] float aim_error(Angle turret, Angle wanted);

}  // namespace fray::panzer
