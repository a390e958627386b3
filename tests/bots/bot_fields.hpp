#pragma once
// Battlefields and battles for the tests of bots.

#include "games/panzer/bots/bot_battle.hpp"
#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/workloads/panzer_skill.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fray::panzer {

inline Map field_named(const std::string& name) {
    auto map = shipped_map(name);
    EXPECT_TRUE(map) << map.error().message;
    return *map;
}

/// A map with cells of 4 m, drawn with the northern row first.
inline Map field_of(const std::vector<std::string>& rows) {
    std::string text = "map drawn\ncell 4\ngrid\n";
    for (const std::string& row : rows) text += row + "\n";
    auto map = parse_map(text + "end\n", "drawn");
    EXPECT_TRUE(map) << map.error().message;
    return *map;
}

/// Walls and some doors at random; spawn points in two corners.
inline Map random_field(Seed seed) {
    RandomStream random{seed, "field"};
    const std::uint32_t side = 12 + random.below(8);
    std::vector<std::string> rows(side, std::string(side, '.'));
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            if (random.chance(0.28)) rows[y][x] = "#BH"[random.below(3)];
            // Far enough from each other that a tank is near one of them only.
            if (y % 5 == 2 && x % 5 == 2) rows[y][x] = 'D';
        }
    }
    rows.front().front() = rows.back().back() = 's';
    return field_of(rows);
}

inline NavMesh mesh_of(const Map& map) {
    auto mesh = NavMesh::build(map);
    EXPECT_TRUE(mesh) << mesh.error().message;
    return std::move(*mesh);
}

inline BotBattle battle_of(const Map& map, const NavMesh& mesh, const std::vector<BotOptions>& players,
                           Seed seed, Mode mode = Mode::free_for_all) {
    auto battle = BotBattle::start(map, mesh, players, mode, seed);
    EXPECT_TRUE(battle) << battle.error().message;
    return std::move(*battle);
}

/// By cell: whether a tank can drive there from `from`. Doors are open to it.
inline std::vector<bool> reachable_cells(const Map& map, CellPlace from) {
    std::vector<bool> reached(map.cells.size());
    std::vector<CellPlace> open{from};
    reached[map.index(from)] = true;
    while (!open.empty()) {
        const CellPlace at = open.back();
        open.pop_back();
        const CellPlace around[]{{at.column + 1, at.row},
                                 {at.column - 1, at.row},
                                 {at.column, at.row + 1},
                                 {at.column, at.row - 1}};
        for (const CellPlace& next : around) {
            if (is_wall(map.at(next)) || reached[map.index(next)]) continue;
            reached[map.index(next)] = true;
            open.push_back(next);
        }
    }
    return reached;
}

}  // namespace fray::panzer
