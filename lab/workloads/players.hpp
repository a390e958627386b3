#pragma once
// The games of a swarm: every peer publishes one player that walks at random and is updated every frame, and
// optionally sends messages to the others.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include "lab/workloads/random_walk.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::lab {

struct PlayerOptions {
    WalkOptions walk{};
    /// Seconds between two messages of a peer, on average: every other one to all peers, the rest to one
    /// peer; reliable and ordered in turn. 0: none.
    double message_interval = 0;
    std::size_t message_bytes = 24;          ///< at least 12, which identify the message
    Duration silent_from = Duration::max();  ///< no new messages after this true time
};

class Players : public Workload {
public:
    Players(const World& world, const PlayerOptions& options, Seed seed);

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;

private:
    struct Player {
        RandomWalk walk;
        RandomStream talk;
        EntityId entity{};
        std::uint32_t stay = 0;
        std::uint32_t messages = 0;
    };

    Player& player(PeerIndex index);
    void say_something(Swarm& swarm, PeerIndex index, const Peer& peer, Player& who);

    World world_;
    PlayerOptions options_;
    Seed seed_;
    std::vector<std::optional<Player>> players_;
};

}  // namespace fray::lab
