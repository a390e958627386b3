#pragma once
// The network in the world (F2): who focuses on whom, guided replicas and where they are steered to, the last
// received positions, near and sensor nodes, and where a rollback has moved a tank from.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/net_view.hpp"
#include "games/panzer/client/terrain.hpp"

namespace fray::panzer::client {

void add_net_overlay(const Moment& moment, const NetView& net, const Heights& heights, Picture& picture);
/// What the colours mean.
void draw_net_legend(const Fonts& fonts, const glm::vec2& size);

}  // namespace fray::panzer::client
