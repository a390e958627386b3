#include "games/panzer/warp/battle_wire.hpp"

#include <cmath>

namespace fray::panzer {

namespace {

/// A battle that holds nothing but this part.
Battle battle_with(PartNumber number, const BattlePart& part) {
    Battle battle;
    if (const auto* tank = std::get_if<TankPart>(&part)) {
        battle.tanks.resize(number + std::size_t{1});
        battle.records.resize(number + std::size_t{1});
        battle.tanks[number] = tank->tank;
        battle.records[number] = tank->record;
        battle.shells.assign(tank->shells.begin(), tank->shells.begin() + tank->shell_count);
    }
    if (const auto* item = std::get_if<Item>(&part)) battle.items = {*item};
    if (const auto* door = std::get_if<Door>(&part)) battle.doors = {*door};
    if (const auto* flag = std::get_if<Flag>(&part)) battle.flag = *flag;
    return battle;
}

constexpr float kMostSpeed = kTopSpeed * (1 + kEngineStep * kMostLevel) * 1.01F;
constexpr std::int32_t kMostScore = 1 << 30;  // it is counted on

/// Oldest first, and the gun was loaded between two of them: there are never more than kShellsOfTank.
bool has_valid_shells(const Map& map, PartNumber number, const TankPart& part) {
    int before = 1 - int{kShellSteps};
    for (std::size_t i = 0; i < part.shell_count; ++i) {
        const Shell& shell = part.shells[i];
        const float square = square_length(shell.velocity) / (kShellSpeed * kShellSpeed);
        if (shell.shooter != number || !map.holds(shell.position)) return false;
        if (shell.life < before + kShellSteps || shell.life >= kShellLife) return false;
        if (!(square > 0.99F && square < 1.01F)) return false;
        before = shell.life;
    }
    // A tank that enters again has a loaded gun.
    const int until_loaded = part.tank.alive() ? part.tank.shell_wait : part.tank.respawn_wait;
    return kShellLife - 1 - before + until_loaded >= kShellSteps;
}

bool is_valid(const Ground& ground, const Tank& tank) {
    return ground.map.holds(tank.position) &&
           !(tank.alive() && ground.is_solid(ground.map.place_of(tank.position))) &&
           std::abs(tank.speed) <= kMostSpeed && tank.armour >= 0 && tank.armour <= kMostArmour &&
           tank.shield >= 0 && tank.shield <= kMostShield && tank.gun_wait <= kGunSteps &&
           tank.shell_wait <= kShellSteps && tank.respawn_wait <= kRespawnSteps;
}

}  // namespace

bool WarpBattle::accepts(std::span<const Part> state) const {
    if (state.size() != parts()) return false;
    for (PartNumber i = 0; i < state.size(); ++i) {
        if (state[i].value.index() != get(i).value.index()) return false;
    }
    std::vector<Door> doors;
    for (PartNumber i = layout().first_door(); i < layout().flag(); ++i) {
        doors.push_back(std::get<Door>(state[i].value));
        if (doors.back().hold > kDoorHold) return false;
    }
    for (PartNumber i = layout().first_item(); i < layout().first_door(); ++i) {
        if (std::get<Item>(state[i].value).wait > kItemSteps) return false;
    }
    for (PartNumber i = 0; i < layout().tanks; ++i) {
        const TankPart& part = std::get<TankPart>(state[i].value);
        const bool is_own_team = part.tank.team == std::get<TankPart>(get(i).value).tank.team;
        if (!is_own_team || part.record.score > kMostScore || part.record.score < -kMostScore) return false;
        if (!is_valid({map(), doors}, part.tank) || !has_valid_shells(map(), i, part)) return false;
    }
    const Flag& flag = std::get<Flag>(state[layout().flag()].value);
    return (flag.carrier == kNone || flag.carrier < layout().tanks) && flag.held < kStepsPerSecond &&
           map().holds(flag.position);
}

std::string WarpBattle::difference(PartNumber part, const Part& mine, const Part& theirs) {
    const std::string name = "part " + std::to_string(part) + ", ";
    const std::string field =
        first_difference(battle_with(part, mine.value), battle_with(part, theirs.value));
    if (!field.empty()) return name + field;
    return name + "the keys in force, or whether it has a player";
}

}  // namespace fray::panzer
