#include "games/panzer/client/moment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::panzer::client {

namespace {

constexpr float kTurn = 2 * std::numbers::pi_v<float>;
constexpr float kJump = 6;  // metres between two moments: it was placed there

float mixed_angle(float from, float to, float share) {
    return from + std::remainder(to - from, kTurn) * share;
}

ShownTank shown_tank(const Tank& tank) {
    return {.position = tank.position,
            .hull = radians_of(tank.hull),
            .turret = radians_of(tank.turret),
            .speed = tank.speed,
            .armour = tank.armour,
            .shield = tank.shield,
            .team = tank.team,
            .fire_rate = tank.fire_rate,
            .gun_power = tank.gun_power,
            .engine = tank.engine,
            .gun_wait = tank.gun_wait,
            .shell_wait = tank.shell_wait,
            .respawn_wait = tank.respawn_wait};
}

}  // namespace

float radians_of(Angle angle) { return static_cast<float>(angle) * (kTurn / 65536); }

void show(const Battle& battle, std::uint16_t own, double at, Moment& moment) {
    moment.at = at;
    moment.own = own;
    moment.mode = battle.mode;
    moment.tanks.resize(battle.tanks.size());
    moment.scores.resize(battle.tanks.size());
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        moment.tanks[i] = shown_tank(battle.tanks[i]);
        const Record& record = battle.records[i];
        Score& score = moment.scores[i];
        score.score = record.score;
        score.kills = record.kills;
        score.deaths = record.deaths;
    }
    moment.shells.clear();
    for (const Shell& shell : battle.shells)
        moment.shells.push_back({shell.shooter, shell.position, radians_of(angle_of(shell.velocity))});
    moment.items.clear();
    for (const Item& item : battle.items) moment.items.push_back(item.wait == 0 ? 1 : 0);
    moment.doors.clear();
    for (const Door& door : battle.doors)
        moment.doors.push_back(static_cast<float>(door.opened) / kDoorSteps);
    moment.flag_carrier = battle.flag.carrier;
    moment.flag = battle.flag.position;
}

void show(const ScreenFrame& frame, Mode mode, Moment& moment) {
    const double before = moment.at;
    moment.at = frame.at / 1000.0;
    moment.own = frame.tanks.empty() ? kNone : std::uint16_t{0};
    moment.mode = mode;
    const auto elapsed = static_cast<float>(moment.at - before);
    moment.tanks.resize(frame.tanks.size());
    moment.scores.resize(frame.tanks.size());
    for (std::size_t i = 0; i < frame.tanks.size(); ++i) {
        const ScreenTank& from = frame.tanks[i];
        ShownTank tank{.position = from.place.metres(),
                       .hull = radians_of(angle_of_screen(from.hull)),
                       .turret = radians_of(angle_of_screen(from.turret)),
                       .armour = from.armour,
                       .shield = from.shield,
                       .team = from.team};
        const Vec2 way = tank.position - moment.tanks[i].position;
        const Vec2 ahead{std::cos(tank.hull), std::sin(tank.hull)};
        if (elapsed > 0.01F && elapsed < 0.5F && moment.tanks[i].alive())
            tank.speed = dot(way, ahead) / elapsed;
        moment.tanks[i] = tank;
        moment.scores[i] = {from.name, from.score, from.kills, from.deaths};
    }
    moment.shells.clear();
    for (const ScreenShell& shell : frame.shells)
        moment.shells.push_back(
            {shell.shooter, shell.place.metres(), radians_of(angle_of_screen(shell.heading))});
    moment.items = frame.items;
    moment.doors.clear();
    for (const std::uint8_t opened : frame.doors)
        moment.doors.push_back(static_cast<float>(opened) / kDoorSteps);
    moment.flag_carrier = frame.flag.carrier;
    moment.flag = frame.flag.place.metres();
}

void mix(const Moment& from, const Moment& to, float share, Moment& result) {
    result = to;
    result.at = from.at + (to.at - from.at) * static_cast<double>(share);
    for (std::size_t i = 0; i < std::min(from.tanks.size(), to.tanks.size()); ++i) {
        const ShownTank& a = from.tanks[i];
        const ShownTank& b = to.tanks[i];
        const Vec2 way = b.position - a.position;
        if (!a.alive() || !b.alive() || square_length(way) > kJump * kJump) continue;
        ShownTank& tank = result.tanks[i];
        tank.position = a.position + way * share;
        tank.hull = mixed_angle(a.hull, b.hull, share);
        tank.turret = mixed_angle(a.turret, b.turret, share);
        tank.speed = a.speed + (b.speed - a.speed) * share;
    }
    // Shells have no names: they are moved back along their way.
    const auto late = static_cast<float>((to.at - from.at) * (1.0 - static_cast<double>(share)));
    for (ShownShell& shell : result.shells) {
        constexpr float kSpeed = 38;
        shell.position -= Vec2{std::cos(shell.heading), std::sin(shell.heading)} * (kSpeed * late);
    }
    for (std::size_t i = 0; i < std::min(from.doors.size(), to.doors.size()); ++i)
        result.doors[i] = from.doors[i] + (to.doors[i] - from.doors[i]) * share;
}

}  // namespace fray::panzer::client
