#pragma once
// The camera behind a tank: it follows softly, stays out of walls, and shakes when something explodes.

#include "games/panzer/client/picture.hpp"
#include "games/panzer/client/terrain.hpp"
#include "games/panzer/rules/ground.hpp"

namespace fray::panzer::client {

class FollowCamera {
public:
    static constexpr float kBehind = 9;  ///< metres
    static constexpr float kAbove = 4.5F;
    static constexpr float kFollow = 0.15F;  ///< seconds

    /// At once behind this place.
    void jump_to(const Vec2& place, float yaw);
    /// `yaw`, `pitch`: where the player looks, radians. `shake`: metres.
    void advance(const Ground& ground, const Heights& heights, const Vec2& place, float yaw, float pitch,
                 float shake, float seconds);
    [[nodiscard]] const Camera& camera() const { return camera_; }
    [[nodiscard]] float yaw() const { return yaw_; }

private:
    Camera camera_;
    glm::vec2 place_{};
    float height_ = 0;
    float yaw_ = 0;
    float behind_ = kBehind;
    float clock_ = 0;
};

}  // namespace fray::panzer::client
