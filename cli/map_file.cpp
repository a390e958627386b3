#include "cli/map_file.hpp"

#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/runner/file_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace fray::cli {
namespace {

/// The number of the line after the line "grid".
std::size_t line_after_grid(std::string_view text) {
    std::size_t line = 1;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view row = text.substr(0, end);
        ++line;
        if (row == "grid" || row == "grid\r") break;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return line;
}

}  // namespace

Result<LoadedMap> load_map(const std::string& name) {
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".map");
    std::string text;
    std::string file = name;
    if (is_path) {
        auto read = lab::read_whole(name);
        if (!read) return read.error();
        text = std::move(*read);
    } else {
        for (const panzer::ShippedMap& shipped : panzer::shipped_maps()) {
            if (shipped.name == name) text = shipped.text;
        }
        file += ".map";
        if (const auto known = panzer::shipped_map(name); !known)
            return Error{known.error().message + "; the path of a file ends with .map"};
    }
    auto map = panzer::parse_map(text, file);
    if (!map) return map.error();
    return LoadedMap{std::move(*map), file, line_after_grid(text)};
}

std::string at_cell(const LoadedMap& loaded, panzer::CellPlace place, const std::string& what) {
    const auto from_north = static_cast<std::size_t>(loaded.map.rows - 1 - place.row);
    return fmt::format("{}:{}:{}: {}", loaded.file, loaded.grid_line + from_north, place.column + 1, what);
}

Result<void> check_playable(const LoadedMap& loaded, const panzer::MapReport& report) {
    if (!report.lost_spawns.empty())
        return Error{
            at_cell(loaded, report.lost_spawns.front(),
                    "expected a way from every spawn point to every other, but walls enclose this one")};
    if (!report.lost_flags.empty())
        return Error{at_cell(loaded, report.lost_flags.front(),
                             "expected a way from every spawn point to the flag, but walls enclose it")};
    return {};
}

}  // namespace fray::cli
