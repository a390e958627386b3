#include "games/snagger/pilot/course.hpp"

#include "core/math.hpp"

#include <algorithm>

namespace fray::snagger {
namespace {

constexpr float kGap = 8;           // units from each ship to the alien as they pass it
constexpr float kPast = 8;          // units past it that they aim at
constexpr float kMargin = 4;        // units that a careful pilot keeps from the edges
constexpr float kDriftSeen = 0.6F;  // seconds of drift that a pilot leads by

Vec3 middle(const Game& game) { return (game.ships[0].pose.position + game.ships[1].pose.position) * 0.5F; }

/// A unit vector; straight up if there is no direction.
Vec3 unit(const Vec3& v) {
    const float size = length(v);
    return size > 0 ? v * (1 / size) : Vec3{0, 1, 0};
}

float keep_off(float value, float extent) { return std::clamp(value, kMargin, extent - kMargin); }

}  // namespace

const Alien& quarry(const Game& game) {
    const Vec3 from = middle(game);
    return *std::min_element(game.aliens.begin(), game.aliens.end(), [&](const Alien& a, const Alien& b) {
        return distance(a.position, from) < distance(b.position, from);
    });
}

Vec3 destination(const Game& game, std::size_t ship, float ahead) {
    const Alien& alien = quarry(game);
    const Vec3 place = alien.position + alien.velocity * ahead;
    const Vec3 way = unit(place - middle(game));
    const Vec3 across{-way.y, way.x, 0};
    const Vec3 apart = game.ships[ship].pose.position - game.ships[1 - ship].pose.position;
    const float side = dot(apart, across) < 0 ? -1.0F : 1.0F;
    const Vec3 wanted = place + across * (side * kGap) + way * kPast;
    return {keep_off(wanted.x, kWidth), keep_off(wanted.y, kHeight), 0};
}

float bearing(const Ship& ship, const Vec3& place) {
    const Vec3 way = place - (ship.pose.position + ship.pose.velocity * kDriftSeen);
    const double degrees = math::atan2(double{way.y}, double{way.x}) * 180 / math::kPi;
    auto error = static_cast<float>(degrees) - ship.pose.yaw;
    while (error > 180) error -= 360;
    while (error < -180) error += 360;
    return error;
}

}  // namespace fray::snagger
