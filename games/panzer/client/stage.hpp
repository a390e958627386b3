#pragma once
// A battle as it is shown, whatever it comes from: the camera, effects, kill feed, scene and displays of one
// map, kept in step.

#include "games/panzer/client/follow_camera.hpp"
#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/kill_feed.hpp"
#include "games/panzer/client/scene.hpp"

namespace fray::panzer::client {

class Stage {
public:
    /// The map must outlive the stage.
    explicit Stage(const Map& map);
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    [[nodiscard]] const Map& map() const { return map_; }
    [[nodiscard]] const Heights& heights() const { return heights_; }

    /// A new moment of the game.
    void see(const Moment& moment);
    struct Look {
        std::optional<float> yaw{};  ///< where the player looks; nothing: along the turret
        float pitch = 0;
        bool shakes = true;
    };
    /// Time passes on the screen, which shows `shown`.
    void advance(const Moment& shown, const Look& look, float seconds);
    /// The picture of this moment.
    const Picture& paint(const Moment& shown, float sight);
    HudModel& fill(const Moment& shown, const std::vector<SeatNote>& seats, const glm::vec2& size);

    [[nodiscard]] const Camera& camera() const { return camera_.camera(); }
    [[nodiscard]] Picture& picture() { return picture_; }
    [[nodiscard]] Effects& effects() { return effects_; }
    [[nodiscard]] const HudModel& hud() const { return hud_; }

private:
    const Map& map_;
    Heights heights_;
    std::vector<Door> doors_;
    Effects effects_;
    KillFeed feed_;
    Scene scene_;
    FollowCamera camera_;
    Picture picture_;
    HudModel hud_;
    float yaw_ = 0;
    bool is_placed_ = false;
};

}  // namespace fray::panzer::client
