#pragma once
// Two pilots play Snagger in a simulated network: the same seed and network give the same game.

#include <fray/network_model.hpp>
#include <fray/swarm.hpp>

#include "games/snagger/match/snag_game.hpp"
#include "games/snagger/pilot/pilot.hpp"

#include <array>
#include <functional>
#include <memory>

namespace fray::snagger {

class SnagSwarm {
public:
    [[nodiscard]] static Result<std::unique_ptr<SnagSwarm>> create(const NetworkModel& network,
                                                                   const Choice& choice, Seed seed);
    SnagSwarm(const SnagSwarm&) = delete;
    SnagSwarm& operator=(const SnagSwarm&) = delete;

    /// Runs on until this many seconds have passed since the start; calls `tick` sixty times a second.
    void run_until(double seconds, const std::function<void()>& tick = {});
    /// Player 0 or 1; only after the first run.
    [[nodiscard]] SnagGame& game(std::size_t i) { return *games_[i]; }
    [[nodiscard]] std::uint64_t trace_hash() const { return swarm_.trace_hash(); }

private:
    SnagSwarm(Swarm swarm, const Choice& choice, Seed seed);

    std::array<Pilot, kShips> pilots_;
    std::array<SnagGame*, kShips> games_{};
    GameWorkload workload_;
    Swarm swarm_;
};

}  // namespace fray::snagger
