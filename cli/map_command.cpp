#include "cli/command.hpp"
#include "cli/map_file.hpp"
#include "games/panzer/rules/map_picture.hpp"
#include "lab/runner/file_io.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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

int check(const MapRun& run) {
    const auto loaded = load_map(run.map);
    if (!loaded) return complain(loaded.error().message);
    const panzer::Map& map = loaded->map;
    const panzer::MapReport report = panzer::inspect(map);
    if (const auto playable = check_playable(*loaded, report); !playable)
        return complain(playable.error().message);
    fmt::print("{}: {}{}{:.0f} m by {:.0f} m, {} by {} cells of {:.0f} m\n", map.name, map.title,
               map.title.empty() ? "" : ", ", map.width(), map.height(), map.columns, map.rows, map.cell);
    fmt::print("tanks: {} (spawn points of team 1: {}, of team 2: {}, of both: {})\n", map.most_tanks(),
               report.team_spawns[1], report.team_spawns[2], report.team_spawns[0]);
    fmt::print("items: {}\ndoors: {}\nflags: {}\nreachable: {} of {} cells without a wall\n",
               map.items.size(), map.doors.size(), map.flags.size(), report.reachable_cells,
               report.ground_cells);
    for (const panzer::CellPlace place : report.lost_items)
        fmt::print(stderr, "fray: warning: {}\n",
                   at_cell(*loaded, place, "no tank can reach this item: walls enclose it"));
    if (map.items.empty()) fmt::print(stderr, "fray: warning: {}: no items (i)\n", loaded->file);
    if (map.flags.empty())
        fmt::print(stderr, "fray: warning: {}: no flag (F): mode flag is refused\n", loaded->file);
    return kDone;
}

int show(const MapRun& run) {
    const auto loaded = load_map(run.map);
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
    CLI::App* checking =
        command->add_subcommand("check", "Print what a map holds, and what is wrong with it");
    checking->add_option("MAP", run->map, kMapHelp)->required();
    checking->footer("Exit codes: 0 it can be played (there may be warnings), 2 it cannot.");
    checking->callback([&action, run] { action = [run] { return check(*run); }; });
    CLI::App* showing = command->add_subcommand("show", "Draw a map as SVG");
    showing->add_option("MAP", run->map, kMapHelp)->required();
    showing->add_option("--out", run->out, "The picture; NAME.svg if not given");
    showing->add_flag("--force", run->force, "Overwrite an existing file");
    showing->callback([&action, run] { action = [run] { return show(*run); }; });
}

}  // namespace fray::cli
