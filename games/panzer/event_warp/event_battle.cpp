#include "games/panzer/event_warp/event_battle.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

/// Whether a tank can be where, and as fast as, the message says.
bool is_possible(const Map& map, const EventMessage& message) {
    using Kind = EventMessage::Kind;
    constexpr float kFastest = kTopSpeed * (1 + kEngineStep * static_cast<float>(kMostLevel));
    const bool has_place =
        message.kind == Kind::move || message.kind == Kind::shoot || message.kind == Kind::respawn;
    if (has_place && !map.holds(message.position)) return false;
    return message.kind != Kind::move || std::abs(message.speed) <= kFastest;
}

}  // namespace

EventBattle::EventBattle(const Battlefield& field, const Battle& battle, SessionInstant start,
                         std::optional<std::uint16_t> self)
    : field_{&field}, self_{self}, driven_(battle.tanks.size()) {
    for (const Tank& tank : battle.tanks) {
        tanks_.push_back({.tank = tank, .keys = {.aim = sent_aim(tank.turret)}, .since = start});
    }
}

std::int64_t EventBattle::steps_until(const EventTank& tank, SessionInstant time) {
    // The nearest step: an owner whose clock is corrected by some microseconds computes as all others do.
    const Duration passed = std::clamp(time - tank.since, Duration{}, kMostDriven);
    return (passed + kStepTime / 2) / kStepTime;
}

Tank EventBattle::at(std::size_t number, SessionInstant time) const {
    const EventTank& tank = tanks_[number];
    if (!tank.tank.alive()) return tank.tank;
    Driven& driven = driven_[number];
    const std::int64_t steps = steps_until(tank, time);
    if (driven.from != tank || driven.steps > steps) driven = {tank, 0, tank.tank};
    const Ground ground = field_->ground();
    for (; driven.steps < steps; ++driven.steps) {
        const Tank before = driven.tank;
        drive(ground, driven.tank, tank.keys);
        if (driven.tank == before) break;  // stands still, and will
    }
    driven.steps = std::max(driven.steps, steps);
    return driven.tank;
}

/// From now on the tank's state is that at `time`.
void EventBattle::move_on(std::uint16_t number, SessionInstant time) {
    EventTank& tank = tanks_[number];
    const Tank now = at(number, time);
    tank.since += steps_until(tank, time) * kStepTime;
    // It has stood since, or the time is within the last step.
    if (time - tank.since > kStepTime) tank.since = time;
    tank.tank = now;
}

bool EventBattle::execute(const Stamp& stamp, const Message& message) {
    emitted_.clear();
    const std::uint64_t number = stamp.name.author.number() - 1;
    if (number >= tanks_.size()) return false;
    return execute_by(static_cast<std::uint16_t>(number), stamp.at, message);
}

bool EventBattle::execute_by(std::uint16_t author, SessionInstant time, const Message& message) {
    using Kind = Message::Kind;
    EventTank& own = tanks_[author];
    if (!is_possible(field_->map(), message)) return false;
    if (message.kind == Kind::damage || message.kind == Kind::dead) {
        confirm(author, time, message);
        return true;
    }
    if (own.tank.alive() == (message.kind == Kind::respawn)) return false;
    switch (message.kind) {
        case Kind::move:
            own.tank.position = message.position;
            own.tank.speed = message.speed;
            own.tank.hull = message.hull;
            own.tank.turret = message.turret;
            own.keys = message.keys;
            own.since = time;
            break;
        case Kind::angles:
            move_on(author, time);
            own.tank.turret = message.turret;
            own.keys.aim = message.keys.aim;
            break;
        case Kind::shoot:
            shoot(author, time, message);
            break;
        default:  // respawn
            own.tank = {.position = message.position,
                        .hull = message.hull,
                        .turret = message.hull,
                        .armour = kFullArmour};
            own.keys = {.aim = sent_aim(message.hull)};
            own.since = time;
            ++own.life;
    }
    return true;
}

/// What a shot has done, as its target's owner says. Of a former life, it has no effect.
void EventBattle::confirm(std::uint16_t target, SessionInstant time, const Message& message) {
    if (tanks_[target].life != message.life || message.other >= tanks_.size()) return;
    const bool is_dead = message.kind == Message::Kind::dead;
    hurt(target, time, is_dead ? std::int16_t{0} : message.armour, message.other);
}

/// From the place and along the angle that the message says, among the tanks as they are at its time.
void EventBattle::shoot(std::uint16_t shooter, SessionInstant time, const Message& message) {
    move_on(shooter, time);
    tanks_[shooter].tank.turret = message.turret;
    tanks_[shooter].keys.aim = sent_aim(message.turret);
    ++tanks_[shooter].shots;
    const Vec2 unit = direction(message.turret);
    float way = free_way(field_->ground(), message.position, unit, kGunRange);
    std::uint16_t hit = kNone;
    for (std::uint16_t other = 0; other < tanks_.size(); ++other) {
        if (other == shooter || !tanks_[other].tank.alive()) continue;
        const float reached = way_to_tank(message.position, unit, at(other, time).position, way);
        if (reached >= way) continue;
        way = reached;
        hit = other;
    }
    if (hit == kNone) return;
    ++tanks_[shooter].hits;
    const auto armour =
        static_cast<std::int16_t>(std::max(0, tanks_[hit].tank.armour - gun_damage(tanks_[shooter].tank)));
    hurt(hit, time, armour, shooter);
    if (hit != self_) return;
    const std::uint32_t life = tanks_[hit].life;
    emitted_.push_back({.kind = Message::Kind::damage, .armour = armour, .other = shooter, .life = life});
    if (armour == 0) emitted_.push_back({.kind = Message::Kind::dead, .other = shooter, .life = life});
}

/// The armour falls to this value, if it is not lower already.
void EventBattle::hurt(std::uint16_t target, SessionInstant time, std::int16_t armour,
                       std::uint16_t shooter) {
    EventTank& tank = tanks_[target];
    if (!tank.tank.alive() || armour >= tank.tank.armour) return;
    if (armour == 0) {
        move_on(target, time);
        tank.tank.speed = 0;
        tank.keys = {.aim = tank.keys.aim};
        ++tank.deaths;
        if (shooter != target) ++tanks_[shooter].kills;
    }
    tank.tank.armour = armour;
}

std::uint64_t fingerprint(std::span<const EventTank> tanks) {
    Fingerprint sum;
    for (const EventTank& t : tanks) {
        sum.add(t.tank.position.x).add(t.tank.position.y).add(t.tank.speed);
        for (const std::uint64_t value :
             {std::uint64_t{t.tank.hull}, std::uint64_t{t.tank.turret},
              static_cast<std::uint64_t>(t.tank.armour), static_cast<std::uint64_t>(t.keys.throttle),
              static_cast<std::uint64_t>(t.keys.steer), std::uint64_t{t.keys.aim},
              static_cast<std::uint64_t>(micros(t.since.time_since_epoch())), std::uint64_t{t.life},
              std::uint64_t{t.kills}, std::uint64_t{t.deaths}, std::uint64_t{t.shots}, std::uint64_t{t.hits}})
            sum.add(value);
    }
    return sum.value();
}

}  // namespace fray::panzer
