#pragma once
// A picture of a map, seen from above with north at the top.

#include "games/panzer/rules/map.hpp"

#include <string>

namespace fray::panzer {

/// As SVG, with a legend of what the map holds and a scale. About 100 KB for a map of 250 by 250 cells.
[[nodiscard]] std::string to_svg(const Map& map);

}  // namespace fray::panzer
