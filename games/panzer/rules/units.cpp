#include "games/panzer/rules/units.hpp"

#include "core/math.hpp"

namespace fray::panzer {

namespace {

/// The power series of the cosine (first term 1) or the sine (x) up to a quarter of a turn; what is left out
/// is below 1e-14.
constexpr double series(double x, double term, double power) {
    double sum = term;
    for (int i = 0; i < 9; ++i) {
        term *= -x * x / ((power + 1) * (power + 2));
        power += 2;
        sum += term;
    }
    return sum;
}

using Directions = std::array<Vec2, 1U << kDirectionBits>;

/// One quarter, and three more by turning it: computed by the compiler.
constexpr Directions all_directions() {
    Directions all{};
    constexpr std::size_t kQuarter = all.size() / 4;
    for (std::size_t i = 0; i < kQuarter; ++i) {
        const double x = math::kPi / 2 * static_cast<double>(i) / static_cast<double>(kQuarter);
        const Vec2 v{static_cast<float>(series(x, 1, 0)), static_cast<float>(series(x, x, 1))};
        all[i] = v;
        all[i + kQuarter] = {0 - v.y, v.x};
        all[i + 2 * kQuarter] = {0 - v.x, 0 - v.y};
        all[i + 3 * kQuarter] = {v.y, 0 - v.x};
    }
    return all;
}

}  // namespace

constexpr Directions kDirections = all_directions();

Angle angle_of(const Vec2& v) {
    const double turns = math::atan2(static_cast<double>(v.y), static_cast<double>(v.x)) / (2 * math::kPi);
    return static_cast<Angle>(static_cast<std::int32_t>(turns * 65536));
}

}  // namespace fray::panzer
