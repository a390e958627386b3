#pragma once
// The program with a window: menu, battle, and the way between them.

#include <fray/result.hpp>

#include "games/panzer/client/settings.hpp"
#include "games/panzer/client/study_desk.hpp"
#include "games/panzer/match/match_report.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fray::panzer::client {

struct AppOptions {
    std::string join{};      ///< an address to join at once; empty: the menu
    bool begins = false;     ///< a battle with bots at once
    std::uint16_t host = 0;  ///< hosts a battle at this port at once; 0: no
    bool attract = false;    ///< a bot drives until a key is touched
    int width = 0;           ///< of the window, pixels; 0: as the settings say
    int height = 0;
    std::string replay{};  ///< a recording to show; empty: none
    std::string record{};  ///< file for the screen of the first battle; empty: none
    // Instead of what the settings say; empty or nothing: not given.
    std::string map{}, mode{}, netcode{};
    std::optional<std::uint32_t> bots{};
    OverlayName overlay{};
    std::uint32_t upload_kbps = 0;      ///< of each peer at the start; 0: no limit
    std::optional<StudySetup> study{};  ///< with `host` or `join`: the user study
    double seconds = 600;               ///< length of a battle
    double quits_after = 0;             ///< seconds; 0: when the player quits
};

struct AppOutcome {
    std::optional<MatchReport> report{};  ///< of the last battle, if there was one
    std::string trouble{};                ///< what the menu said at the end; empty: nothing
};

/// Runs until the player quits. Returns an error if no window can be opened.
[[nodiscard]] Result<AppOutcome> run_app(const AppOptions& options);

}  // namespace fray::panzer::client
