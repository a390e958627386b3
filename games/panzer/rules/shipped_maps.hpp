#pragma once
// The maps that come with the game. Their texts (games/panzer/maps) are part of the library, so they need no
// files.

#include <fray/result.hpp>

#include "games/panzer/rules/map.hpp"

#include <span>
#include <string_view>

namespace fray::panzer {

struct ShippedMap {
    std::string_view name;
    std::string_view text;
};
/// By name: arena, duel, plains, ruins.
[[nodiscard]] std::span<const ShippedMap> shipped_maps();
/// Returns an error that lists the known names if there is no such map.
[[nodiscard]] Result<Map> shipped_map(std::string_view name);

}  // namespace fray::panzer
