#include "games/snagger/pilot/finger.hpp"

#include <algorithm>

namespace fray::snagger {
namespace {

constexpr double kReactionLeast = 0.200;  // seconds: seeing, deciding and moving a finger
constexpr double kReactionMost = 0.250;
constexpr double kGlanceLeast = 0.100;  // seconds between two observations
constexpr double kGlanceMost = 0.200;
constexpr double kShortestPress = 0.070;  // seconds: a tap
constexpr double kLongestPress = 1.5;
constexpr double kTimingError = 0.15;  // relative error of the planned duration

std::uint32_t ticks(double seconds) { return static_cast<std::uint32_t>(seconds * kTicksPerSecond + 0.5); }

}  // namespace

void Finger::press(std::uint32_t tick, double seconds, RandomStream& random) {
    down_ = tick + ticks(random.uniform(kReactionLeast, kReactionMost));
    const double held = seconds * random.log_normal(1, kTimingError);
    up_ = down_ + ticks(std::clamp(held, kShortestPress, kLongestPress));
}

void Finger::rest(std::uint32_t tick, RandomStream& random) {
    down_ = up_ = tick + ticks(random.uniform(kGlanceLeast, kGlanceMost));
}

}  // namespace fray::snagger
