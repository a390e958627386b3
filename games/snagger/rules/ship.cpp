#include "games/snagger/rules/ship.hpp"

#include "core/math.hpp"

namespace fray::snagger {
namespace {

static_assert(kTopSpeed < kVelocityLimit);

float turned(float yaw, const Input& input) {
    if (input.left == input.right) return yaw;
    yaw += input.left ? kTurn : -kTurn;
    if (yaw < 0) return yaw + 360;
    return yaw >= 360 ? yaw - 360 : yaw;
}

Vec3 pointing(float yaw) {
    const double radians = double{yaw} * math::kPi / 180;
    return {static_cast<float>(math::cos(radians)), static_cast<float>(math::sin(radians)), 0};
}

}  // namespace

Ship advance(const Ship& ship, const Input& input) {
    Ship next{.pose = ship.pose, .snagging = input.snag};
    Pose& pose = next.pose;
    pose.yaw = turned(pose.yaw, input);
    if (input.thrust) pose.velocity += pointing(pose.yaw) * (kThrust * kTickSeconds);
    pose.velocity *= kGlide;
    const Vec3 wanted = pose.position + pose.velocity * kTickSeconds;
    pose.position = inside_screen(wanted);
    if (pose.position.x != wanted.x) pose.velocity.x = 0;
    if (pose.position.y != wanted.y) pose.velocity.y = 0;
    return next;
}

}  // namespace fray::snagger
