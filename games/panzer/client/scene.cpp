#include "games/panzer/client/scene.hpp"

#include "games/panzer/client/look.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer::client {

namespace {

Instance placed(const glm::mat3& axes, const glm::vec3& place, const glm::vec4& tint) {
    Instance instance;
    for (int row = 0; row < 3; ++row)
        instance.rows[static_cast<std::size_t>(row)] = {axes[0][row], axes[1][row], axes[2][row], place[row]};
    instance.tint = tint;
    return instance;
}

glm::mat3 turned_z(const glm::mat3& axes, float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {axes[0] * c + axes[1] * s, axes[1] * c - axes[0] * s, axes[2]};
}

/// Around the left axis; positive: the front rises.
glm::mat3 turned_y(const glm::mat3& axes, float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {axes[0] * c + axes[2] * s, axes[1], axes[2] * c - axes[0] * s};
}

glm::mat3 scaled(const glm::mat3& axes, const glm::vec3& by) {
    return {axes[0] * by.x, axes[1] * by.y, axes[2] * by.z};
}

}  // namespace

std::uint32_t tank_colour(const Moment& moment, std::size_t number) {
    const std::uint8_t team = number < moment.tanks.size() ? moment.tanks[number].team : std::uint8_t{0};
    return team != 0 ? look::kTeams[(team - 1U) % 2] : player_colour(number);
}

Stand stand_on(const Heights& heights, const Vec2& place, float yaw, float pitch) {
    const glm::vec3 up = heights.normal(place);
    const glm::vec3 flat{std::cos(yaw), std::sin(yaw), 0};
    const glm::vec3 left = glm::normalize(glm::cross(up, flat));
    const glm::vec3 ahead = glm::cross(left, up);
    return {turned_y({ahead, left, up}, pitch), {place.x, place.y, heights.at(place)}};
}

void Scene::build(const Moment& moment, const Effects& effects, const Camera& camera, float sight,
                  Picture& picture) const {
    picture.clear();
    picture.camera = camera;
    picture.time = moment.at;
    const Vec2 eye{camera.eye.x, camera.eye.y};
    const glm::vec2 look = glm::normalize(glm::vec2{camera.target} - glm::vec2{camera.eye});
    for (std::size_t i = 0; i < moment.tanks.size(); ++i) {
        const Vec2 way = moment.tanks[i].position - eye;
        constexpr float kBehindEye = -25;  // its shadow may be in view
        if (square_length(way) > sight * sight || way.x * look.x + way.y * look.y < kBehindEye) continue;
        add_tank(moment, effects, i, picture);
    }
    add_things(moment, picture);
    add_particles(effects, picture);
    const auto is_farther = [&](const Sprite& a, const Sprite& b) {
        return glm::distance(a.position, camera.eye) > glm::distance(b.position, camera.eye);
    };
    std::ranges::sort(picture.sprites, is_farther);
}

void Scene::add_tank(const Moment& moment, const Effects& effects, std::size_t number,
                     Picture& picture) const {
    const ShownTank& tank = moment.tanks[number];
    const TankMotion none;
    const TankMotion& motion = number < effects.tanks().size() ? effects.tanks()[number] : none;
    const bool is_wreck = !tank.alive();
    if (is_wreck && motion.burnt > Effects::kWreckBurns) return;
    glm::vec3 colour = rgb(tank_colour(moment, number));
    if (is_wreck) colour = glm::mix(colour, rgb(0x2A2622), 0.85F);
    colour = glm::mix(colour, glm::vec3{1.25F}, motion.hit * 0.6F);
    Stand stand = is_wreck ? stand_on(*heights_, motion.wreck, motion.wreck_hull, 0.0F)
                           : stand_on(*heights_, tank.position, tank.hull, motion.pitch);
    if (is_wreck) {
        const float sinks = std::max(0.0F, motion.burnt - (Effects::kWreckBurns - 0.6F));
        stand.place.z -= sinks * 2.5F;
    }
    const float turn = is_wreck ? motion.wreck_turret - motion.wreck_hull : tank.turret - tank.hull;
    picture.of(Model::hull).push_back(placed(stand.axes, stand.place, {colour, 0}));
    add_running_gear(stand, motion, colour, picture);
    add_turret(stand, turn, motion.recoil, colour, number == moment.own && !is_wreck, picture);
    if (motion.shield > 0 && !is_wreck) {
        const glm::vec3 middle = stand.place + stand.axes[2] * 0.9F;
        picture.ghosts.push_back(placed(scaled(stand.axes, {2.5F, 2.2F, 1.7F}), middle,
                                        {rgb(look::kShield), motion.shield * 0.5F}));
    }
}

