#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <string>

namespace fray::panzer {

namespace {

/// A new tank, with nothing left of the old one but its team.
void place(Tank& tank, const Spawn& spawn) {
    const std::uint8_t team = tank.team;
    tank = Tank{};
    tank.position = spawn.position;
    tank.hull = tank.turret = spawn.heading;
    tank.armour = kFullArmour;
    tank.team = team;
}

}  // namespace

Result<Battle> Rules::start(const Setup& setup) {
    if (setup.tanks < 2 || setup.tanks > kMostTanks)
        return Error{"a battle has 2 to 2,048 tanks, not " + std::to_string(setup.tanks)};
    if (setup.tanks > map_->most_tanks())
        return Error{"map " + map_->name + " has spawn points for " + std::to_string(map_->most_tanks()) +
                     " tanks, not for " + std::to_string(setup.tanks)};
    if (setup.mode == Mode::flag && map_->flags.empty())
        return Error{"map " + map_->name + " has no flag (F), which this mode needs"};
    Battle battle;
    battle.seed = setup.seed;
    battle.mode = setup.mode;
    battle.tanks.resize(setup.tanks);
    battle.records.resize(setup.tanks);
    battle.items.resize(map_->items.size());
    battle.doors.resize(map_->doors.size());
    battle.shells.reserve(3 * setup.tanks);
    if (!map_->flags.empty())
        battle.flag.position = map_->flags[detail::mix_bits(setup.seed.value) % map_->flags.size()];
    happenings_.clear();
    std::vector<bool> is_taken(map_->spawns.size());
    for (std::size_t i = 0; i < setup.tanks; ++i) {
        Tank& tank = battle.tanks[i];
        if (setup.mode == Mode::teams) tank.team = static_cast<std::uint8_t>(1 + i % 2);
        const Spawn* spawn = find_start(battle, i, is_taken);
        if (spawn == nullptr)
            return Error{"map " + map_->name + " has too few spawn points for team " +
                         std::to_string(tank.team) + " of " + std::to_string(setup.tanks) + " tanks"};
        place(tank, *spawn);
    }
    return battle;
}

/// Spreads the tanks over the map. Teams use up their own spawn points before those for both.
const Spawn* Rules::find_start(const Battle& battle, std::size_t tank, std::vector<bool>& is_taken) const {
    const std::vector<Spawn>& spawns = map_->spawns;
    const std::uint8_t team = battle.tanks[tank].team;
    const std::size_t first = tank * spawns.size() / battle.tanks.size();
    for (const bool own : {true, false}) {
        for (std::size_t i = 0; i < spawns.size(); ++i) {
            const std::size_t at = (first + i) % spawns.size();
            const bool fits = team == 0 || spawns[at].team == (own ? team : 0);
            if (is_taken[at] || !fits) continue;
            is_taken[at] = true;
            return &spawns[at];
        }
    }
    return nullptr;
}

void Rules::step(Battle& battle, std::span<const Input> inputs) {
    FRAY_ASSERT(inputs.size() == battle.tanks.size());
    happenings_.clear();
    own_ = kNone;
    ++battle.step;
    drive_all(battle, inputs);
    push_apart(battle);
    for (std::size_t i = 0; i < inputs.size(); ++i) fire(battle, static_cast<std::uint16_t>(i), inputs[i]);
    fly_shells(battle);
    touch(battle);
    pass_time(battle);
    if (battle.mode == Mode::flag) carry_flag(battle);
    for (std::size_t i = 0; i < inputs.size(); ++i) respawn(battle, static_cast<std::uint16_t>(i));
}

void Rules::step_own(Battle& battle, std::uint16_t own, const Input& input, ThingsAre things) {
    happenings_.clear();
    own_ = own;
    ++battle.step;
    const Vec2 before = battle.tanks[own].position;
    drive_own(battle, own, input);
    push_apart(battle);
    limit_push(battle.tanks[own], before);
    fire(battle, own, input);
    fly_shells(battle);
    touch_own(battle, own, things);
    pass_time(battle);
    respawn(battle, own);
}

void Rules::drive_all(Battle& battle, std::span<const Input> inputs) {
    const Ground around = ground(battle);
    crowd_.clear(battle.tanks.size());
    close_.clear();
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) drive_tank(battle, around, i, inputs[i]);
}

void Rules::drive_tank(Battle& battle, const Ground& around, std::size_t number, const Input& input) {
    Tank& tank = battle.tanks[number];
    if (!tank.alive()) return;
    drive(around, tank, input);
    enter_crowd(battle, static_cast<std::uint32_t>(number));
}

void Rules::drive_own(Battle& battle, std::uint16_t own, const Input& input) {
    if (battle.tanks[own].alive()) drive(ground(battle), battle.tanks[own], input);
    fill_crowd(battle);
}

void Rules::fill_crowd(const Battle& battle) {
    crowd_.clear(battle.tanks.size());
    close_.clear();
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        if (battle.tanks[i].alive()) enter_crowd(battle, static_cast<std::uint32_t>(i));
    }
}

