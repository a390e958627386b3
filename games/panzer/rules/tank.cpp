#include "games/panzer/rules/tank.hpp"

#include <algorithm>
#include <limits>

namespace fray::panzer {

namespace {

/// Out of a corner of three cells and back out of the first of them.
constexpr int kPushes = 4;
constexpr std::int32_t kTurretTurn = degrees(kTurretRate * kStep);

Angle turned(Angle from, Angle to, std::int32_t most) {
    const std::int32_t way = turn_between(from, to);
    return static_cast<Angle>(from + std::clamp(way, -most, most));
}

float approach(float from, float to, float most) { return from + std::clamp(to - from, -most, most); }

void steer(Tank& tank, const Input& input, float top) {
    const float share = std::min(std::abs(tank.speed) / top, 1.0F);
    const float rate = kTurnRateAtRest - (kTurnRateAtRest - kTurnRateAtTop) * share;
    const float turn = rate * (65536.0F / 360 * kStep / kFull) * static_cast<float>(input.steer);
    tank.hull = static_cast<Angle>(tank.hull + static_cast<std::int32_t>(turn));
}

void accelerate(Tank& tank, const Input& input, float top) {
    const float throttle = static_cast<float>(input.throttle) / kFull;
    const float wanted = throttle * (throttle >= 0 ? top : kReverseSpeed);
    const bool turns_back = wanted * tank.speed < 0;  // it stops first
    const bool is_braking = turns_back || std::abs(wanted) < std::abs(tank.speed);
    const float engine = top * (kAcceleration / kTopSpeed);
    tank.speed = approach(tank.speed, turns_back ? 0 : wanted, (is_braking ? kBraking : engine) * kStep);
}

/// The way out of one solid cell; `depth` is 0 if the tank does not touch it.
struct WayOut {
    float depth = 0;
    Vec2 unit{};
};

/// For a tank whose middle is inside a solid cell: through the nearest side behind which the ground is free.
WayOut way_out_of_inside(const Ground& ground, const Vec2& position, CellPlace place) {
    const float side = ground.map.cell;
    const Vec2 low{static_cast<float>(place.column) * side, static_cast<float>(place.row) * side};
    struct Side {
        float way;
        std::int32_t column;
        std::int32_t row;
    };
    const Side sides[]{{position.x - low.x, -1, 0},
                       {low.x + side - position.x, 1, 0},
                       {position.y - low.y, 0, -1},
                       {low.y + side - position.y, 0, 1}};
    WayOut best{.depth = std::numeric_limits<float>::infinity()};
    for (const Side& s : sides) {
        const bool is_free = !ground.is_solid({place.column + s.column, place.row + s.row});
        const float depth = s.way + kTankRadius + (is_free ? 0 : side);
        if (depth < best.depth) best = {depth, {static_cast<float>(s.column), static_cast<float>(s.row)}};
    }
    return best;
}

WayOut way_out(const Ground& ground, const Vec2& position, CellPlace place) {
    const float side = ground.map.cell;
    const Vec2 low{static_cast<float>(place.column) * side, static_cast<float>(place.row) * side};
    const Vec2 nearest{std::clamp(position.x, low.x, low.x + side),
                       std::clamp(position.y, low.y, low.y + side)};
    const Vec2 away = position - nearest;
    const float square = square_length(away);
    if (square >= kTankRadius * kTankRadius) return {};
    if (square == 0) return way_out_of_inside(ground, position, place);
    const float distance = std::sqrt(square);
    return {kTankRadius - distance, away * (1 / distance)};
}

}  // namespace

void push_out(const Ground& ground, Vec2& position) {
    const CellPlace place = ground.map.place_of(position);
    if (ground.map.contains(place) && (ground.map.around[ground.map.index(place)] & kSolidAround) == 0)
        return;
    // The deepest first: a tank that slides along a wall of several cells then does not catch on their seams.
    for (int i = 0; i < kPushes; ++i) {
        WayOut deepest;
        const CellPlace low = ground.map.place_of(position - Vec2{kTankRadius, kTankRadius});
        const CellPlace high = ground.map.place_of(position + Vec2{kTankRadius, kTankRadius});
        for (std::int32_t row = low.row; row <= high.row; ++row) {
            for (std::int32_t column = low.column; column <= high.column; ++column) {
                if (!ground.is_solid({column, row})) continue;
                const WayOut way = way_out(ground, position, {column, row});
                if (way.depth > deepest.depth) deepest = way;
            }
        }
        if (deepest.depth == 0) return;
        position += deepest.unit * deepest.depth;
    }
}

void drive(const Ground& ground, Tank& tank, const Input& input) {
    tank.turret = turned(tank.turret, sent_aim(input.aim), kTurretTurn);
    const float top = top_speed(tank);
    steer(tank, input, top);
    accelerate(tank, input, top);
    if (tank.speed == 0) return;
    const Vec2 ahead = direction(tank.hull);
    const Vec2 before = tank.position;
    const Vec2 meant = before + ahead * (tank.speed * kStep);
    tank.position = meant;
    push_out(ground, tank.position);
    if (tank.position == meant) return;
    // A wall takes the speed that did not become way: all of it head-on, little at a flat angle.
    const float reached = length(tank.position - before) * kStepsPerSecond;
    tank.speed = tank.speed > 0 ? std::min(tank.speed, reached) : std::max(tank.speed, -reached);
}

Vec2 overlap(const Vec2& first, const Vec2& second) {
    constexpr float kReach = 2 * kTankRadius;
    const Vec2 away = first - second;
    const float square = square_length(away);
    if (square >= kReach * kReach) return {};
    if (square == 0) return {kReach, 0};
    const float distance = std::sqrt(square);
    return away * ((kReach - distance) / distance);
}

std::int16_t take_damage(Tank& tank, std::int16_t damage) {
    const std::int16_t absorbed = std::min(tank.shield, damage);
    tank.shield = static_cast<std::int16_t>(tank.shield - absorbed);
    const auto left = static_cast<std::int16_t>(damage - absorbed);
    const std::int16_t lost = std::min(tank.armour, left);
    tank.armour = static_cast<std::int16_t>(tank.armour - lost);
    return lost;
}

}  // namespace fray::panzer
