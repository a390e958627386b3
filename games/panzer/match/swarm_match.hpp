#pragma once
// A match of bots in a simulated network, in virtual time: the same options and seed give the same match.

#include <fray/network_model.hpp>
#include <fray/swarm.hpp>

#include "games/panzer/match/player_game.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace fray::panzer {

struct SwarmMatchResult {
    std::vector<MatchReport> reports;  ///< of the players that were there at the end, in order
    std::uint64_t trace_hash = 0;      ///< of every datagram
    bool scoreboards_equal = false;    ///< among all of them
};

class SwarmMatch {
public:
    /// Everything must outlive the match. One peer per element of `players`.
    SwarmMatch(const Battlefield& field, const NavMesh& mesh, const MatchOptions& match,
               std::vector<PlayerOptions> players);

    /// The screen of this player is recorded.
    void record(std::uint32_t player, ScreenRecorder& recorder);
    /// For faults: called with the swarm before it runs.
    void prepare(std::function<void(Swarm&)> prepare) { prepare_ = std::move(prepare); }
    /// Called for every living player, 20 times a second.
    using Watch = std::function<void(PeerIndex, PlayerGame&)>;
    void watch(Watch watch) { watch_ = std::move(watch); }
    /// Called for every game that is made; what it returns plays instead, and forwards to that game.
    using Wrap = std::function<std::unique_ptr<PlayerGame>(PeerIndex, std::unique_ptr<PlayerGame>)>;
    void wrap(Wrap wrap) { wrap_ = std::move(wrap); }
    /// Plays to the end. `progress` is called with the share that is done, and stops the match by returning
    /// false.
    [[nodiscard]] Result<SwarmMatchResult> run(const NetworkModel& network,
                                               const std::function<bool(double)>& progress = {});

private:
    const Battlefield* field_;
    const NavMesh* mesh_;
    MatchOptions match_;
    std::vector<PlayerOptions> players_;
    std::uint32_t recorded_ = 0;
    ScreenRecorder* recorder_ = nullptr;
    std::function<void(Swarm&)> prepare_;
    Watch watch_;
    Wrap wrap_;
};

}  // namespace fray::panzer
