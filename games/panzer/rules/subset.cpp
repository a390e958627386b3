// The part of Rules that steps some parts of a battle, without the others.

#include "games/panzer/rules/rules.hpp"

namespace fray::panzer {

void Rules::step_subset(Battle& battle, std::span<const Input> inputs, const Subset& subset) {
    happenings_.clear();
    own_ = kNone;
    ++battle.step;
    // A tank's death looks whether it carried the flag.
    const Flag flag = battle.flag;
    if (!subset.flag) battle.flag = {};
    const Ground around = ground(battle);
    crowd_.clear(subset.tanks.size());
    close_.clear();
    for (const std::uint16_t tank : subset.tanks) drive_tank(battle, around, tank, inputs[tank]);
    push_apart(battle);
    for (const std::uint16_t tank : subset.tanks) fire(battle, tank, inputs[tank]);
    fly_shells(battle);
    for (const std::uint16_t tank : subset.tanks) {
        if (is_at_things(battle.tanks[tank])) touch_by(battle, tank);
    }
    for (const std::uint16_t door : subset.doors) pass_time(battle.doors[door]);
    for (const std::uint16_t item : subset.items) pass_time(battle.items[item]);
    if (subset.flag && battle.mode == Mode::flag) carry_flag(battle, subset.tanks);
    for (const std::uint16_t tank : subset.tanks) respawn(battle, tank);
    if (!subset.flag) battle.flag = flag;
}

void Rules::carry_flag(Battle& battle, std::span<const std::uint16_t> tanks) {
    if (battle.flag.carrier != kNone) return hold_flag(battle);
    for (const std::uint16_t tank : tanks) {
        if (take_flag(battle, tank)) return;
    }
}

}  // namespace fray::panzer
