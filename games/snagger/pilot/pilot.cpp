#include "games/snagger/pilot/pilot.hpp"

#include "games/snagger/pilot/course.hpp"

#include <algorithm>
#include <cmath>

namespace fray::snagger {
namespace {

constexpr float kAnswer = 0.25F;       // seconds until a decision takes effect
constexpr float kStraightEnough = 12;  // degrees: below it no turn
constexpr float kNotThatWay = 50;      // degrees: above it turn first, then thrust
constexpr float kThere = 4;            // units: close enough to drift
constexpr float kTurnPerSecond = kTurn * kTicksPerSecond;
constexpr double kTap = 0.1;            // seconds that a space bar is down
constexpr double kUnitsPerSecond = 14;  // thrust for one second per this many units to go,
constexpr double kShortestPush = 0.15;  // in seconds: at least
constexpr double kLongestPush = 0.7;    // and at most; then the pilot observes again

}  // namespace

Pilot::Pilot(std::size_t ship, Seed seed) : ship_{ship}, random_{seed, "pilot", ship} {}

Input Pilot::play(const Game& game) {
    if (turning_.is_free(game.tick)) think_of_turning(game);
    if (thrusting_.is_free(game.tick)) think_of_thrust(game);
    if (snagging_.is_free(game.tick)) think_of_snagging(game);
    const bool turns = turning_.is_down(game.tick);
    return {.thrust = thrusting_.is_down(game.tick),
            .left = turns && turns_left_,
            .right = turns && !turns_left_,
            .snag = snagging_.is_down(game.tick)};
}

void Pilot::think_of_turning(const Game& game) {
    const float off = bearing(game.ships[ship_], destination(game, ship_, kAnswer));
    if (std::abs(off) < kStraightEnough) return turning_.rest(game.tick, random_);
    turns_left_ = off > 0;
    turning_.press(game.tick, std::abs(off) / kTurnPerSecond, random_);
}

void Pilot::think_of_thrust(const Game& game) {
    const Ship& ship = game.ships[ship_];
    const Vec3 place = destination(game, ship_, kAnswer);
    const float far = distance(ship.pose.position, place);
    if (far < kThere || std::abs(bearing(ship, place)) > kNotThatWay)
        return thrusting_.rest(game.tick, random_);
    const double push = std::clamp(double{far} / kUnitsPerSecond, kShortestPush, kLongestPush);
    thrusting_.press(game.tick, push, random_);
}

void Pilot::think_of_snagging(const Game& game) {
    const bool caught = std::any_of(game.aliens.begin(), game.aliens.end(),
                                    [&](const Alien& alien) { return is_enclosed(game, alien); });
    if (!caught) return snagging_.rest(game.tick, random_);
    snagging_.press(game.tick, kTap, random_);
}

}  // namespace fray::snagger
