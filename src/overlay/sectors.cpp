#include "overlay/sectors.hpp"

#include "core/math.hpp"

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

}  // namespace

Sectors::Sectors(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const double angle = kFullTurn * i / count;
        starts_.push_back(i == 0 ? 0 : turn(math::cos(angle), math::sin(angle)));
    }
}

unsigned Sectors::of(const Vec3& offset) const {
    const double direction = turn(double{offset.x}, double{offset.y});
    unsigned begun = 0;  // counted rather than searched for: they are few
    for (const double start : starts_) begun += start <= direction ? 1U : 0U;
    return begun == 0 ? 0 : begun - 1;  // in no direction at all where the offset is no number
}

}  // namespace fray
