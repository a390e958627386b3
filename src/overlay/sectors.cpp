#include "overlay/sectors.hpp"

#include "core/math.hpp"

#include <algorithm>
#include <cmath>

namespace fray {

namespace {

constexpr double kFullTurn = 6.283185307179586;
constexpr double kTurn = 4;  // a full turn in the units of turn()

/// Grows from 0 to 4 with the angle from +x, counter-clockwise. As good as the angle for comparing, and exact
/// with every compiler.
double turn(double x, double y) {
    const double share = y / (std::abs(x) + std::abs(y));
    if (!(std::abs(share) <= 1)) return 0;  // NaN: there is no direction
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
    if (!(direction >= 0)) return 0;  // NaN
    // Assumes that turn() grows evenly with the angle: this gives the right sector or a neighbour of it.
    const unsigned last = count() - 1;
    unsigned sector = std::min(static_cast<unsigned>(direction * count() / kTurn), last);
    while (starts_[sector] > direction) --sector;
    while (sector < last && starts_[sector + 1] <= direction) ++sector;
    return sector;
}

}  // namespace fray
