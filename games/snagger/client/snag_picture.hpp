#pragma once
// A picture of Snagger as two pilots play it in a simulated network, rendered without a screen.

#include <fray/result.hpp>
#include <fray/udp_driver.hpp>

#include "games/panzer/client/window.hpp"
#include "games/snagger/match/snag_swarm.hpp"

namespace fray::snagger::client {

struct PictureOptions {
    NetworkModel network{};
    UdpConditions conditions{};  ///< as the panel states the network
    Choice choice{};
    Seed seed{1};
    double at = 20;         ///< seconds of the game
    bool is_alone = false;  ///< one player's screen, as over the network; false: both
};

/// Draws the game at that time into the window; the games are returned for a look at what was drawn.
[[nodiscard]] Result<std::unique_ptr<SnagSwarm>> draw_picture(panzer::client::Window& window,
                                                              const PictureOptions& options);

}  // namespace fray::snagger::client
