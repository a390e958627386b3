#pragma once
// What some peers of a swarm see of all others: how often new states arrive, and how long none does.

#include <fray/swarm.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace fray::test {

class CrowdWatch {
public:
    CrowdWatch(const Swarm& swarm, std::vector<PeerIndex> observers)
        : swarm_{swarm}, observers_{std::move(observers)}, seen_(observers_.size()) {}

    /// Call it often: a state that another one replaces between two calls is not counted.
    void sample() {
        for (std::size_t o = 0; o < observers_.size(); ++o) {
            const PeerIndex peer = observers_[o];
            if (!swarm_.alive(peer)) continue;
            for (const Replica& replica : swarm_.peer(peer).replicas(swarm_.local_now(peer)))
                note(seen_[o][replica.owner], replica.stamp);
        }
    }
    /// Rates and gaps count from now on.
    void restart() {
        from_ = swarm_.now();
        for (auto& of_one : seen_) of_one.clear();
    }
    [[nodiscard]] std::size_t least_seen() const {
        std::size_t least = SIZE_MAX;
        for (const auto& of_one : seen_) least = std::min(least, of_one.size());
        return least;
    }
    /// New states per second, over all pairs of an observer and a peer.
    [[nodiscard]] double mean_rate() const {
        double states = 0;
        double pairs = 0;
        for (const auto& of_one : seen_) {
            for (const auto& [owner, seen] : of_one) states += static_cast<double>(seen.states);
            pairs += static_cast<double>(of_one.size());
        }
        return states / std::max(1.0, pairs) / seconds(swarm_.now() - from_);
    }
    [[nodiscard]] Duration longest_gap() const {
        Duration longest{};
        for (const auto& of_one : seen_) {
            for (const auto& [owner, seen] : of_one) longest = std::max(longest, seen.longest_gap);
        }
        return longest;
    }

private:
    struct Seen {
        SessionInstant stamp{};
        Duration last{};
        Duration longest_gap{};
        std::uint64_t states = 0;
    };
    void note(Seen& seen, SessionInstant stamp) const {
        if (seen.states != 0 && seen.stamp == stamp) return;
        if (seen.states != 0) seen.longest_gap = std::max(seen.longest_gap, swarm_.now() - seen.last);
        seen.stamp = stamp;
        seen.last = swarm_.now();
        ++seen.states;
    }

    const Swarm& swarm_;
    std::vector<PeerIndex> observers_;
    std::vector<std::map<PeerId, Seen>> seen_;
    Duration from_{};
};

}  // namespace fray::test
