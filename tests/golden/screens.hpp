#pragma once
// Walkers with keys, each kept consistent by another algorithm, and what all screens show of them.

#include <fray/fingerprint.hpp>
#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include <vector>

namespace fray {

class KeyWalkers final : public Workload {
public:
    explicit KeyWalkers(Seed seed) : seed_{seed} {}

    static World world() {
        World world;
        world.low = {0, 0, 0};
        world.high = {100, 100, 0};
        world.wrap_x = true;
        world.types = {EntityType::bare("walker", walk)};
        return world;
    }

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index)
            players_.push_back({RandomStream{seed_, "key walker", players_.size()}, {}, {}, 0});
        Player& player = players_[index];
        player.pose.position = {static_cast<float>(player.random.uniform(0, 100)), 50, 0};
        player.entity = *swarm.publish(index, state_of(player.pose));
    }

    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Player& player = players_[index];
        for (unsigned key = 0; key < 4; ++key) {
            if (player.random.chance(0.1)) player.keys = static_cast<std::uint8_t>(player.keys ^ (1U << key));
        }
        State state = state_of(player.pose);
        state.input = {player.keys};
        state.pose = walk(player.pose, {}, state.input, 1);
        if (state.pose.position.x < 0) state.pose.position.x += 100;
        if (state.pose.position.x >= 100) state.pose.position.x -= 100;
        player.pose = state.pose;
        (void)swarm.update(index, player.entity, state);
    }

    /// Everything visible on this peer's screen.
    void look(const Swarm& swarm, PeerIndex index) {
        const Instant now = swarm.local_now(index);
        const auto own = swarm.peer(index).local_view(now, players_[index].entity);
        if (own) add(own->pose, own->moment, own->told);
        for (const Replica& replica : swarm.peer(index).replicas(now)) {
            add(replica.pose, replica.moment, replica.told);
            print_.add(replica.target.position.x).add(replica.target.position.y);
            print_.add(replica.corrections.count).add(replica.corrections.sum);
            corrections_ += replica.corrections.count;
        }
    }
    [[nodiscard]] EntityId entity(PeerIndex index) const { return players_[index].entity; }
    [[nodiscard]] std::uint64_t corrections() const { return corrections_; }
    [[nodiscard]] std::uint64_t seen() const { return print_.value(); }

private:
    struct Player {
        RandomStream random;
        Pose pose;
        EntityId entity;
        std::uint8_t keys;
    };

    /// Keys push; the speed is limited.
    static Pose walk(const Pose& pose, std::span<const std::uint8_t>, std::span<const std::uint8_t> input,
                     std::uint32_t ticks) {
        const unsigned keys = input.empty() ? 0U : input[0];
        const auto held = [&](unsigned key) { return (keys >> key & 1U) != 0 ? 1.0F : 0.0F; };
        Pose after = pose;
        for (std::uint32_t i = 0; i < ticks; ++i) {
            after.velocity = after.velocity * 0.9F + Vec3{held(0) - held(1), held(2) - held(3), 0} * 2.5F;
            after.position += after.velocity * 0.05F;
        }
        after.yaw = 90 * (held(0) + 2 * held(2));
        return after;
    }

    void add(const Pose& pose, SessionInstant moment, SessionInstant told) {
        print_.add(pose.position.x).add(pose.position.y).add(pose.velocity.x).add(pose.yaw);
        print_.add(static_cast<std::uint64_t>(moment.time_since_epoch().count()));
        print_.add(static_cast<std::uint64_t>(told.time_since_epoch().count()));
    }

    Seed seed_;
    std::vector<Player> players_;
    Fingerprint print_;
    std::uint64_t corrections_ = 0;
};

}  // namespace fray
