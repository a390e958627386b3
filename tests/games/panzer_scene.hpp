#pragma once
// A battle of a few tanks that a test puts in their places.

#include "games/panzer_battles.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace fray::panzer {

inline Tank tank_at(const Vec2& position, float heading = 0) {
    Tank tank;
    tank.position = position;
    tank.hull = tank.turret = degrees(heading);
    tank.armour = kFullArmour;
    return tank;
}

inline Input aimed(float at) {
    Input input;
    input.aim = degrees(at);
    return input;
}

struct Scene {
    explicit Scene(const std::vector<std::string>& rows, const std::vector<Tank>& tanks, Mode mode = {})
        : map{drawn_map(rows)}, rules{map} {
        auto started = rules.start({.tanks = tanks.size(), .mode = mode, .seed = Seed{1}});
        FRAY_ASSERT(started);
        battle = std::move(*started);
        for (std::size_t i = 0; i < tanks.size(); ++i) {
            const std::uint8_t team = battle.tanks[i].team;
            battle.tanks[i] = tanks[i];
            battle.tanks[i].team = team;
        }
        inputs.resize(tanks.size());
        for (std::size_t i = 0; i < tanks.size(); ++i) inputs[i].aim = tanks[i].turret;
    }
    void run(unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            rules.step(battle, inputs);
            for (const Happening& h : rules.happenings()) happened.push_back(h);
        }
    }
    [[nodiscard]] std::size_t count(Happening::Kind kind) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(happened, [&](const Happening& h) { return h.kind == kind; }));
    }
    Tank& tank(std::size_t i) { return battle.tanks[i]; }

    Map map;
    Rules rules;
    Battle battle;
    std::vector<Input> inputs;
    std::vector<Happening> happened;
};

/// 80 m by 20 m, empty but for spawn points in the corners.
inline std::vector<std::string> field() {
    std::vector<std::string> rows(5, std::string(20, '.'));
    rows[0] = "s..................s";
    rows[4] = "s..................s";
    return rows;
}

}  // namespace fray::panzer
