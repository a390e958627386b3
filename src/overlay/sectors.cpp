#include "overlay/sectors.hpp"

#include "core/math.hpp"

#include <algorithm>
#include <cmath>

namespace fray {

namespace {

constexpr double kFullTurn = 6.283185307179586;

/// Grows with the angle from +x, counter-clockwise, from 0 to 4: as good as the angle for comparing, and
/// exact with every compiler.
double turn(double x, double y) {
    const double size = std::abs(x) + std::abs(y);
    if (size == 0) return 0;
    const double share = y / size;
    if (x < 0) return 2 - share;
    return y < 0 ? 4 + share : share;
}

float shorter(float d, float extent) {
    if (d > extent / 2) return d - extent;
    return d < -extent / 2 ? d + extent : d;
}

}  // namespace

Sectors::Sectors(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const double angle = kFullTurn * i / count;
        starts_.push_back(i == 0 ? 0 : turn(math::cos(angle), math::sin(angle)));
    }
}

unsigned Sectors::of(const Vec3& offset) const {
    const auto after = std::ranges::upper_bound(starts_, turn(double{offset.x}, double{offset.y}));
    return static_cast<unsigned>(after - starts_.begin()) - 1;
}

Vec3 way(const World& world, const Vec3& from, const Vec3& to) {
    Vec3 d = to - from;
    if (world.wrap_x) d.x = shorter(d.x, world.high.x - world.low.x);
    if (world.wrap_y) d.y = shorter(d.y, world.high.y - world.low.y);
    return d;
}

}  // namespace fray
