#include "cli/command.hpp"
#include "games/panzer/rules/map_picture.hpp"
#include "games/panzer/rules/map_report.hpp"
#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/runner/file_io.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace fray::cli {
namespace {

struct MapRun {
    std::string map;
    std::string out;
    bool force = false;
};

struct LoadedMap {
    panzer::Map map;
    std::string file;           ///< as named in messages
    std::size_t grid_line = 0;  ///< of the northernmost row
};

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

/// A path if it looks like one, else the name of a shipped map.
Result<LoadedMap> load(const std::string& name) {
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

/// "FILE:LINE:COLUMN: what".
std::string at(const LoadedMap& loaded, panzer::CellPlace place, const std::string& what) {
    const auto from_north = static_cast<std::size_t>(loaded.map.rows - 1 - place.row);
    return fmt::format("{}:{}:{}: {}", loaded.file, loaded.grid_line + from_north, place.column + 1, what);
}

int check(const MapRun& run) {
    const auto loaded = load(run.map);
    if (!loaded) return complain(loaded.error().message);
    const panzer::Map& map = loaded->map;
    const panzer::MapReport report = panzer::inspect(map);
    if (!report.lost_spawns.empty())
        return complain(
            at(*loaded, report.lost_spawns.front(),
               "expected a way from every spawn point to every other, but walls enclose this one"));
    if (!report.lost_flags.empty())
        return complain(at(*loaded, report.lost_flags.front(),
                           "expected a way from every spawn point to the flag, but walls enclose it"));
    fmt::print("{}: {}{}{:.0f} m by {:.0f} m, {} by {} cells of {:.0f} m\n", map.name, map.title,
               map.title.empty() ? "" : ", ", map.width(), map.height(), map.columns, map.rows, map.cell);
    fmt::print("tanks: {} (spawn points of team 1: {}, of team 2: {}, of both: {})\n", map.most_tanks(),
               report.team_spawns[1], report.team_spawns[2], report.team_spawns[0]);
    fmt::print("items: {}\ndoors: {}\nflags: {}\nreachable: {} of {} cells without a wall\n",
               map.items.size(), map.doors.size(), map.flags.size(), report.reachable_cells,
               report.ground_cells);
    for (const panzer::CellPlace place : report.lost_items)
        fmt::print(stderr, "fray: warning: {}\n",
                   at(*loaded, place, "no tank can reach this item: walls enclose it"));
    if (map.items.empty()) fmt::print(stderr, "fray: warning: {}: no items (i)\n", loaded->file);
    if (map.flags.empty())
        fmt::print(stderr, "fray: warning: {}: no flag (F): mode flag is refused\n", loaded->file);
    return kDone;
}

int show(const MapRun& run) {
    const auto loaded = load(run.map);
    if (!loaded) return complain(loaded.error().message);
    const std::filesystem::path out = run.out.empty() ? loaded->map.name + ".svg" : run.out;
    if (out.extension() != ".svg")
        return complain(fmt::format("--out: {}: expected a file name that ends with .svg", out.string()));
    std::error_code ignored;
    if (!run.force && std::filesystem::exists(out, ignored))
        return complain(fmt::format("--out: {} exists (--force overwrites it)", out.string()));
    const auto written = lab::write_whole(out, panzer::to_svg(loaded->map));
    if (!written) return complain(fmt::format("--out: {}", written.error().message));
    fmt::print("{}\n", out.string());
    return kDone;
}

}  // namespace

void add_map(CLI::App& app, Action& action) {
    CLI::App* command = app.add_subcommand("map", "Check and draw maps of the tank game Panzer");
    auto run = std::make_shared<MapRun>();
    const std::string maps =
        "A file (its name ends with .map), or the name of a shipped map: arena, duel, plains, ruins";
    CLI::App* checking =
        command->add_subcommand("check", "Print what a map holds, and what is wrong with it");
    checking->add_option("MAP", run->map, maps)->required();
    checking->footer("Exit codes: 0 it can be played (there may be warnings), 2 it cannot.");
    checking->callback([&action, run] { action = [run] { return check(*run); }; });
    CLI::App* showing = command->add_subcommand("show", "Draw a map as SVG");
    showing->add_option("MAP", run->map, maps)->required();
    showing->add_option("--out", run->out, "The picture; NAME.svg if not given");
    showing->add_flag("--force", run->force, "Overwrite an existing file");
    showing->callback([&action, run] { action = [run] { return show(*run); }; });
}

}  // namespace fray::cli
