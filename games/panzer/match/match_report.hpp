#pragma once
// What one peer reports after a match: its scoreboard, its network, and what it refused.

#include "games/panzer/match/refusal.hpp"
#include "games/panzer/match/standings.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
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
    // With focus sets:
    double focus_size = 0;          ///< peers that get every frame, mean
    double best_effort_gap_ms = 0;  ///< expected between two updates to each of the others, mean
    double guided_pct = 0;          ///< of the tanks in sight, those that a guide drives
};

/// Of a peer that plays on Time Warp.
struct WarpReport {
    std::uint64_t rollbacks = 0;
    double depth_ms_p50 = 0;  ///< of a rollback: from the earliest of its stragglers to the present
    double depth_ms_p99 = 0;
    double late_below_50ms = 0;  ///< share of the rollbacks whose messages were late by less
    double late_below_100ms = 0;
    std::uint64_t visible = 0;          ///< rollbacks that moved a tank on the screen (JumpMeter)
    double shown_error_m_p95 = 0;       ///< between a tank on the screen and in the simulation
    std::uint64_t reversed_deaths = 0;  ///< announced, and not in the final record
    std::uint64_t ticks = 0;
    std::uint64_t tank_ticks_again = 0;  ///< parts executed again in repairs
    std::uint64_t stalled_ticks = 0;
    double response_ms = 0;         ///< from a key to its effect on the own screen, mean
    double death_final_ms_p50 = 0;  ///< from a death to its announcement
    double death_final_ms_p95 = 0;
    std::uint64_t desyncs = 0;     ///< differences of this peer's own state that were repaired
    std::uint64_t refused = 0;     ///< lines and messages that were refused
    std::uint64_t messages = 0;    ///< of this player
    std::uint64_t state_hash = 0;  ///< of the last state
    std::string last_desync;       ///< the last difference that any member reported
};

struct MatchReport {
    PeerId player;
    std::string name{};  ///< of a watcher, which has no card
    Standings standings;
    NetworkReport network;
    std::uint32_t players_seen = 0;  ///< tanks of others that were among its replicas at any time
    std::uint64_t hits_claimed = 0;  ///< by this player: its screen showed a hit
    std::uint64_t hits_refused = 0;  ///< of them, by the targets
    std::array<std::uint64_t, kRefusals> refused{};  ///< by this player, of others' claims, by Refusal
    std::uint64_t granted_aside =
        0;  ///< hits on this player as the shooter's screen showed it, not where it was
    std::uint64_t impossible_moves = 0;  ///< of other tanks, that this peer noticed
    std::uint64_t taken_over = 0;        ///< shared items, doors and flags, when their owner was lost
    std::uint64_t created = 0;           ///< anew, after owner and deputy were lost together
    std::uint64_t doors_opened = 0;      ///< on request, by this peer as the owner of doors
    std::uint64_t flags_taken = 0;       ///< likewise
    std::optional<WarpReport> warp{};    ///< on Time Warp
    bool finished = false;               ///< every player present at the end had sent its final card
};

}  // namespace fray::panzer
