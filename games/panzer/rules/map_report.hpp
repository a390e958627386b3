#pragma once
// What a map's author wants to know before others play it: what it holds, and what cannot be reached.

#include "games/panzer/rules/map.hpp"

#include <cstddef>
#include <vector>

namespace fray::panzer {

/// Places are cells of the grid. Doors can be driven through.
struct MapReport {
    std::size_t ground_cells = 0;        ///< hills and doors included
    std::size_t reachable_cells = 0;     ///< of the largest connected part
    std::size_t team_spawns[3]{};        ///< for both teams, for team 1, for team 2
    std::vector<CellPlace> lost_spawns;  ///< not in the largest part: its tanks never meet the others
    std::vector<CellPlace> lost_items;
    std::vector<CellPlace> lost_flags;
};
[[nodiscard]] MapReport inspect(const Map& map);

}  // namespace fray::panzer
