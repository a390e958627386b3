#pragma once
// What one peer reports after a match: its scoreboard, its network, and what it refused.

#include "games/panzer/match/refusal.hpp"
#include "games/panzer/match/standings.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fray::panzer {

/// Measured by one peer while the match ran.
struct NetworkReport {
    double upload_kbps_mean = 0;   ///< headers included
    double upload_kbps_most = 0;   ///< in any second
    double update_age_ms_p50 = 0;  ///< of the tanks in the peer's sight
    double update_age_ms_p95 = 0;
    double rtt_ms = 0;             ///< mean of its links
    double corrections_per_s = 0;  ///< of one replica, mean
    double correction_m = 0;       ///< mean length
};

struct MatchReport {
    PeerId player;
    Standings standings;
    NetworkReport network;
    std::uint32_t players_seen = 0;  ///< tanks of others that were among its replicas at any time
    std::uint64_t hits_claimed = 0;  ///< by this player: its screen showed a hit
    std::uint64_t hits_refused = 0;  ///< of them, by the targets
    std::array<std::uint64_t, kRefusals> refused{};  ///< by this player, of others' claims, by Refusal
    std::uint64_t impossible_moves = 0;              ///< of other tanks, that this peer noticed
    std::uint64_t taken_over = 0;    ///< shared items, doors and flags, when their owner was lost
    std::uint64_t doors_opened = 0;  ///< on request, by this peer as the owner of doors
    std::uint64_t flags_taken = 0;   ///< likewise
    bool finished = false;           ///< every player present at the end had sent its final card
};

}  // namespace fray::panzer
