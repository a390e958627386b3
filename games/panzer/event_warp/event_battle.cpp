#include "games/panzer/event_warp/event_battle.hpp"

#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kFastest = kTopSpeed * (1 + kEngineStep * static_cast<float>(kMostLevel));

/// Whether a tank can be where, and as fast as, the message says.
bool is_possible(const Map& map, const EventMessage& message) {
    using Kind = EventMessage::Kind;
    const bool has_place =
        message.kind == Kind::move || message.kind == Kind::shoot || message.kind == Kind::respawn;
    if (has_place && !map.holds(message.position)) return false;
    return message.kind != Kind::move || std::abs(message.speed) <= kFastest;
}

}  // namespace

EventBattle::EventBattle(const Battlefield& field, const Battle& start)
    : field_{&field}, start_{start.tanks}, driven_(start.tanks.size()) {
    for (Tank tank : start.tanks) {
        tank.armour = 0;
        tanks_.push_back({.tank = tank, .keys = {.aim = sent_aim(tank.turret)}, .since = {}});
    }
}

bool EventBattle::accepts(const State& state) const {
    return state.size() == tanks_.size() && std::ranges::all_of(state, [&](const EventTank& tank) {
               return field_->map().holds(tank.tank.position) && std::abs(tank.tank.speed) <= kFastest &&
                      tank.tank.armour >= 0 && tank.tank.armour <= kMostArmour &&
                      (tank.is_present || !tank.tank.alive());
           });
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
    if (message.tank >= tanks_.size()) return false;
    using Kind = Message::Kind;
    if (message.kind != Kind::enter && message.kind != Kind::leave)
        return tanks_[message.tank].is_present && execute_by(message.tank, stamp.at, message);
    take_seat(message.tank, stamp.at, message.kind == Kind::enter);
    return true;
}

void EventBattle::take_seat(std::uint16_t number, SessionInstant time, bool enters) {
    EventTank& tank = tanks_[number];
    tank.is_present = enters;
    tank.tank = start_[number];
    tank.tank.armour = enters ? kFullArmour : std::int16_t{0};
    tank.keys = {.aim = sent_aim(tank.tank.turret)};
    tank.since = time;
    if (enters) ++tank.life;
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
    Message told{
        .kind = Message::Kind::damage, .tank = hit, .armour = armour, .other = shooter, .life = life};
    emitted_.push_back(told);
    told.kind = Message::Kind::dead;
    told.armour = 0;
    if (armour == 0) emitted_.push_back(told);
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

}  // namespace fray::panzer
