#pragma once
// Sets up a pSense experiment from its parameters: players, world, peers' options, network.

#include <fray/swarm.hpp>

#include "lab/metrics/protocol_quality.hpp"
#include "lab/runner/parameters.hpp"
#include "lab/workloads/movement.hpp"
#include "lab/workloads/population.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fray::lab {

/// The player that a newcomer joins through.
enum class Through : std::uint8_t {
    anyone,   ///< a random one that joined in an earlier round
    earlier,  ///< a random one that joined before, possibly in the same round
    nearby,   ///< the nearest of those that joined in an earlier round
};

struct PSenseSetup {
    bool client_server = false;
    bool paper_mode = false;
    bool curve = false;
    bool traces = false;     ///< the players move as recorded
    bool resources = false;  ///< measures the resources of the run as well
    Through through = Through::anyone;
    bool rejoin = true;               ///< the game of a refused player joins again, through any other peer
    std::uint32_t quality_every = 1;  ///< rounds
    float position_precision = 0.125F;
    MovementOptions movement{};
    Ranges ranges{};
    ScheduleOptions schedule{};
    double rounds_per_second = 3;
    Duration round{};
    std::uint32_t samples_per_round = 1;
    std::uint32_t cap_bytes = 0;
    SwarmOptions swarm{};
    /// Assigned to peers in turn: if there are two, low and high capacity alternate.
    std::vector<std::shared_ptr<const PeerOptions>> peers{};

    [[nodiscard]] static std::vector<ParameterSpec> parameters();
    /// Returns an error if parameters contradict each other.
    [[nodiscard]] static Result<PSenseSetup> make(const Parameters& parameters);

    /// After the warm-up and all rounds.
    [[nodiscard]] std::uint32_t total_rounds() const { return schedule.warm_up_rounds + schedule.rounds; }
};

}  // namespace fray::lab
