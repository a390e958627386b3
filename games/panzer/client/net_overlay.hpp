#pragma once
// The network in the world (F2): who focuses on whom, guided replicas and where they are steered to, the last
// received positions, near and sensor nodes, and where a rollback has moved a tank from.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/net_view.hpp"
#include "games/panzer/client/terrain.hpp"

#include <array>
#include <cstdint>

namespace fray::panzer::client {

/// What the overlay marks; each has a colour of its own.
enum class NetMark : std::uint8_t { focus, guided, received, near, sensor, moved };
inline constexpr std::size_t kNetMarks = 6;
using NetMarks = std::array<bool, kNetMarks>;

/// Adds the marks to the picture, and returns which of them it has.
NetMarks add_net_overlay(const Moment& moment, const NetView& net, const Heights& heights, Picture& picture);
/// What the colours of these marks mean.
void draw_net_legend(const NetMarks& marks, const Fonts& fonts, const glm::vec2& size);

}  // namespace fray::panzer::client
