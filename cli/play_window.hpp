#pragma once
// fray play with a window, and pictures of a match without one. In a build without the graphics packages,
// each returns an error that says so.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "cli/play_arguments.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fray::cli {

struct WindowArguments {
    std::string screenshot;   ///< file; empty: none
    double at = 10;           ///< seconds of the match
    std::uint32_t width = 0;  ///< pixels; 0: 1280 x 720, or as the settings say
    std::uint32_t height = 0;
    std::vector<std::string> show;  ///< "scores", "network", "overlay"
    std::string replay;             ///< file; empty: none
    std::string join;               ///< address to join at once; empty: the menu
    std::set<std::string> given;    ///< options of the match that count in the window: "--map", ...
    double seconds = 600;           ///< of a battle in the window
    bool attract = false;           ///< a bot drives until a key is touched
    std::uint16_t host = 0;         ///< port to host at, at once; 0: no
    bool begins = false;            ///< a battle at once, without the menu
    double quits_after = 0;         ///< seconds; 0: when the player quits
    // The user study:
    std::string study;          ///< what it compares; empty: no study
    std::string study_times;    ///< "practice,trial,last", seconds; empty: as published
    std::string study_results;  ///< CSV file; empty: study.csv
};

/// Opens the window, and plays until the player quits; prints the scoreboard of the last battle.
[[nodiscard]] Result<void> play_in_window(const PlayArguments& match, const WindowArguments& window);
/// Whether this build has a window, and there is a display to show it on.
[[nodiscard]] bool has_display();
/// Writes a picture of the match at that time, as the first player's screen shows it.
[[nodiscard]] Result<void> take_screenshot(const MatchSetup& setup, const NetworkModel& network,
                                           const WindowArguments& window);

/// The same of the recording, and of the menu with what moves behind it.
[[nodiscard]] Result<void> take_replay_screenshot(const WindowArguments& window);
[[nodiscard]] Result<void> take_menu_screenshot(const WindowArguments& window);

}  // namespace fray::cli
