#include "games/panzer/client/stage.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer::client {

Stage::Stage(const Map& map)
    : map_{map},
      heights_{map},
      doors_(map.doors.size(), Door{.opened = kDoorSteps, .hold = 0}),
      effects_{map, heights_},
      scene_{map, heights_} {}

void Stage::see(const Moment& moment) {
    effects_.see(moment);
    feed_.see(moment);
}

void Stage::advance(const Moment& shown, const Look& look, float seconds) {
    effects_.advance(shown, seconds);
    Vec2 place{map_.width() / 2, map_.height() / 2};
    if (const ShownTank* own = shown.own_tank(); own != nullptr) {
        place = own->position;
        // A bot's turret turns quickly: the camera follows it as a head would.
        constexpr float kHead = 0.35F;
        const float goal = look.yaw.value_or(own->turret);
        const float share = look.yaw ? 1 : 1 - std::exp(-seconds / kHead);
        yaw_ += std::remainder(goal - yaw_, 6.2831853F) * (is_placed_ ? share : 1);
        if (!is_placed_) camera_.jump_to(place, yaw_);
        is_placed_ = true;
    }
    const float shake = look.shakes ? effects_.shake() : 0;
    camera_.advance({map_, doors_}, heights_, place, yaw_, look.pitch, shake, seconds);
}

const Picture& Stage::paint(const Moment& shown, float sight) {
    scene_.build(shown, effects_, camera_.camera(), sight, picture_);
    return picture_;
}

HudModel& Stage::fill(const Moment& shown, const std::vector<SeatNote>& seats, const glm::vec2& size) {
    fill_hud(shown, map_, effects_, feed_, seats, camera_.camera(), size, hud_);
    return hud_;
}

}  // namespace fray::panzer::client
