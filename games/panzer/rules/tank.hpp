#pragma once
// One tank: how it drives, turns its turret and takes damage. The same functions serve a simulation of the
// whole battle, an owner that simulates its own tank among replicas, and prediction.

#include "games/panzer/rules/ground.hpp"
#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/units.hpp"

#include <cstdint>

namespace fray::panzer {

inline constexpr float kTankRadius = 1.8F;  ///< metres; for collisions and hits a tank is a disc
inline constexpr float kTopSpeed = 12;      ///< metres per second ahead, with engine level 0
inline constexpr float kReverseSpeed = 5;
inline constexpr float kEngineStep = 0.15F;  ///< each engine level adds this share of speed and acceleration
inline constexpr float kAcceleration = 8;    ///< metres per second squared
inline constexpr float kBraking = 16;        ///< against the present motion, or without throttle
/// Degrees per second: the hull turns fastest at rest. At top speed the turning circle has a radius of 12 m.
inline constexpr float kTurnRateAtRest = 90;
inline constexpr float kTurnRateAtTop = 57;
/// Another tank, or a closing door, moves a tank no faster than this where peers check each other's tanks.
inline constexpr float kPushSpeed = kTopSpeed * (1 + kEngineStep * 3) / 2;  // of the best engine
inline constexpr float kTurretRate = 180;                                   ///< degrees per second

inline constexpr std::int16_t kFullArmour = 100;
inline constexpr std::int16_t kMostArmour = 150;  ///< with power-ups
inline constexpr std::int16_t kMostShield = 60;   ///< takes damage before the armour does
inline constexpr std::uint8_t kMostLevel = 3;
inline constexpr std::uint16_t kRespawnSteps = steps(3);
inline constexpr std::uint16_t kGunSteps = steps(0.6F);  ///< between two shots, with fire rate level 0
inline constexpr std::uint16_t kShellSteps = steps(2);
inline constexpr std::int16_t kGunDamage = 14;  ///< with gun power level 0
inline constexpr std::int16_t kGunPowerStep = 4;

struct Tank {
    Vec2 position{};
    float speed = 0;  ///< metres per second in the direction of the hull; negative: backwards
    Angle hull = 0;
    Angle turret = 0;
    std::int16_t armour = 0;  ///< 0: destroyed
    std::int16_t shield = 0;
    std::uint16_t gun_wait = 0;      ///< steps until the gun is loaded
    std::uint16_t shell_wait = 0;    ///< steps until the next shell is loaded
    std::uint16_t respawn_wait = 0;  ///< steps until a destroyed tank may enter again
    std::uint8_t team = 0;           ///< 1 or 2 in a battle of teams, otherwise 0
    std::uint8_t fire_rate = 0;      ///< levels, 0 to kMostLevel; lost with the tank
    std::uint8_t gun_power = 0;
    std::uint8_t engine = 0;

    [[nodiscard]] bool alive() const { return armour > 0; }
    friend constexpr bool operator==(const Tank&, const Tank&) = default;
};

[[nodiscard]] constexpr float top_speed(const Tank& tank) {
    return kTopSpeed * (1 + kEngineStep * static_cast<float>(tank.engine));
}
[[nodiscard]] constexpr std::uint16_t gun_steps(const Tank& tank) {
    return static_cast<std::uint16_t>(kGunSteps - kGunSteps * tank.fire_rate / 6);
}
[[nodiscard]] constexpr std::int16_t gun_damage(const Tank& tank) {
    return static_cast<std::int16_t>(kGunDamage + kGunPowerStep * tank.gun_power);
}

/// One step of a living tank on the ground, other tanks aside: turret, hull, speed, position. It stops at
/// walls and slides along them.
void drive(const Ground& ground, Tank& tank, const Input& input);

/// Moves a tank out of walls and closed doors.
void push_out(const Ground& ground, Vec2& position);

/// How far the first of two overlapping tanks must move so that they touch; zero if they do not overlap. The
/// second one's way is the opposite. Each moves by half of it, or one of them all the way if only it may
/// move.
[[nodiscard]] Vec2 overlap(const Vec2& first, const Vec2& second);

/// Shields first, then armour. Returns the armour that was lost.
std::int16_t take_damage(Tank& tank, std::int16_t damage);

}  // namespace fray::panzer
