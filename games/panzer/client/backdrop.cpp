#include "games/panzer/client/backdrop.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer::client {

namespace {

constexpr std::size_t kBots = 10;
constexpr float kSlowest = 0.1F;  // seconds of a frame that are made up for

}  // namespace

Backdrop::Backdrop(const Map& map, const NavMesh& mesh, Seed seed)
    : map_{&map},
      heights_{map},
      effects_{map, heights_},
      scene_{map, heights_},
      focus_{map.width() / 2, map.height() / 2} {
    std::vector<BotOptions> bots(kBots);
    for (std::size_t i = 0; i < kBots; ++i) {
        bots[i].level = 4;
        bots[i].character = static_cast<CharacterName>(i % kCharacters);
    }
    auto battle = BotBattle::start(map, mesh, bots, Mode::free_for_all, seed);
    if (battle) battle_.emplace(std::move(*battle));
}

void Backdrop::advance(float seconds) {
    if (!battle_) return;
    rest_ += std::min(seconds, kSlowest);
    for (; rest_ >= kStep; rest_ -= kStep) {
        battle_->step();
        time_ += static_cast<double>(kStep);
    }
    show(battle_->battle(), kNone, time_, moment_);
    effects_.see(moment_);
    effects_.advance(moment_, seconds);
    // The camera stays with one tank, and goes on to the nearest one when that is destroyed.
    const auto distance = [&](const ShownTank& tank) {
        return tank.alive() ? length(tank.position - focus_) : 1e9F;
    };
    if (!moment_.tanks[hero_].alive() && effects_.tanks()[hero_].burnt > 1.5F) {
        const auto nearest = std::ranges::min_element(moment_.tanks, {}, distance);
        hero_ = static_cast<std::size_t>(nearest - moment_.tanks.begin());
    }
    const Vec2 goal = moment_.tanks[hero_].alive() ? moment_.tanks[hero_].position : focus_;
    focus_ += (goal - focus_) * (is_placed_ ? 1 - std::exp(-seconds * 1.4F) : 1);
    is_placed_ = true;
}

const Picture& Backdrop::paint(float sight) {
    const auto turn = static_cast<float>(time_) * 0.06F + 0.6F;
    Camera camera;
    constexpr float kFar = 15, kUp = 5.5F;
    camera.eye = {focus_.x - std::cos(turn) * kFar, focus_.y - std::sin(turn) * kFar, kUp};
    camera.eye.x = std::clamp(camera.eye.x, 5.0F, map_->width() - 5);
    camera.eye.y = std::clamp(camera.eye.y, 5.0F, map_->height() - 5);
    // The menu covers the left: what is looked at lies to the right of the middle.
    camera.target = {focus_.x - std::sin(turn) * 3.2F, focus_.y + std::cos(turn) * 3.2F, 1.5F};
    camera.field_of_view = 50;
    scene_.build(moment_, effects_, camera, sight, picture_);
    return picture_;
}

}  // namespace fray::panzer::client
