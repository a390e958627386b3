#pragma once
// From rows of characters to a Map: spawn points, doors, and what a tank in a cell can touch.

#include <fray/result.hpp>

#include "games/panzer/rules/map.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fray::panzer {

/// Fills a map that has its name and cell size. `rows` come from the north, have the same length and hold
/// known characters only. Returns an error if no battle is possible there.
[[nodiscard]] Result<Map> build_map(Map map, const std::vector<std::string_view>& rows);

/// The inverse: the rows from the north.
[[nodiscard]] std::vector<std::string> draw_rows(const Map& map);

}  // namespace fray::panzer
