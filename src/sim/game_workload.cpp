// Games in a swarm: their commands go through the swarm, so that recorders and checkers see them.

#include <fray/swarm.hpp>

namespace fray {

namespace {

class SwarmCommands final : public Commands {
public:
    SwarmCommands(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer)
        : Commands{now, peer}, swarm_{swarm}, index_{index} {}

    [[nodiscard]] Result<EntityId> publish(const State& state, Tenure tenure) override {
        return swarm_.publish(index_, state, tenure);
    }
    Result<void> update(const EntityId& entity, const State& state) override {
        return swarm_.update(index_, entity, state);
    }
    Result<void> set_consistency(const EntityId& entity, const Consistency& consistency) override {
        return swarm_.set_consistency(index_, entity, consistency);
    }
    Result<void> set_attention(const AttentionWeights& weights) override {
        return fray::set_attention(swarm_, index_, weights);
    }
    Result<void> hand_over(const EntityId& entity, const PeerId& to) override {
        return swarm_.hand_over(index_, entity, to);
    }
    Result<void> withdraw(const EntityId& entity) override { return swarm_.withdraw(index_, entity); }
    Result<void> send(const Outgoing& message) override { return swarm_.send(index_, message); }
    Result<RequestId> interact(const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes) override {
        return swarm_.interact(index_, by, target, bytes);
    }
    Result<void> answer(const RequestId& request, std::span<const std::uint8_t> bytes) override {
        return swarm_.answer(index_, request, bytes);
    }

private:
    Swarm& swarm_;
    PeerIndex index_;
};

}  // namespace

void GameWorkload::started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    if (index >= games_.size()) games_.resize(index + std::size_t{1});
    games_[index] = make_(index);
    SwarmCommands commands{swarm, index, now, peer};
    games_[index]->started(commands);
}

void GameWorkload::frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    SwarmCommands commands{swarm, index, now, peer};
    games_[index]->frame(commands);
}

void GameWorkload::event(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer, const Event& event) {
    SwarmCommands commands{swarm, index, now, peer};
    games_[index]->event(commands, event);
}

}  // namespace fray
