#pragma once
// Pictures of the game, rendered without a screen.

#include "games/panzer/client/renderer.hpp"
#include "games/panzer/client/theatre.hpp"
#include "games/panzer/client/window.hpp"

namespace fray::panzer::client {

/// Twice the resolution, and everything on: nobody waits for the next frame.
[[nodiscard]] Detail picture_detail();

/// Draws one frame of a battle into the window, with everything over it.
void draw_battle(Window& window, Renderer& renderer, Stage& stage, const Scenery& scenery, const Shown& shown,
                 const Detail& detail, double seconds_left);

}  // namespace fray::panzer::client
