#pragma once
// A witness of a match on Time Warp. It gathers what the players said as far as it is final, executes it in
// order on one battle that is never rolled back, and compares the final states of all peers with it.

#include <fray/time_warp/warp_match.hpp>

#include "games/panzer/warp/battle_wire.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace fray::panzer {

class WarpOracle {
public:
    /// The battle before the match.
    explicit WarpOracle(WarpBattle battle);

    /// Call it at least once per second, for every peer. The matches keep their lines
    /// (WarpMatchOptions::keeps_lines).
    void see(const PeerId& peer, WarpMatch<WarpBattle>& match);

    struct Verdict {
        std::uint64_t compared = 0;  ///< checkpoints of all peers
        std::uint64_t different = 0;
        Tick ticks = 0;     ///< executed by the witness
        std::string first;  ///< difference: which peer, which tick
        std::uint64_t hits = 0, deaths = 0, pickups = 0, respawns = 0;
    };
    [[nodiscard]] Verdict judge();

private:
    [[nodiscard]] std::uint64_t hash() const;
    void count(Verdict& verdict) const;

    WarpBattle battle_;
    std::map<std::pair<Tick, MessageName>, StreamLine> lines_;
    std::map<std::pair<Tick, PeerId>, std::uint64_t> hashes_;
};

}  // namespace fray::panzer
