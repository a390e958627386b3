#pragma once
// Maps as text. A map is drawn with one character per cell, north at the top:
//
//     map duel              name: lower-case letters, digits and _
//     title The Duel        optional, for people
//     cell 8                metres per cell, 4 to 64
//     grid
//     ##########
//     #1..i...2#
//     ##########
//     end
//
//     .  ground      #  concrete wall     s  spawn point             i  item
//     ^  hill        B  brick wall        1  spawn point of team 1   D  door
//                    H  hedge             2  spawn point of team 2   F  flag
//
// A line that starts with // is a comment, except inside the grid. All rows have the same length.

#include <fray/result.hpp>

#include "games/panzer/rules/map.hpp"

#include <string>
#include <string_view>

namespace fray::panzer {

/// `file` is named in errors: "duel.map:7:3: unknown character 'x' (known: . ^ # B H s 1 2 i D F)".
[[nodiscard]] Result<Map> parse_map(std::string_view text, std::string_view file);

/// The grid as parse_map() reads it.
[[nodiscard]] std::string to_text(const Map& map);

}  // namespace fray::panzer
