#include "core/motion.hpp"

#include "core/space.hpp"

namespace fray {

Pose straight_on(const World& world, Pose pose, Duration ahead) {
    pose.position = inside(world, pose.position + pose.velocity * static_cast<float>(seconds(ahead)));
    return pose;
}

Pose go_on(const World& world, EntityTypeId type, const Pose& pose, std::span<const std::uint8_t> payload,
           std::span<const std::uint8_t> input, Duration ahead) {
    const AdvanceFunction& advance = world.types[static_cast<std::size_t>(type)].advance;
    if (advance == nullptr) return straight_on(world, pose, ahead);
    const auto ticks = static_cast<std::uint32_t>(ahead / world.tick);
    return straight_on(world, advance(pose, payload, input, ticks), ahead - ticks * world.tick);
}

Pose between(const World& world, const Pose& first, const Pose& second, float share) {
    constexpr float kTurn = 360;
    Pose pose = second;
    pose.position = inside(world, first.position + way(world, first.position, second.position) * share);
    pose.velocity = first.velocity + (second.velocity - first.velocity) * share;
    pose.yaw = first.yaw + detail::shorter(second.yaw - first.yaw, kTurn) * share;
    if (pose.yaw < 0) pose.yaw += kTurn;
    if (pose.yaw >= kTurn) pose.yaw -= kTurn;
    pose.pitch = first.pitch + (second.pitch - first.pitch) * share;
    return pose;
}

}  // namespace fray
