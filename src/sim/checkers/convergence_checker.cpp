#include "sim/checkers/convergence_checker.hpp"

#include <algorithm>

namespace fray::sim {

void ConvergenceChecker::watch_from(Duration moment) {
    moment_ = moment;
    pairs_.clear();
}

void ConvergenceChecker::on_started(Duration, PeerIndex index, const Peer&) {
    if (entities_.size() <= index) entities_.resize(index + std::size_t{1});
    entities_[index].clear();
}

void ConvergenceChecker::on_command(const Command& command) {
    if (!command.accepted) return;
    std::vector<EntityId>& owned = entities_[command.peer];
    if (command.kind == CommandKind::publish) owned.push_back(command.entity);
    if (command.kind == CommandKind::withdraw) std::erase(owned, command.entity);
}

void ConvergenceChecker::on_delivered(const Transit& transit) {
    if (!moment_ || transit.at < *moment_) return;
    Times& times = pairs_[{transit.to, transit.from}];
    if (!times.contact) times.contact = transit.at;
    if (!times.fresh && swarm().alive(transit.to) && holds_fresh(transit.to, transit.from))
        times.fresh = transit.at;
}

bool ConvergenceChecker::holds_fresh(PeerIndex holder, PeerIndex owner) const {
    const Instant now = swarm().local_now(holder);
    const SessionInstant fresh_from = swarm().session_time(*moment_);
    return std::any_of(entities_[owner].begin(), entities_[owner].end(), [&](const EntityId& entity) {
        const std::optional<Replica> replica = swarm().peer(holder).replica(now, entity);
        return replica && replica->stamp >= fresh_from;
    });
}

void ConvergenceChecker::conclude() {
    if (!moment_) return;
    for (PeerIndex holder = 0; holder < swarm().size(); ++holder) {
        for (PeerIndex owner = 0; owner < swarm().size(); ++owner) {
            if (holder == owner || !swarm().alive(holder) || !swarm().alive(owner)) continue;
            const auto found = pairs_.find({holder, owner});
            if (found != pairs_.end() && found->second.fresh) continue;
            if (entities_[owner].empty()) continue;
            violation("peer " + std::to_string(holder) + " holds nothing of peer " + std::to_string(owner) +
                      " newer than " + time_text(*moment_));
        }
    }
}

std::vector<Duration> ConvergenceChecker::delays() const {
    std::vector<Duration> delays;
    for (const auto& [pair, times] : pairs_) {
        if (times.fresh && swarm().alive(pair.first) && swarm().alive(pair.second)) {
            delays.push_back(*times.fresh - *times.contact);
        }
    }
    std::sort(delays.begin(), delays.end());
    return delays;
}

}  // namespace fray::sim
