#include "games/snagger/rules/net.hpp"

#include <algorithm>
#include <cmath>

namespace fray::snagger {
namespace {

/// Each knot follows the one before it; the first one follows the ship.
void pull(std::array<Vec3, kKnots>& knots, Vec3 ship) {
    for (Vec3& knot : knots) {
        const Vec3 away = knot - ship;
        const float apart = length(away);
        if (apart > kMesh) knot = ship + away * (kMesh / apart);
        ship = knot;
    }
}

/// Position of this knot along the net: 0 at the first ship, 1 at the second.
float share(std::size_t knot) { return static_cast<float>(knot + 1) / (kKnots + 1); }

/// Positive if `point` is left of the line from a to b.
float side(const Vec3& a, const Vec3& b, const Vec3& point) {
    return (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y);
}

/// Contribution of this edge to the winding number of the point: +1 for an upward edge to its right, -1 for a
/// downward one.
int winding(const Vec3& a, const Vec3& b, const Vec3& point) {
    if (a.y <= point.y && b.y > point.y && side(a, b, point) > 0) return 1;
    if (a.y > point.y && b.y <= point.y && side(a, b, point) < 0) return -1;
    return 0;
}

}  // namespace

Net lay_net(const Vec3& first, const Vec3& second) {
    constexpr float kHalf = kNetLength / 2;
    const Vec3 middle = (first + second) * 0.5F;
    const float reach = std::min(distance(first, second) / 2, kHalf);
    const Vec3 tip = middle - Vec3{0, std::sqrt(kHalf * kHalf - reach * reach), 0};
    Net net;
    for (std::size_t i = 0; i < kKnots; ++i) {
        const float along = 2 * share(i);  // 1: the tip
        net.knots[i] = along < 1 ? first + (tip - first) * along : tip + (second - tip) * (along - 1);
    }
    return net;
}

Net drag(const Net& net, const Vec3& first, const Vec3& second) {
    // Pulled from each end alone, then mixed by nearness, so that no end has priority and a taut net is
    // stretched evenly.
    Net by_first = net;
    Net by_second = net;
    pull(by_first.knots, first);
    std::reverse(by_second.knots.begin(), by_second.knots.end());
    pull(by_second.knots, second);
    std::reverse(by_second.knots.begin(), by_second.knots.end());
    Net next;
    for (std::size_t i = 0; i < kKnots; ++i)
        next.knots[i] = by_first.knots[i] + (by_second.knots[i] - by_first.knots[i]) * share(i);
    return next;
}

bool encloses(const Net& net, const Vec3& first, const Vec3& second, const Vec3& point) {
    int turns = winding(second, first, point);
    Vec3 from = first;
    for (const Vec3& knot : net.knots) {
        turns += winding(from, knot, point);
        from = knot;
    }
    return turns + winding(from, second, point) != 0;
}

}  // namespace fray::snagger