void Scene::add_running_gear(const Stand& stand, const TankMotion& motion, const glm::vec3& colour,
                             Picture& picture) const {
    const glm::mat3& axes = stand.axes;
    for (const float side : {-1.0F, 1.0F}) {
        picture.of(Model::tread)
            .push_back(
                placed(axes, stand.place + axes[1] * (side * TankShape::kTreadY), {colour, motion.rolled}));
        const glm::mat3 spun = turned_y(axes, -motion.rolled / TankShape::kWheelRadius);
        for (const float x : TankShape::kWheelX) {
            const glm::vec3 hub = stand.place + axes[0] * x + axes[1] * (side * TankShape::kWheelY) +
                                  axes[2] * (TankShape::kWheelRadius + 0.08F);
            picture.of(Model::wheel).push_back(placed(spun, hub, {colour, 0}));
        }
    }
}

void Scene::add_turret(const Stand& stand, float turn, float recoil, const glm::vec3& colour, bool is_own,
                       Picture& picture) const {
    const glm::mat3 axes = turned_z(stand.axes, turn);
    const glm::vec3 foot =
        stand.place + stand.axes[0] * TankShape::kTurretX + stand.axes[2] * TankShape::kTurretZ;
    picture.of(Model::turret).push_back(placed(axes, foot, {colour, 0}));
    const glm::vec3 barrel =
        foot + axes[0] * (TankShape::kBarrelX - recoil * 0.4F) + axes[2] * TankShape::kBarrelZ;
    picture.of(Model::barrel).push_back(placed(axes, barrel, {colour, 0}));
    if (is_own) picture.of(Model::chevron).push_back(placed(axes, foot, {1, 1, 1, 0}));
}

void Scene::add_things(const Moment& moment, Picture& picture) const {
    const auto turn = static_cast<float>(std::fmod(moment.at * 0.8, 6.2832));
    const float bob = 0.12F * std::sin(turn * 2);
    const glm::vec4 white{1, 1, 1, 0};
    for (std::size_t i = 0; i < std::min(moment.items.size(), map_->items.size()); ++i) {
        if (moment.items[i] == 0) continue;
        const Vec2 at = map_->items[i];
        picture.of(Model::crate)
            .push_back(
                placed(turned_z(glm::mat3{1}, turn), {at.x, at.y, heights_->at(at) + 1.0F + bob}, white));
        picture.marks.push_back({{at.x, at.y, heights_->at(at) + 0.06F},
                                 1.6F,
                                 {rgb(look::kAccent) * 0.55F, 0.25F},
                                 0,
                                 1,
                                 static_cast<float>(SpriteShape::ring),
                                 0});
    }
    for (std::size_t i = 0; i < std::min(moment.doors.size(), map_->doors.size()); ++i) {
        const DoorPlace& door = map_->doors[i];
        const Vec2 middle = (door.low + door.high) * 0.5F;
        const Vec2 size = door.high - door.low;
        const bool is_wide = size.x >= size.y;
        const glm::vec3 extent{is_wide ? size.x : size.y, 1.2F, kWallHeight * 0.92F};
        const glm::mat3 axes = turned_z(glm::mat3{1}, is_wide ? 0.0F : 1.5708F);
        picture.of(Model::door)
            .push_back(placed(scaled(axes, extent),
                              {middle.x, middle.y, -moment.doors[i] * (kWallHeight - 0.2F)}, white));
    }
    for (const ShownShell& shell : moment.shells)
        picture.of(Model::shell)
            .push_back(placed(turned_z(glm::mat3{1}, shell.heading),
                              {shell.position.x, shell.position.y, heights_->at(shell.position) + 1.35F},
                              white));
    if (moment.mode == Mode::flag) add_flag(moment, turn, picture);
}

