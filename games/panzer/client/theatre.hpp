#pragma once
// Pictures of a match of bots in virtual time, rendered without a screen: the same options and seed give the
// same picture.

#include <fray/network_model.hpp>

#include "games/panzer/bots/nav_mesh.hpp"
#include "games/panzer/client/net_view.hpp"
#include "games/panzer/client/stage.hpp"
#include "games/panzer/client/talk.hpp"
#include "games/panzer/match/match_options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fray::panzer::client {

/// What to show over the battle.
struct Shown {
    bool scores = false;
    bool network = false;  ///< the panel of F1
    bool overlay = false;  ///< the marks of F2
};

struct TheatreOptions {
    MatchOptions match;
    std::vector<PlayerOptions> players;
    NetworkModel network;
    std::uint32_t watched = 0;  ///< whose screen it is
    double at = 10;             ///< seconds since the match began
};

/// The screen of the watched player at that time.
struct Scenery {
    Moment moment;
    NetView net;
    std::vector<SeatNote> seats;
};
/// Plays the match until then; the stage has seen all of it. Returns an error if the match ends before.
[[nodiscard]] Result<Scenery> play_until(const Battlefield& field, const NavMesh& mesh,
                                         const TheatreOptions& options, Stage& stage);

}  // namespace fray::panzer::client
