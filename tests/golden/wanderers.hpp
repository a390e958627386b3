#pragma once
// Players that wander about and sometimes send a message: enough to use every module.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include <vector>

namespace fray {

class Wanderers final : public Workload {
public:
    explicit Wanderers(Seed seed) : seed_{seed} {}

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index)
            players_.push_back({RandomStream{seed_, "wanderer", players_.size()}, {}, {}});
        Player& player = players_[index];
        player.pose.velocity = {static_cast<float>(player.random.uniform(-50, 50)),
                                static_cast<float>(player.random.uniform(-50, 50)), 0};
        player.entity = *swarm.publish(index, state_of(player.pose));
    }

    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Player& player = players_[index];
        if (player.random.chance(0.1)) {
            player.pose.velocity.x = static_cast<float>(player.random.normal(0, 60));
            player.pose.velocity.y = static_cast<float>(player.random.normal(0, 60));
            player.pose.yaw = static_cast<float>(player.random.uniform(0, 360));
        }
        player.pose.position += player.pose.velocity * 0.05F;
        (void)swarm.update(index, player.entity, state_of(player.pose));
        if (player.random.chance(0.05)) {
            Outgoing hail{.bytes = {1, 2, 3},
                          .delivery = player.random.chance(0.5) ? Delivery::ordered : Delivery::reliable};
            (void)swarm.send(index, hail);
        }
    }

    void event(Swarm&, PeerIndex, Instant, const Peer&, const Event& event) override {
        if (std::holds_alternative<Message>(event)) ++messages_;
    }

    [[nodiscard]] std::uint64_t messages() const { return messages_; }

private:
    struct Player {
        RandomStream random;
        Pose pose;
        EntityId entity;
    };
    Seed seed_;
    std::vector<Player> players_;
    std::uint64_t messages_ = 0;
};

}  // namespace fray
