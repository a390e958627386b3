#include "games/panzer/warp/battle_wire.hpp"

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

}  // namespace

std::string WarpBattle::difference(PartNumber part, const Part& mine, const Part& theirs) {
    const std::string name = "part " + std::to_string(part) + ", ";
    const std::string field =
        first_difference(battle_with(part, mine.value), battle_with(part, theirs.value));
    if (!field.empty()) return name + field;
    return name + "the keys in force, or whether it has a player";
}

}  // namespace fray::panzer
