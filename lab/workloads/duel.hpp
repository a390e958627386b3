#pragma once
// Two players shoot at each other's ship as they see it, and the target's owner decides (Peer::interact).
// Measures death decisions (3.4), not only how ships move.

#include <fray/swarm.hpp>

#include "lab/metrics/screen_log.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <vector>

namespace fray::lab {

class Duel {
public:
    /// pause: between two shots of a player; 0: no shots.
    explicit Duel(Duration pause) : pause_{pause} {}

    /// This player has just drawn the other's ship at this position; shoots at it if it is time.
    void drawn(Swarm& swarm, PeerIndex shooter, const EntityId& by, const Replica& other);
    void event(Swarm& swarm, PeerIndex index, const Event& event);

    /// Answered shots of this player.
    [[nodiscard]] const std::vector<Decision>& decisions(PeerIndex shooter) const {
        return players_[shooter].decisions;
    }
    /// Shots that were not answered, or not yet.
    [[nodiscard]] std::size_t unanswered(PeerIndex shooter) const { return players_[shooter].waiting.size(); }

private:
    struct Shot {
        SessionInstant asked{};
        bool hits = false;  // on the shooter's screen
    };
    struct Player {
        SessionInstant next{};
        std::uint32_t shots = 0;
        std::map<RequestId, Shot> waiting;
        std::vector<Decision> decisions;
    };

    Duration pause_;
    std::array<Player, 2> players_;
};

}  // namespace fray::lab
