#include "games/panzer/warp/part_battle.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <tuple>

namespace fray::panzer {

namespace {

/// The order of Battle::shells: the oldest first. Those of one age were fired in one step, in which the tanks
/// fire in the order of their numbers, each at most once; and shells only ever leave the list.
bool flies_before(const Shell& a, const Shell& b) {
    return std::tie(a.life, a.shooter) < std::tie(b.life, b.shooter);
}

}  // namespace

Result<PartBattle> PartBattle::start(const Map& map, const Rules::Setup& setup, Players players) {
    auto battle = Rules{map}.start(setup);
    if (!battle) return battle.error();
    return PartBattle{map, std::move(*battle), players};
}

PartBattle::PartBattle(const Map& map, Battle battle, Players players)
    : rules_{map},
      layout_{.tanks = static_cast<PartNumber>(battle.tanks.size()),
              .items = static_cast<PartNumber>(battle.items.size()),
              .doors = static_cast<PartNumber>(battle.doors.size())},
      battle_{std::move(battle)},
      inputs_(battle_.tanks.size()),
      states_(battle_.tanks.size()),
      links_{map, battle_} {
    if (players == Players::present) return;
    for (PartNumber i = 0; i < layout_.tanks; ++i) {
        states_[i].is_present = false;
        battle_.tanks[i].armour = 0;
        battle_.tanks[i].respawn_wait = 1;  // enters with its player
    }
}

PartBattle::Part PartBattle::get(PartNumber part) const {
    if (part < layout_.first_item()) {
        const TankState& state = states_[part];
        return TankPart{battle_.tanks[part], battle_.records[part], inputs_[part],
                        state.is_present,    state.shell_count,     state.shells};
    }
    if (part < layout_.first_door()) return battle_.items[part - layout_.first_item()];
    if (part < layout_.flag()) return battle_.doors[part - layout_.first_door()];
    return battle_.flag;
}

void PartBattle::set(PartNumber part, const Part& value) {
    if (part < layout_.first_item()) {
        const TankPart& tank = std::get<TankPart>(value);
        battle_.tanks[part] = tank.tank;
        battle_.records[part] = tank.record;
        inputs_[part] = tank.input;
        states_[part] = {tank.is_present, tank.shell_count, tank.shells};
    } else if (part < layout_.first_door()) {
        battle_.items[part - layout_.first_item()] = std::get<Item>(value);
    } else if (part < layout_.flag()) {
        battle_.doors[part - layout_.first_door()] = std::get<Door>(value);
    } else {
        battle_.flag = std::get<Flag>(value);
    }
}

void PartBattle::copy_to(Battle& battle, Tick tick) const {
    battle = battle_;
    battle.step = static_cast<std::uint32_t>(tick);
    battle.shells.clear();
    for (const TankState& state : states_) {
        battle.shells.insert(battle.shells.end(), state.shells.begin(),
                             state.shells.begin() + state.shell_count);
    }
    std::ranges::sort(battle.shells, flies_before);
}

void PartBattle::step(Tick tick, std::span<const Stamped<Message>> messages, const PartSet& set) {
    for (const Stamped<Message>& message : messages) {
        if (message.body.tank < layout_.tanks && set.contains(message.body.tank)) execute(message.body, set);
    }
    list_members(set);
    battle_.step = static_cast<std::uint32_t>(tick);
    battle_.shells.clear();
    for (const std::uint16_t tank : tanks_) prepare(tank);
    std::ranges::sort(battle_.shells, flies_before);
    step_members(set);
    keep_shells();
    outcomes_.clear();
    for (const Happening& happening : rules_.happenings())
        outcomes_.push_back({.part = happening.tank, .happening = happening});
}

void PartBattle::execute(const Message& message, const PartSet& set) {
    switch (message.kind) {
        case Message::Kind::input:
            inputs_[message.tank] = message.input;
            break;
        case Message::Kind::enter:
            states_[message.tank].is_present = true;
            break;
        case Message::Kind::leave:
            leave(message.tank, set);
            break;
    }
}

void PartBattle::leave(PartNumber number, const PartSet& set) {
    states_[number].is_present = false;
    inputs_[number] = {};
    Tank& tank = battle_.tanks[number];
    if (!tank.alive()) return;
    tank.armour = tank.shield = 0;
    tank.speed = 0;
    tank.respawn_wait = kRespawnSteps;  // nothing is gained by leaving a fight and coming back
    const bool has_flag = set.contains(layout_.flag()) && battle_.flag.carrier == number;
    if (has_flag) battle_.flag = {.carrier = kNone, .held = 0, .position = tank.position};
}

void PartBattle::list_members(const PartSet& set) {
    tanks_.clear();
    items_.clear();
    doors_.clear();
    for (const PartNumber part : set.members()) {
        if (part < layout_.first_item())
            tanks_.push_back(static_cast<std::uint16_t>(part));
        else if (part < layout_.first_door())
            items_.push_back(static_cast<std::uint16_t>(part - layout_.first_item()));
        else if (part < layout_.flag())
            doors_.push_back(static_cast<std::uint16_t>(part - layout_.first_door()));
    }
    std::ranges::sort(tanks_);
    std::ranges::sort(items_);
    std::ranges::sort(doors_);
}

void PartBattle::prepare(std::uint16_t number) {
    TankState& state = states_[number];
    // An absent tank's wait stays at 1 after the step.
    Tank& tank = battle_.tanks[number];
    if (!state.is_present) tank.respawn_wait = std::max<std::uint16_t>(tank.respawn_wait, 2);
    battle_.shells.insert(battle_.shells.end(), state.shells.begin(),
                          state.shells.begin() + state.shell_count);
    state.shells = {};
    state.shell_count = 0;
}

void PartBattle::step_members(const PartSet& set) {
    if (set.has_all())
        rules_.step(battle_, inputs_);
    else
        rules_.step_subset(battle_, inputs_, {tanks_, items_, doors_, set.contains(layout_.flag())});
}

void PartBattle::keep_shells() {
    for (const Shell& shell : battle_.shells) {
        TankState& state = states_[shell.shooter];
        FRAY_ASSERT(state.shell_count < kShellsOfTank);
        state.shells[state.shell_count++] = shell;
    }
}

}  // namespace fray::panzer
