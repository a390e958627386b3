#include "lab/metrics/area.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

float short_way(float difference, float extent) {
    if (difference > extent / 2) return difference - extent;
    return difference < -extent / 2 ? difference + extent : difference;
}

float wrapped(float value, float extent) {
    const float moved = value < 0 ? value + extent : value;  // may round to the extent itself
    return moved >= extent ? moved - extent : moved;
}

}  // namespace

Vec3 Area::between(const Vec3& a, const Vec3& b) const {
    Vec3 way = b - a;
    if (!wraps) return way;
    way.x = short_way(way.x, width);
    way.y = short_way(way.y, height);
    return way;
}

Vec3 Area::inside(const Vec3& point) const {
    if (!wraps) return {std::clamp(point.x, 0.0F, width), std::clamp(point.y, 0.0F, height), point.z};
    return {wrapped(point.x, width), wrapped(point.y, height), point.z};
}

}  // namespace fray::lab
