#include "replica/dead_reckoning.hpp"

#include <algorithm>

namespace fray {

namespace {

float keep_inside(float value, float low, float high, bool wraps) {
    if (!wraps || high <= low) return std::clamp(value, low, high);
    const float extent = high - low;
    constexpr int kMostTurns = 8;  // a second of motion; a motion model that runs away is clamped
    for (int i = 0; i < kMostTurns && value >= high; ++i) value -= extent;
    for (int i = 0; i < kMostTurns && value < low; ++i) value += extent;
    return std::clamp(value, low, high);
}

}  // namespace

Pose dead_reckon(const Replica& replica, const World& world) {
    const Duration ahead = std::clamp(replica.age, Duration{0}, kMaxExtrapolation);
    Pose pose = replica.received;
    Duration rest = ahead;
    if (const AdvanceFunction advance = world.types[static_cast<std::size_t>(replica.type)].advance) {
        const auto ticks = static_cast<std::uint32_t>(ahead / world.tick);
        pose = advance(pose, replica.payload, replica.input, ticks);
        rest = ahead - ticks * world.tick;
    }
    pose.position += pose.velocity * static_cast<float>(seconds(rest));
    pose.position.x = keep_inside(pose.position.x, world.low.x, world.high.x, world.wrap_x);
    pose.position.y = keep_inside(pose.position.y, world.low.y, world.high.y, world.wrap_y);
    pose.position.z = std::clamp(pose.position.z, world.low.z, world.high.z);
    return pose;
}

}  // namespace fray
