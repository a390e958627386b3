#pragma once
// The network in figures (F1).

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/net_view.hpp"

namespace fray::panzer::client {

inline constexpr float kNetPanelWidth = 20;  ///< units
/// On the right side of the screen.
void draw_net_panel(const NetView& net, const Moment& moment, const Fonts& fonts, const glm::vec2& size);

/// Small, below the minimap.
void draw_net_graph(const NetView& net, const Fonts& fonts, const glm::vec2& size);

}  // namespace fray::panzer::client
