#pragma once
// Battles for tests and benchmarks: drawn maps, and players that press keys at random.

#include <fray/assert.hpp>
#include <fray/random.hpp>

#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/rules.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

/// A shipped map.
inline Map map_named(std::string_view name) {
    auto map = shipped_map(name);
    FRAY_ASSERT(map);
    return std::move(*map);
}

/// A map with cells of this size from rows of characters, the northern one first.
inline Map drawn_map(const std::vector<std::string>& rows, int cell = 4) {
    std::string text = "map drawn\ncell " + std::to_string(cell) + "\ngrid\n";
    for (const std::string& row : rows) text += row + "\n";
    auto map = parse_map(text + "end\n", "drawn");
    FRAY_ASSERT(map);
    return std::move(*map);
}

/// A field with walls, doors and items at random, and room for `tanks`.
inline Map random_map(Seed seed, std::size_t tanks) {
    RandomStream random{seed, "map"};
    const std::uint32_t side = 14 + random.below(10);
    std::vector<std::string> rows(side, std::string(side, '.'));
    for (std::string& row : rows) {
        for (char& c : row) {
            if (random.chance(0.18)) c = "#BHD"[random.below(4)];
            if (random.chance(0.05)) c = 'i';
        }
    }
    for (std::size_t placed = 0; placed < tanks + 8;) {
        char& c = rows[random.below(side)][random.below(side)];
        placed += c == 's' ? 0 : 1;
        c = 's';
    }
    rows[side / 2][side / 2] = 'F';
    return drawn_map(rows, 4 + static_cast<int>(random.below(3)));
}

/// Players that hold a key for a while, aim at the tank next in number, and fire often.
class Keys {
public:
    Keys(Seed seed, std::size_t tanks) : random_{seed, "keys"}, inputs_(tanks) {}

    const std::vector<Input>& press(const Battle& battle) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            Input& input = inputs_[i];
            if (random_.chance(0.05)) input.throttle = any_key();
            if (random_.chance(0.05)) input.steer = any_key();
            if (random_.chance(0.02)) input.throttle = kFull;
            const Tank& enemy = battle.tanks[(i + 1) % inputs_.size()];
            if (random_.chance(0.1)) input.aim = angle_of(enemy.position - battle.tanks[i].position);
            input.gun = random_.chance(0.7);
            input.shell = random_.chance(0.1);
        }
        return inputs_;
    }

private:
    std::int8_t any_key() { return static_cast<std::int8_t>(static_cast<int>(random_.below(15)) - kFull); }

    RandomStream random_;
    std::vector<Input> inputs_;
};

}  // namespace fray::panzer
