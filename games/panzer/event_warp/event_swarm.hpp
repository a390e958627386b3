#pragma once
// A match in event mode in a simulated network, in virtual time: the same options give the same match.

#include <fray/network_model.hpp>
#include <fray/swarm.hpp>

#include "games/panzer/event_warp/event_match.hpp"
#include "games/panzer/event_warp/event_oracle.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace fray::panzer {

struct EventSwarmResult {
    std::vector<EventReport> reports;  ///< by player; of a player that crashed, its last stay
    bool states_equal = false;         ///< all peers ended with the same state
    bool as_oracle = false;            ///< which is that of executing all messages once, in order
    EventOracle::Verdict verdict;      ///< on the states of all peers, one per second
    std::uint64_t peer_ticks = 0;      ///< of all stays
    std::uint64_t crashes = 0;         ///< players that crashed and came back
    std::uint64_t trace_hash = 0;      ///< of every datagram
    std::uint64_t datagrams = 0;
};

/// A player crashes, and comes back later.
struct Crash {
    std::uint32_t player = 0;
    Duration at{};  ///< since the swarm began
    Duration away{};
};

/// Plays to the end. `progress` is called with the share that is done, and stops the match by returning
/// false. Returns an error if the map has no room for the players.
[[nodiscard]] Result<EventSwarmResult> play_event_match(const Battlefield& field, const NavMesh& mesh,
                                                        const EventMatchOptions& options,
                                                        const NetworkModel& network,
                                                        const std::function<bool(double)>& progress = {},
                                                        std::span<const Crash> crashes = {});

}  // namespace fray::panzer
