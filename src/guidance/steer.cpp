#include "guidance/steer.hpp"

#include "core/math.hpp"
#include "core/motion.hpp"
#include "core/space.hpp"

#include <algorithm>
#include <cmath>

namespace fray {

namespace {

constexpr float kReaction = 0.2F;    // seconds from rest to top speed
constexpr float kCorrection = 0.2F;  // seconds in which an error shrinks to 1/e
constexpr float kTurn = 360;
constexpr float kDegrees = static_cast<float>(180 / math::kPi);

/// Where it is to look.
Facing wanted(const World& world, const GuideStep& step, const ShownWorld& shown, bool turns_body) {
    const Pose& predicted = step.guidance.predicted;
    const auto& aim = step.guidance.aim;
    const auto target = aim && turns_body ? shown.shown(aim->target) : std::nullopt;
    if (!target) return {predicted.yaw, predicted.pitch};
    const Facing there = bearing(way(world, step.shown.position, target->position));
    return {there.yaw + aim->deviation.yaw, std::clamp(there.pitch + aim->deviation.pitch, -90.0F, 90.0F)};
}

/// The velocity that shortens the way to a goal in motion, within the speed limit. Beside the goal's own
/// velocity, all of it points to the goal: the way then shrinks as fast as the limit allows.
Vec3 intercept(const Vec3& goal_velocity, const Vec3& error, float top_speed) {
    const float apart = length(error);
    const float spare = top_speed * top_speed - dot(goal_velocity, goal_velocity);
    if (apart == 0 || spare < 0) return at_most(goal_velocity + error * (1 / kCorrection), top_speed);
    const Vec3 unit = error * (1 / apart);
    const float along = dot(goal_velocity, unit);
    const float most = std::sqrt(along * along + spare) - along;
    return goal_velocity + unit * std::min(apart / kCorrection, most);
}

/// About the z axis.
Vec3 rotated(const Vec3& v, float degrees) {
    if (degrees == 0) return v;
    const double angle = static_cast<double>(degrees) * math::kPi / 180;
    const auto sin = static_cast<float>(math::sin(angle));
    const auto cos = static_cast<float>(math::cos(angle));
    return {v.x * cos - v.y * sin, v.x * sin + v.y * cos, v.z};
}

}  // namespace

Pose on_the_way(const World& world, const Pose& from, const Pose& to, float share) {
    Pose pose = between(world, from, to, share);
    pose.velocity = rotated(from.velocity, detail::shorter(pose.yaw - from.yaw, 360)) * (1 - share) +
                    rotated(to.velocity, detail::shorter(pose.yaw - to.yaw, 360)) * share;
    return pose;
}

float turned(float from, float to, float most) {
    float turn = to - from;
    turn -= kTurn * std::floor(turn / kTurn + 0.5F);  // the shorter way
    float angle = from + std::clamp(turn, -most, most);
    if (angle < 0) angle += kTurn;
    return angle >= kTurn ? angle - kTurn : angle;
}

Facing bearing(const Vec3& direction) {
    const double flat = static_cast<double>(length({direction.x, direction.y, 0}));
    const double yaw = math::atan2(static_cast<double>(direction.y), static_cast<double>(direction.x));
    const double pitch = math::atan2(static_cast<double>(direction.z), flat);
    return {static_cast<float>(yaw) * kDegrees, static_cast<float>(pitch) * kDegrees};
}

Vec3 at_most(const Vec3& vector, float most) {
    const float size = length(vector);
    return size > most ? vector * (most / size) : vector;
}

Guided steer(const World& world, const GuideStep& step, const ShownWorld& shown, bool turns_body) {
    if (step.placed) return {step.direct, true};
    const auto length = static_cast<float>(seconds(step.length));
    const Pose& goal = step.guidance.predicted;
    const Vec3 stays = inside(world, step.shown.position + goal.velocity * length);
    const Vec3 wish = intercept(goal.velocity, way(world, stays, goal.position), step.top_speed);
    const Vec3 change = at_most(wish - step.shown.velocity, step.top_speed * (length / kReaction));
    Pose pose = step.shown;
    pose.velocity = at_most(pose.velocity + change, step.top_speed);
    pose.position = inside(world, pose.position + pose.velocity * length);
    const Facing facing = wanted(world, step, shown, turns_body);
    const float most = step.turn_limit * length;
    pose.yaw = turned(pose.yaw, facing.yaw, most);
    pose.pitch += std::clamp(facing.pitch - pose.pitch, -most, most);
    return {pose, false};
}

}  // namespace fray
