#pragma once
// What the peers of a swarm know of each other's players: one entity per peer.

#include <fray/swarm.hpp>

#include "lab/metrics/protocol_quality.hpp"

#include <optional>
#include <span>

namespace fray::lab {

class SwarmKnowledge : public Knowledge {
public:
    /// The peers must have the ids that the swarm assigns. The swarm must outlive this.
    SwarmKnowledge(const Swarm& swarm, Duration round) : swarm_{swarm}, round_{round} {}

    [[nodiscard]] std::optional<Sighting> about(PlayerIndex who, PlayerIndex whom) override;
    /// Call it after the swarm has advanced, or after other code asked a peer for its replicas.
    void forget() { looking_ = kNobody; }

private:
    const Swarm& swarm_;
    Duration round_;
    PlayerIndex looking_ = kNobody;        ///< the player whose replicas these are
    std::span<const Replica> replicas_{};  ///< ordered by owner
};

}  // namespace fray::lab
