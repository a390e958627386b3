#pragma once
// Snagger with a window: a menu over a game of two pilots, and the game.

#include <fray/result.hpp>

#include "games/snagger/client/seats.hpp"

#include <cstdint>
#include <string>

namespace fray::snagger::client {

struct SnagAppOptions {
    SeatOptions seats{};
    bool begins = false;  ///< the game that `seats` says at once, without the menu
    bool pilots = false;  ///< fly the ships until one of their keys is touched
    int width = 1280, height = 720;
    double quits_after = 0;  ///< seconds; 0: when the player quits
};

struct SnagOutcome {
    bool played = false;  ///< by two
    std::uint32_t caught = 0;
    double seconds = 0;
    std::string trouble{};  ///< why the game that was asked for did not begin or go on; empty: it did
};

/// Runs until the player quits; returns what the last game came to. Returns an error if no window can be
/// opened.
[[nodiscard]] Result<SnagOutcome> run_snag(const SnagAppOptions& options);

}  // namespace fray::snagger::client
