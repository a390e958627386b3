#pragma once
// A workload for tests: every peer owns one entity that runs in circles, and sometimes sends a message to all
// peers, reliably and in order. All messages differ, so that the checkers can identify them.

#include <fray/swarm.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace fray::test {

class Patrol : public Workload {
public:
    /// Frames between two reliable messages of a peer; 0: none.
    std::uint32_t frames_per_message = 20;
    /// Messages are for all peers that are linked within this time.
    Duration linked_within{};

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) override;

    [[nodiscard]] std::uint64_t updates() const { return updates_; }
    [[nodiscard]] std::uint64_t messages_heard() const { return heard_; }
    [[nodiscard]] std::uint64_t left_for(Reason reason) const {
        const auto found = left_.find(reason);
        return found == left_.end() ? 0 : found->second;
    }
    [[nodiscard]] EntityId entity_of(PeerIndex index) const { return peers_[index].entity; }

private:
    struct Player {
        EntityId entity;
        std::uint32_t frames = 0;
    };
    static State state_at(PeerIndex index, std::uint32_t frame);

    std::vector<Player> peers_;
    std::uint64_t messages_ = 0;
    std::uint64_t updates_ = 0;
    std::uint64_t heard_ = 0;
    std::map<Reason, std::uint64_t> left_;
};

}  // namespace fray::test