void Scene::add_flag(const Moment& moment, float turn, Picture& picture) const {
    const glm::vec4 white{1, 1, 1, 0};
    const bool is_carried = moment.flag_carrier < moment.tanks.size();
    const Vec2 at = is_carried ? moment.tanks[moment.flag_carrier].position : moment.flag;
    const glm::vec3 foot{at.x, at.y, heights_->at(at) + (is_carried ? 1.2F : 0.0F)};
    picture.of(Model::pole).push_back(placed(glm::mat3{1}, foot, white));
    picture.of(Model::cloth).push_back(placed(turned_z(glm::mat3{1}, turn * 0.2F), foot, white));
}

void Scene::add_particle(const Particle& p, Picture& picture) {
    const auto shape = [](SpriteShape s) { return static_cast<float>(s); };
    // Smoke at the camera would hide the battle.
    const float far = glm::distance(p.position, picture.camera.eye) - p.size;
    const float clear = std::clamp((far - 2.5F) / 5, 0.0F, 1.0F);
    if (clear <= 0) return;
    const float left = std::clamp(1 - p.age / p.life, 0.0F, 1.0F);
    using Kind = Particle::Kind;
    if (p.kind == Kind::spark) {
        picture.of(Model::spark)
            .push_back(placed(turned_z(glm::mat3{p.size}, p.age * 9), p.position, {p.colour, 0}));
    } else if (p.kind == Kind::flash) {
        picture.sprites.push_back({p.position, p.size, {p.colour, 0}, 0, 1, shape(SpriteShape::glow), 0});
    } else if (p.kind == Kind::fire) {
        const glm::vec3 colour = left > 0.7F   ? glm::mix(p.colour, rgb(look::kFlash), (left - 0.7F) / 0.3F)
                                 : left > 0.3F ? glm::mix(rgb(look::kSmoke), p.colour, (left - 0.3F) / 0.4F)
                                               : rgb(look::kSmoke);
        picture.sprites.push_back({p.position,
                                   p.size * (0.5F + 0.5F * left),
                                   {colour * clear, clear},
                                   0,
                                   1,
                                   shape(SpriteShape::puff),
                                   0});
    } else {
        const float strength = std::min(1.0F, left * (p.kind == Kind::smoke ? 1.6F : 1.0F)) *
                               (p.kind == Kind::smoke ? 0.7F : 0.55F) * clear;
        picture.sprites.push_back(
            {p.position, p.size, {p.colour * strength, strength}, 0, 1, shape(SpriteShape::puff), 0});
    }
}

void Scene::add_particles(const Effects& effects, Picture& picture) const {
    const auto shape = [](SpriteShape s) { return static_cast<float>(s); };
    for (const TrackMark& mark : effects.marks()) {
        if (mark.age >= Effects::kMarkFades) continue;
        const float strength = 0.32F * (1 - mark.age / Effects::kMarkFades);
        picture.marks.push_back({{mark.place.x, mark.place.y, heights_->at(mark.place) + 0.03F},
                                 0.24F,
                                 {glm::vec3{0.42F, 0.35F, 0.24F} * strength, strength},
                                 mark.angle,
                                 1.25F,
                                 shape(SpriteShape::mark),
                                 0});
    }
    for (const Particle& p : effects.particles()) add_particle(p, picture);
    for (const Tracer& tracer : effects.tracers()) {
        const float left = 1 - tracer.age / Effects::kTracerLasts;
        picture.beams.push_back({tracer.from,
                                 0.09F,
                                 tracer.to,
                                 0.85F,
                                 {rgb(look::kFlash) * left, tracer.is_own ? 0.0F : left * 0.3F}});
    }
}

}  // namespace fray::panzer::client
