#include "games/panzer/rules/ground.hpp"

#include <algorithm>
#include <limits>

namespace fray::panzer {

namespace {

/// One axis of a walk from cell to cell along a ray.
struct Axis {
    std::int32_t step;
    float per_cell;  // length of the ray from one cell border to the next
    float next;      // length of the ray at the next border
};

Axis axis(float from, float unit, std::int32_t cell, float side) {
    if (unit == 0) return {0, 0, std::numeric_limits<float>::infinity()};
    const float border = static_cast<float>(unit > 0 ? cell + 1 : cell) * side;
    return {unit > 0 ? 1 : -1, side / std::abs(unit), (border - from) / unit};
}

}  // namespace

float free_way(const Ground& ground, const Vec2& from, const Vec2& unit, float most) {
    CellPlace at = ground.map.place_of(from);
    Axis x = axis(from.x, unit.x, at.column, ground.map.cell);
    Axis y = axis(from.y, unit.y, at.row, ground.map.cell);
    float way = 0;
    while (!ground.is_solid(at)) {
        const bool along_x = x.next < y.next;
        Axis& nearer = along_x ? x : y;
        way = nearer.next;
        if (way >= most) return most;
        nearer.next += nearer.per_cell;
        (along_x ? at.column : at.row) += nearer.step;
    }
    return std::max(way, 0.0F);
}

bool sees(const Ground& ground, const Vec2& from, const Vec2& to) {
    const Vec2 way = to - from;
    const float distance = length(way);
    if (distance == 0) return true;
    return free_way(ground, from, way * (1 / distance), distance) >= distance;
}

}  // namespace fray::panzer