/// Two peers may let their tanks enter at the same place at the same time. Elsewhere it must not look as if
/// one of them drove faster than a tank can.
void Rules::limit_push(Tank& tank, const Vec2& before) {
    const Vec2 way = tank.position - before;
    const float most = (top_speed(tank) + kPushSpeed) * kStep;
    if (square_length(way) > most * most) tank.position = before + way * (most / length(way));
}

void Rules::enter_crowd(const Battle& battle, std::uint32_t number) {
    const Vec2& position = battle.tanks[number].position;
    const std::size_t before = close_.size();
    crowd_.add(number, position, [&](std::uint32_t other) {
        constexpr float kClose = 2 * Crowd::kDisc;
        const Vec2 way = position - battle.tanks[other].position;
        if (square_length(way) >= kClose * kClose) return;
        // Tanks that share two buckets are found twice.
        for (std::size_t k = before; k < close_.size(); ++k) {
            if (close_[k].second == other) return;
        }
        close_.push_back({number, other});
    });
}

/// Overlapping tanks are pushed apart, each by half; walls do not give way.
void Rules::push_apart(Battle& battle) {
    const Ground around = ground(battle);
    for (const Pair& pair : close_) {
        const Vec2 way = overlap(battle.tanks[pair.first].position, battle.tanks[pair.second].position);
        if (way == Vec2{}) continue;
        push(battle, around, pair.first, way);
        push(battle, around, pair.second, way * -1.0F);
    }
}

void Rules::push(Battle& battle, const Ground& around, std::uint32_t number, const Vec2& way) const {
    if (!decides(number)) return;
    Tank& tank = battle.tanks[number];
    tank.position += way * 0.5F;
    push_out(around, tank.position);
    // Tanks that drive into each other lose speed.
    if (dot(direction(tank.hull), way) * tank.speed < 0) tank.speed *= 0.5F;
}

void Rules::touch(Battle& battle) {
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        if (is_at_things(battle.tanks[i])) touch_by(battle, static_cast<std::uint16_t>(i));
    }
}

/// What a tank does by being somewhere: opens a door, takes an item.
void Rules::touch_by(Battle& battle, std::uint16_t number) {
    const std::size_t cell = map_->index(map_->place_of(battle.tanks[number].position));
    for (const std::uint16_t door : map_->doors_near_cell(cell)) hold_open(battle, number, door);
    const std::uint16_t item = item_at(battle, number, cell);
    if (item != kNone && decides(number)) take(battle, number, item);
}

/// The item that a tank in this cell can take, or kNone.
std::uint16_t Rules::item_at(const Battle& battle, std::uint16_t tank, std::size_t cell) const {
    const std::uint16_t item = map_->item_in[cell];
    if (item == kNone || battle.items[item].wait != 0) return kNone;
    const Vec2 way = battle.tanks[tank].position - map_->items[item];
    return square_length(way) <= kItemReach * kItemReach ? item : kNone;
}

void Rules::touch_own(Battle& battle, std::uint16_t own, ThingsAre things) {
    if (things == ThingsAre::here)
        touch(battle);
    else if (battle.tanks[own].alive())
        find_things(battle, own);
}

/// Reports what the tank may ask for.
void Rules::find_things(const Battle& battle, std::uint16_t own) {
    const Vec2& position = battle.tanks[own].position;
    const std::size_t cell = map_->index(map_->place_of(position));
    if ((map_->around[cell] & (kItemHere | kDoorsNear)) != 0) {
        for (const std::uint16_t door : map_->doors_near_cell(cell)) {
            if (battle.doors[door].hold < kDoorHold / 2)
                report({Happening::Kind::at_door, own, door, 0, position});
        }
        const std::uint16_t item = item_at(battle, own, cell);
        if (item != kNone) report({Happening::Kind::at_item, own, item, 0, position});
    }
    const bool is_free = battle.mode == Mode::flag && battle.flag.carrier == kNone;
    if (is_free && square_length(position - battle.flag.position) <= kFlagReach * kFlagReach)
        report({Happening::Kind::at_flag, own, kNone, 0, position});
}

void Rules::hold_open(Battle& battle, std::uint16_t tank, std::uint16_t number) {
    Door& door = battle.doors[number];
    if (door.hold == 0 && door.opened != kDoorSteps)
        report({Happening::Kind::door, tank, number, 0, battle.tanks[tank].position});
    door.hold = kDoorHold;
}

void Rules::pass_time(Battle& battle) {
    for (Door& door : battle.doors) pass_time(door);
    for (Item& item : battle.items) pass_time(item);
}

void Rules::pass_time(Door& door) {
    if (door.hold != 0) {
        --door.hold;
        if (door.opened < kDoorSteps) ++door.opened;
    } else if (door.opened != 0) {
        --door.opened;
    }
}

void Rules::pass_time(Item& item) {
    if (item.wait != 0) --item.wait;
}

void Rules::take(Battle& battle, std::uint16_t number, std::uint16_t item) {
    Item& taken = battle.items[item];
    const ItemKind kind = kind_of(battle.seed, item, taken.taken);
    ++taken.taken;
    taken.wait = kItemSteps;
    give(battle, number, item, kind);
}

