#include "lab/metrics/swarm_knowledge.hpp"

#include <algorithm>
#include <cmath>

namespace fray::lab {
namespace {

/// Rounded to whole rounds: in round mode ages are whole; otherwise the newest possible update is one round
/// old.
double rounds_old(Duration age, Duration round) {
    return std::max(1.0, std::round(seconds(age) / seconds(round)));
}

}  // namespace

std::optional<Sighting> SwarmKnowledge::about(PlayerIndex who, PlayerIndex whom) {
    if (looking_ != who) {
        looking_ = who;
        replicas_ = swarm_.peer(who).replicas(swarm_.local_now(who));
    }
    const PeerId owner = PeerId::from_number(whom + 1ULL);
    const auto found =
        std::lower_bound(replicas_.begin(), replicas_.end(), owner,
                         [](const Replica& replica, const PeerId& id) { return replica.id.owner < id; });
    if (found == replicas_.end() || found->id.owner != owner) return std::nullopt;
    const Duration age = swarm_.session_time(swarm_.now()) - found->stamp;
    return Sighting{.position_age = rounds_old(age, round_),
                    .shown = found->pose.position,
                    .received = found->received.position};
}

}  // namespace fray::lab
