#include "games/panzer/client/hud.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/scene.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer::client {

namespace {

constexpr float kTagsReach = 110;  // metres
constexpr double kFeedFades = 1;   // seconds

void fill_rows(const Moment& moment, const std::vector<SeatNote>& seats, HudModel& hud) {
    hud.rows.clear();
    for (std::size_t i = 0; i < moment.scores.size(); ++i) {
        const Score& score = moment.scores[i];
        const bool is_own = i == moment.own;
        const SeatNote seat = i < seats.size() ? seats[i] : SeatNote{};
        hud.rows.push_back({.tank = static_cast<std::uint16_t>(i),
                            .name = score.name.empty() ? "?" : score.name,
                            .colour = tank_colour(moment, i),
                            .score = score.score,
                            .kills = score.kills,
                            .deaths = score.deaths,
                            .rtt_ms = seat.rtt_ms,
                            .is_own = is_own,
                            .is_person = seat.is_person});
    }
    std::ranges::stable_sort(hud.rows, [](const HudModel::Row& a, const HudModel::Row& b) {
        return a.score != b.score ? a.score > b.score : a.deaths < b.deaths;
    });
    for (std::size_t i = 0; i < hud.rows.size(); ++i) {
        HudModel::Row& row = hud.rows[i];
        const bool ties = i > 0 && hud.rows[i - 1].score == row.score;
        row.rank = ties ? hud.rows[i - 1].rank : static_cast<int>(i) + 1;
        if (row.is_own) hud.rank = row.rank;
    }
}

void fill_tags(const Moment& moment, const std::vector<SeatNote>& seats, const Camera& camera,
               const glm::vec2& size, HudModel& hud) {
    hud.tags.clear();
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        const ShownTank& tank = moment.tanks[i];
        if (i == moment.own || !tank.alive()) continue;
        const glm::vec3 at =
            project(camera, size, {tank.position.x, tank.position.y, TankShape::kHeight + 0.9F});
        if (at.z < 1 || at.z > kTagsReach || at.x < 0 || at.x > size.x || at.y < 0 || at.y > size.y) continue;
        hud.tags.push_back({at.x, at.y, moment.scores[i].name, tank_colour(moment, i),
                            static_cast<float>(tank.armour) / kFullArmour,
                            std::clamp(1.5F - at.z / kTagsReach, 0.35F, 1.0F),
                            i < seats.size() && seats[i].is_person});
    }
}

void fill_blips(const Moment& moment, const Map& map, const std::vector<SeatNote>& seats, HudModel& hud) {
    hud.blips.clear();
    const auto add = [&](const Vec2& at, float turn, std::uint32_t colour, bool is_own, bool is_item) {
        hud.blips.push_back({at.x / map.width(), at.y / map.height(), turn, colour, is_own, is_item, false});
    };
    for (std::size_t i = 0; i < std::min(moment.items.size(), map.items.size()); ++i) {
        if (moment.items[i] != 0) add(map.items[i], 0, look::kAccent, false, true);
    }
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        if (moment.tanks[i].alive() && i != moment.own) {
            add(moment.tanks[i].position, moment.tanks[i].hull, tank_colour(moment, i), false, false);
            hud.blips.back().is_person = i < seats.size() && seats[i].is_person;
        }
    }
    if (const ShownTank* own = moment.own_tank(); own != nullptr && own->alive())
        add(own->position, own->turret, 0xFFFFFF, true, false);
}

void fill_feed(const Moment& moment, const KillFeed& feed, HudModel& hud) {
    hud.feed.clear();
    const auto name = [&](std::uint16_t tank) {
        return tank < moment.scores.size() ? moment.scores[tank].name : std::string{};
    };
    for (const KillFeed::Line& line : feed.lines()) {
        const double left = KillFeed::kShown - (moment.at - line.at);
        hud.feed.push_back({.killer = line.killer == kNone ? std::string{} : name(line.killer),
                            .victim = name(line.victim),
                            .killer_colour = tank_colour(moment, line.killer),
                            .victim_colour = tank_colour(moment, line.victim),
                            .concerns_own = line.killer == moment.own || line.victim == moment.own,
                            .strength = static_cast<float>(std::clamp(left / kFeedFades, 0.0, 1.0))});
    }
}

void fill_own(const Moment& moment, const Effects& effects, const KillFeed& feed, const Camera& camera,
              HudModel& hud) {
    const ShownTank* own = moment.own_tank();
    hud.has_own = own != nullptr;
    hud.arcs.clear();
    hud.powers.clear();
    hud.hit_marker = effects.hit_marker();
    if (own == nullptr) return;
    hud.armour = own->armour;
    hud.shield = own->shield;
    const auto loaded = [](std::uint16_t wait, float whole) {
        return std::clamp(1 - static_cast<float>(wait) / whole, 0.0F, 1.0F);
    };
    hud.gun = loaded(own->gun_wait, static_cast<float>(kGunSteps - kGunSteps * own->fire_rate / 6));
    hud.shell = loaded(own->shell_wait, kShellSteps);
    hud.respawn = own->alive() ? 0 : std::max(0.1F, static_cast<float>(own->respawn_wait) * kStep);
    const auto power = [&](const char* what, std::uint8_t level) {
        if (level > 0) hud.powers.push_back(std::string{what} + " +" + std::to_string(level));
    };
    power("Fire rate", own->fire_rate);
    power("Gun", own->gun_power);
    power("Engine", own->engine);
    hud.destroyed_by.clear();
    for (const KillFeed::Line& line : feed.lines()) {
        if (line.victim == moment.own && line.killer < moment.scores.size())
            hud.destroyed_by = moment.scores[line.killer].name;
    }
    const float yaw = std::atan2(camera.target.y - camera.eye.y, camera.target.x - camera.eye.x);
    for (const DamageArc& arc : effects.arcs())
        hud.arcs.push_back(
            {std::remainder(yaw - arc.angle, 6.2831853F), std::clamp(1.6F - arc.age, 0.0F, 1.0F)});
}

void fill_aim(const Moment& moment, const Camera& camera, const glm::vec2& size, HudModel& hud) {
    const ShownTank* own = moment.own_tank();
    hud.has_aim = own != nullptr && own->alive();
    if (!hud.has_aim) return;
    constexpr float kAhead = 45;  // metres
    const glm::vec3 point{own->position.x + std::cos(own->turret) * kAhead,
                          own->position.y + std::sin(own->turret) * kAhead, 1.4F};
    const glm::vec3 at = project(camera, size, point);
    hud.has_aim = at.z > 0;
    hud.aim_x = at.x;
    hud.aim_y = at.y;
}

}  // namespace

void fill_hud(const Moment& moment, const Map& map, const Effects& effects, const KillFeed& feed,
              const std::vector<SeatNote>& seats, const Camera& camera, const glm::vec2& size,
              HudModel& hud) {
    fill_rows(moment, seats, hud);
    fill_tags(moment, seats, camera, size, hud);
    fill_blips(moment, map, seats, hud);
    fill_feed(moment, feed, hud);
    fill_own(moment, effects, feed, camera, hud);
    fill_aim(moment, camera, size, hud);
}

}  // namespace fray::panzer::client
