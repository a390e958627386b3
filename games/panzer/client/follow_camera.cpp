#include "games/panzer/client/follow_camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::panzer::client {

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
    constexpr float kMargin = 0.7F;
    const Vec2 here{place_.x, place_.y};
    const float free = free_way(ground, here, {-ahead.x, -ahead.y}, kBehind + kMargin) - kMargin;
    const float wanted = std::clamp(free, 2.2F, kBehind);
    // In at once, so that it is never inside a wall; out softly.
    behind_ = wanted < behind_ ? wanted : behind_ + (wanted - behind_) * share * 0.5F;
    const float lift = height_ + kAbove + (kBehind - behind_) * 0.55F - pitch * 4.0F;
    const glm::vec2 eye = place_ - ahead * behind_;
    const glm::vec3 tremble{std::sin(clock_ * 47) * shake, std::sin(clock_ * 61 + 1) * shake,
                            std::sin(clock_ * 53 + 2) * shake};
    camera_.eye = glm::vec3{eye, std::max(1.2F, lift)} + tremble;
    camera_.target =
        glm::vec3{place_ + ahead * (2.5F + 5.5F * behind_ / kBehind), height_ + 1.3F + pitch * 9.0F} +
        tremble * 0.5F;
}

}  // namespace fray::panzer::client
