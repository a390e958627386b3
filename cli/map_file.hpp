#pragma once
// Maps of the tank game Panzer as the command line names them: a shipped map by its name, or a file.

#include <fray/result.hpp>

#include "games/panzer/rules/map_report.hpp"

#include <cstddef>
#include <string>

namespace fray::cli {

/// For help texts.
inline constexpr const char* kMapHelp =
    "A file (its name ends with .map), or the name of a shipped map: arena, duel, plains, ruins";

struct LoadedMap {
    panzer::Map map;
    std::string file;           ///< as named in messages
    std::size_t grid_line = 0;  ///< of the northernmost row
};

/// Reads a path if the name looks like one, else the shipped map of that name.
[[nodiscard]] Result<LoadedMap> load_map(const std::string& name);

/// "FILE:LINE:COLUMN: what".
[[nodiscard]] std::string at_cell(const LoadedMap& loaded, panzer::CellPlace place, const std::string& what);

/// Returns an error if walls separate spawn points or flags. The report is that of inspect().
[[nodiscard]] Result<void> check_playable(const LoadedMap& loaded, const panzer::MapReport& report);

}  // namespace fray::cli
