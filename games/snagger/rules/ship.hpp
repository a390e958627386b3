#pragma once
// One ship: it thrusts where it points, turns at an even rate, and the ether slows it down.
//
// Nothing but its own keys and the edges of the screen moves a ship: the net is light and stretches. So where
// a ship is follows from where it was and its keys alone, at every peer.

#include <fray/quantise.hpp>

#include "games/snagger/rules/input.hpp"
#include "games/snagger/rules/screen.hpp"

namespace fray::snagger {

/// Units per second squared. With the drag below it gives the speeds and accelerations that the paper's
/// figures imply, in the hands of the pilot.
inline constexpr float kThrust = 25;
/// What is left of the velocity after a tick.
inline constexpr float kGlide = 0.97F;
/// Units per second that no ship exceeds: where thrust and drag are in balance.
inline constexpr float kTopSpeed = kThrust * kTickSeconds * kGlide / (1 - kGlide);
/// A tick turns by 1/128 of a circle (169 degrees per second): every heading fits kYawBits exactly.
inline constexpr unsigned kYawBits = 7;
inline constexpr float kTurn = 360.0F / (1U << kYawBits);

struct Ship {
    Pose pose;              ///< flat: z and pitch stay zero; yaw is where it points, not where it flies
    bool snagging = false;  ///< the space bar was down in the last tick

    friend constexpr bool operator==(const Ship&, const Ship&) = default;
};

/// One tick later. Pure; a ship that hits an edge stops across it and slides along it.
[[nodiscard]] Ship advance(const Ship& ship, const Input& input);

inline constexpr float kPlacePrecision = 1.0F / 128;     // a twelfth of a pixel on 1,200 of them
inline constexpr float kVelocityPrecision = 1.0F / 256;  // a second of it is half a step of place
inline constexpr float kVelocityLimit = 16;

/// 64 bits.
template <class Stream>
void serialize(Stream& stream, Ship& ship) {
    constexpr Range kVelocity{-kVelocityLimit, kVelocityLimit, kVelocityPrecision};
    stream.quantised(ship.pose.position.x, Range{0, kWidth, kPlacePrecision});
    stream.quantised(ship.pose.position.y, Range{0, kHeight, kPlacePrecision});
    stream.quantised(ship.pose.velocity.x, kVelocity);
    stream.quantised(ship.pose.velocity.y, kVelocity);
    stream.angle(ship.pose.yaw, kYawBits);
    stream.boolean(ship.snagging);
}

}  // namespace fray::snagger
