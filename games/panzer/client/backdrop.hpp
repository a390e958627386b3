#pragma once
// What moves behind the menu: a battle of bots by the rules alone, seen by a camera that goes around.

#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/client/effects.hpp"
#include "games/panzer/client/scene.hpp"

#include <optional>

namespace fray::panzer::client {

class Backdrop {
public:
    /// Both must outlive this object.
    Backdrop(const Map& map, const NavMesh& mesh, Seed seed);
    void advance(float seconds);
    const Picture& paint(float sight);
    [[nodiscard]] const Heights& heights() const { return heights_; }

private:
    const Map* map_;
    Heights heights_;
    std::optional<BotBattle> battle_;
    Effects effects_;
    Scene scene_;
    Moment moment_;
    Picture picture_;
    float rest_ = 0;
    double time_ = 0;
    Vec2 focus_{};
    std::size_t hero_ = 0;
    bool is_placed_ = false;
};

}  // namespace fray::panzer::client
