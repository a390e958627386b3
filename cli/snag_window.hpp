#pragma once
// fray snag with a window, and a picture of it without one. In a build without the graphics packages, each
// returns an error that says so.

#include <fray/network_model.hpp>
#include <fray/result.hpp>

#include "games/snagger/match/choice.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fray::cli {

struct SnagArguments {
    bool begins = false;
    std::uint16_t host = 0;
    std::string join;
    bool pilots = false;
    std::string consistency = "everquest";
    std::uint16_t algorithm_lag_ms = 100;
    std::uint32_t delay_ms = 0;
    std::uint32_t jitter_ms = 0;
    double loss_percent = 0;
    std::uint64_t seed = 1;
    bool headless = false;
    std::optional<double> seconds;
    std::string screenshot;
    double at = 20;
    bool alone = false;
    double quits_after = 0;
    int width = 1280, height = 720;
};

/// The simulated network between two pilots.
[[nodiscard]] NetworkModel network_of(const SnagArguments& arguments);

/// Plays until the player quits; prints what was caught.
[[nodiscard]] Result<void> snag_in_window(const SnagArguments& arguments, const snagger::Choice& choice);
[[nodiscard]] Result<void> take_snag_picture(const SnagArguments& arguments, const snagger::Choice& choice);

}  // namespace fray::cli
