#pragma once
// One ship: it accelerates in its heading, turns at a constant rate, and is slowed by drag.
//
// Only its own keys and the edges of the screen move a ship: the net does not pull it. So every peer can
// compute a ship's position from a former one and its keys alone.

#include <fray/quantise.hpp>

#include "games/snagger/rules/input.hpp"
#include "games/snagger/rules/screen.hpp"

namespace fray::snagger {

/// Units per second squared. With the drag below, and flown by the pilot, it gives the speeds and
/// accelerations that the paper's figures imply.
inline constexpr float kThrust = 25;
/// Share of the velocity that remains after a tick.
inline constexpr float kGlide = 0.97F;
/// Upper bound of a ship's speed, units per second: thrust and drag are in balance.
inline constexpr float kTopSpeed = kThrust * kTickSeconds * kGlide / (1 - kGlide);
/// A tick turns by 1/128 of a circle (169 degrees per second): every heading fits kYawBits exactly.
inline constexpr unsigned kYawBits = 7;
inline constexpr float kTurn = 360.0F / (1U << kYawBits);

struct Ship {
    Pose pose;              ///< flat: z and pitch are zero; yaw is the heading, not the direction of flight
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