void Rules::give(Battle& battle, std::uint16_t number, std::uint16_t item, ItemKind kind) {
    ++battle.records[number].pickups;
    Tank& tank = battle.tanks[number];
    report({Happening::Kind::pickup, number, item, static_cast<std::int16_t>(kind), tank.position});
    const std::int16_t lost = apply_item(tank, kind);
    if (lost != 0) report({Happening::Kind::damage, number, number, lost, tank.position});
    if (!tank.alive()) destroy(battle, number, number);
}

void Rules::give_own(Battle& battle, std::uint16_t own, std::uint16_t item, ItemKind kind) {
    happenings_.clear();
    own_ = own;
    if (battle.tanks[own].alive())
        give(battle, own, item, kind);
    else
        ++battle.records[own].pickups;  // too late to be of use
}

std::int16_t apply_item(Tank& tank, ItemKind kind) {
    const auto raise = [](std::uint8_t& level) { level = std::min<std::uint8_t>(kMostLevel, level + 1U); };
    switch (kind) {
        case ItemKind::armour:
            tank.armour = static_cast<std::int16_t>(std::min<int>(kMostArmour, tank.armour + kItemArmour));
            break;
        case ItemKind::shield:
            tank.shield = static_cast<std::int16_t>(std::min<int>(kMostShield, tank.shield + kItemShield));
            break;
        case ItemKind::fire_rate:
            raise(tank.fire_rate);
            break;
        case ItemKind::gun_power:
            raise(tank.gun_power);
            break;
        case ItemKind::engine:
            raise(tank.engine);
            break;
        case ItemKind::trap: {
            const std::int16_t lost = std::min(tank.armour, kTrapDamage);
            tank.armour = static_cast<std::int16_t>(tank.armour - lost);
            return lost;
        }
    }
    return 0;
}

void Rules::carry_flag(Battle& battle) {
    if (battle.flag.carrier != kNone) return hold_flag(battle);
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        if (take_flag(battle, i)) return;
    }
}

/// True if the tank has taken the flag, which has no carrier.
bool Rules::take_flag(Battle& battle, std::size_t number) {
    const Tank& tank = battle.tanks[number];
    Flag& flag = battle.flag;
    if (!tank.alive() || square_length(tank.position - flag.position) > kFlagReach * kFlagReach) return false;
    flag.carrier = static_cast<std::uint16_t>(number);
    flag.held = 0;
    report({Happening::Kind::flag, flag.carrier, kNone, 0, tank.position});
    return true;
}

void Rules::hold_flag(Battle& battle) {
    Flag& flag = battle.flag;
    flag.position = battle.tanks[flag.carrier].position;
    if (++flag.held < kStepsPerSecond) return;
    flag.held = 0;
    ++battle.records[flag.carrier].score;
}

void Rules::respawn(Battle& battle, std::uint16_t number) {
    Tank& tank = battle.tanks[number];
    if (tank.alive()) return;
    if (tank.respawn_wait != 0) --tank.respawn_wait;
    if (tank.respawn_wait == 0) enter(battle, number);
}

/// How far the nearest enemy is from a place, at most kSafeDistance; 0 if a tank is in the way. Squared.
float Rules::safety(const Battle& battle, std::uint16_t number, const Vec2& place) const {
    constexpr float kTouch = 2 * Crowd::kDisc;
    const std::uint8_t team = battle.tanks[number].team;
    float nearest = kSafeDistance * kSafeDistance;
    crowd_.near(place, kSafeDistance, [&](std::uint32_t other) {
        const Tank& tank = battle.tanks[other];
        if (!tank.alive()) return;
        const float away = square_length(tank.position - place);
        if (away <= kTouch * kTouch) nearest = 0;
        const bool is_friend = team != 0 && tank.team == team;
        if (!is_friend && away < nearest) nearest = away;
    });
    return nearest;
}

const Spawn& spawn_tried(const Map& map, Seed seed, std::uint32_t step, std::uint16_t tank,
                         std::uint8_t attempt) {
    const std::uint64_t draw = detail::mix_bits(seed.value ^ (std::uint64_t{step} << 16U) ^ tank);
    return map.spawns[(draw + attempt * std::uint64_t{7919}) % map.spawns.size()];
}

/// Enters at the safest of some spawn points. Waits if all of them are taken.
void Rules::enter(Battle& battle, std::uint16_t number) {
    Tank& tank = battle.tanks[number];
    const Spawn* best = nullptr;
    float best_safety = 0;
    for (std::uint8_t i = 0; i < kMostSpawnsTried && best_safety < kSafeDistance * kSafeDistance; ++i) {
        const Spawn& spawn = spawn_tried(*map_, battle.seed, battle.step, number, i);
        if (tank.team != 0 && spawn.team != 0 && spawn.team != tank.team) continue;
        const float safe = safety(battle, number, spawn.position);
        if (safe <= best_safety) continue;
        best = &spawn;
        best_safety = safe;
    }
    if (best == nullptr) return;
    place(tank, *best);
    crowd_.add(number, tank.position, [](std::uint32_t) {});  // for the next tank that enters in this step
    report({Happening::Kind::spawn, number, kNone, 0, tank.position});
}

}  // namespace fray::panzer
