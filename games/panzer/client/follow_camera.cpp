#include "games/panzer/client/follow_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::panzer::client {

namespace {

constexpr float kShortest = 4;          // metres
constexpr float kLiftPerMetre = 0.12F;  // that the boom is shortened
constexpr float kClear = 0.6F;          // metres, above what the eye is over
constexpr float kTurret = 1.6F;         // metres: what must be seen of the tank

/// How far behind the tank the eye is, with a wall so far behind it. The eye is higher than walls; the boom
/// is as short as it takes to see the turret over the wall.
float boom_before(float wall) {
    const float boom = wall * (FollowCamera::kAbove - kTurret) / (kWallHeight + 0.2F - kTurret);
    return wall >= FollowCamera::kBehind ? FollowCamera::kBehind
                                         : std::clamp(boom, kShortest, FollowCamera::kBehind);
}

}  // namespace

void FollowCamera::jump_to(const Vec2& place, float yaw) {
    place_ = {place.x, place.y};
    yaw_ = yaw;
    behind_ = kBehind;
}

void FollowCamera::advance(const Ground& ground, const Heights& heights, const Vec2& place, float yaw,
                           float pitch, float shake, float seconds) {
    const float share = 1 - std::exp(-seconds / kFollow);
    const glm::vec2 goal{place.x, place.y};
    constexpr float kElsewhere = 12;
    if (glm::distance(goal, place_) > kElsewhere) jump_to(place, yaw);
    place_ += (goal - place_) * std::min(1.0F, share * 2.5F);
    yaw_ += std::remainder(yaw - yaw_, 2 * std::numbers::pi_v<float>) * share;
    height_ += (heights.at({place_.x, place_.y}) - height_) * share;
    clock_ += seconds;

    const glm::vec2 ahead{std::cos(yaw_), std::sin(yaw_)};
    const Vec2 here{place_.x, place_.y};
    const float wall = free_way(ground, here, {-ahead.x, -ahead.y}, kBehind);
    behind_ += (boom_before(wall) - behind_) * share;
    const glm::vec2 eye = place_ - ahead * behind_;
    const glm::vec3 tremble{std::sin(clock_ * 47) * shake, std::sin(clock_ * 61 + 1) * shake,
                            std::sin(clock_ * 53 + 2) * shake};
    const float lift = height_ + kAbove + (kBehind - behind_) * kLiftPerMetre - pitch * 4.0F;
    const bool is_over_wall = ground.is_solid(ground.map.place_of({eye.x, eye.y}));
    const float least = heights.at({eye.x, eye.y}) + (is_over_wall ? kWallHeight + kClear : kClear * 2);
    camera_.eye = glm::vec3{eye, std::max(least, lift)} + tremble;
    camera_.target =
        glm::vec3{place_ + ahead * (1.0F + 7.0F * behind_ / kBehind), height_ + 1.3F + pitch * 9.0F} +
        tremble * 0.5F;
}

}  // namespace fray::panzer::client
