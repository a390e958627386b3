#pragma once
// The program with a window: menu, battle, and the way between them.

#include <fray/result.hpp>

#include "games/panzer/client/settings.hpp"

#include <string>

namespace fray::panzer::client {

struct AppOptions {
    std::string join{};      ///< an address to join at once; empty: the menu
    bool begins = false;     ///< a battle with bots at once
    std::string replay{};    ///< a recording to show; empty: none
    std::string record{};    ///< file for the screen of the first battle; empty: none
    double seconds = 600;    ///< length of a battle
    double quits_after = 0;  ///< seconds; 0: when the player quits
};

/// Runs until the player quits. Returns an error if no window can be opened.
[[nodiscard]] Result<void> run_app(const AppOptions& options);

}  // namespace fray::panzer::client
