#pragma once
// A light above the tank of every other person, so that people are told from bots at first sight.

#include "games/panzer/client/moment.hpp"
#include "games/panzer/client/picture.hpp"
#include "games/panzer/client/talk.hpp"
#include "games/panzer/client/terrain.hpp"

#include <vector>

namespace fray::panzer::client {

void add_beacons(const Moment& moment, const std::vector<SeatNote>& seats, const Heights& heights,
                 Picture& picture);

}  // namespace fray::panzer::client
