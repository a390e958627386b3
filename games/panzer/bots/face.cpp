#include "games/panzer/bots/face.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

Angle bearing_of(const Vec2& from, const Vec2& target, std::int16_t deviation) {
    return static_cast<Angle>(angle_of(target - from) + deviation);
}

Angle face(Angle turret, Angle wanted, float degrees_per_second) {
    const auto most = static_cast<std::int32_t>(degrees_per_second * (65536.0F / 360 * kStep));
    const std::int32_t way = turn_between(turret, wanted);
    return static_cast<Angle>(turret + std::clamp(way, -most, most));
}

float aim_error(Angle turret, Angle wanted) {
    return std::abs(static_cast<float>(turn_between(turret, wanted))) * (360.0F / 65536);
}

}  // namespace fray::panzer
