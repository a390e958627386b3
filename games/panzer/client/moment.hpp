#pragma once
// What the window shows at one moment: a plain value, made from a battle or a frame of a recording, and mixed
// from two of them. It is all that the scene, the effects and the heads-up display read of the game.

#include "games/panzer/match/screen_frame.hpp"
#include "games/panzer/rules/battle.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fray::panzer::client {

/// Radians, counter-clockwise from +x.
[[nodiscard]] float radians_of(Angle angle);

struct ShownTank {
    Vec2 position{};
    float hull = 0;  ///< radians, likewise
    float turret = 0;
    float speed = 0;  ///< metres per second, negative: backwards
    std::int16_t armour = 0;
    std::int16_t shield = 0;
    std::uint8_t team = 0;
    bool fires = false;  ///< holds the trigger of its gun
    std::uint8_t fire_rate = 0;
    std::uint8_t gun_power = 0;
    std::uint8_t engine = 0;
    std::uint16_t gun_wait = 0;  ///< only of the own tank
    std::uint16_t shell_wait = 0;
    std::uint16_t respawn_wait = 0;

    [[nodiscard]] bool alive() const { return armour > 0; }
};

struct ShownShell {
    std::uint16_t shooter = kNone;
    Vec2 position{};
    float heading = 0;
};

/// One line of the scoreboard.
struct Score {
    std::string name;
    std::int32_t score = 0;
    std::uint32_t kills = 0;
    std::uint32_t deaths = 0;
};

struct Moment {
    double at = 0;          ///< seconds since the start of the match
    std::uint16_t own = 0;  ///< number of the player's tank; kNone: none
    Mode mode{};
    std::vector<ShownTank> tanks;
    std::vector<Score> scores;  ///< by tank
    std::vector<ShownShell> shells;
    std::vector<std::uint8_t> items;  ///< 1: one lies there
    std::vector<float> doors;         ///< 0 closed to 1 open
    std::uint16_t flag_carrier = kNone;
    Vec2 flag{};

    [[nodiscard]] const ShownTank* own_tank() const { return own < tanks.size() ? &tanks[own] : nullptr; }
};

/// Reuses the memory of `moment`. Scores but for their names; names stay as they are.
void show(const Battle& battle, std::uint16_t own, double at, Moment& moment);
void show(const ScreenFrame& frame, Mode mode, Moment& moment);
/// `share`: 0 gives `from`, 1 gives `to`. Tanks that jump, or enter, are not smeared.
void mix(const Moment& from, const Moment& to, float share, Moment& result);

}  // namespace fray::panzer::client
