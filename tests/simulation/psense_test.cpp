// pSense in the simulator's round mode: a message sent in a round arrives in the next.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace fray {
namespace {

constexpr Duration kRound{333'333us};

/// Players that walk in straight lines and turn now and then.
class Walkers final : public Workload {
public:
    Walkers(float size, float step) : size_{size}, step_{step} {}

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index)
            players_.push_back({RandomStream{Seed{5}, "walker", players_.size()}, {}, {}});
        Player& p = players_[index];
        p.pose.position = {static_cast<float>(p.random.uniform(0, size_)),
                           static_cast<float>(p.random.uniform(0, size_)), 0};
        turn(p);
        p.entity = *swarm.publish(index, state_of(p.pose));
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Player& p = players_[index];
        if (p.random.chance(0.1)) turn(p);
        const auto per_round = static_cast<float>(seconds(kRound));
        Vec3 next = p.pose.position + p.pose.velocity * per_round;
        if (next.x < 0 || next.x > size_ || next.y < 0 || next.y > size_) {
            p.pose.velocity = Vec3{} - p.pose.velocity;
            next = p.pose.position;
        }
        p.pose.position = next;
        (void)swarm.update(index, p.entity, state_of(p.pose));
    }
    [[nodiscard]] Vec3 position(PeerIndex i) const { return players_[i].pose.position; }
    [[nodiscard]] EntityId entity(PeerIndex i) const { return players_[i].entity; }

private:
    struct Player {
        RandomStream random;
        Pose pose;
        EntityId entity;
    };
    void turn(Player& p) const {
        const float x = static_cast<float>(p.random.uniform(-1, 1));
        const float y = static_cast<float>(p.random.uniform(-1, 1));
        const float scale =
            step_ / static_cast<float>(seconds(kRound)) / std::max(0.01F, std::sqrt(x * x + y * y));
        p.pose.velocity = {x * scale, y * scale, 0};
    }
    float size_;
    float step_;
    std::vector<Player> players_;
};

class PSenseSwarm : public testing::Test {
protected:
    void make(PeerIndex players, float size, const PSense& psense, const InterestOptions& interest,
              std::uint32_t bytes_per_round) {
        auto made = Swarm::create({.network = {}, .round = kRound}, Seed{3});
        ASSERT_TRUE(made) << made.error().message;
        swarm_ = std::make_unique<Swarm>(std::move(*made));
        walkers_ = std::make_unique<Walkers>(size, 5.0F);
        swarm_->set_workload(walkers_.get());
        PeerOptions options;
        options.world.low = {0, 0, 0};
        options.world.high = {size, size, 0};
        options.world.angle_bits = 0;
        options.world.velocity_limit = 64;
        options.world.tick = kRound;
        options.overlay = psense;
        options.interest = interest;
        options.link.early_data = true;
        options.link.upload_bytes_per_round = bytes_per_round;
        RandomStream choice{Seed{4}, "joins"};
        for (PeerIndex i = 0; i < players; ++i) {
            PeerPlan plan;
            plan.start = (i / 4) * kRound;
            if (i > 0) plan.through = choice.below(std::max(1U, i / 4 * 4 > 8 ? i / 4 * 4 - 8 : 1U));
            ASSERT_TRUE(swarm_->add_peer(options, plan));
        }
    }
    struct Quality {
        double known = 0;
        double age = 0;
        double in_view = 0;
    };
    /// Over all pairs in view: who is known, and how old the newest update is in rounds.
    Quality look(float vision) {
        Quality q;
        std::uint64_t pairs = 0, known = 0;
        double age = 0;
        for (PeerIndex i = 0; i < swarm_->size(); ++i) {
            for (PeerIndex j = 0; j < swarm_->size(); ++j) {
                if (i == j || !swarm_->alive(i) || !swarm_->alive(j)) continue;
                if (distance(walkers_->position(i), walkers_->position(j)) > vision) continue;
                ++pairs;
                const auto replica = swarm_->peer(i).replica(swarm_->local_now(i), walkers_->entity(j));
                if (!replica) continue;
                const double rounds = std::round(seconds(replica->age) / seconds(kRound));
                if (rounds > 10) continue;
                ++known;
                age += rounds;
            }
        }
        q.in_view = static_cast<double>(pairs) / static_cast<double>(swarm_->size());
        q.known = static_cast<double>(known) / static_cast<double>(pairs);
        q.age = age / static_cast<double>(known);
        return q;
    }
    Quality run(unsigned warm_up, unsigned rounds, float vision) {
        swarm_->run_until(warm_up * kRound);
        Quality sum;
        for (unsigned i = 0; i < rounds; ++i) {
            swarm_->run_for(kRound);
            const Quality q = look(vision);
            sum.known += q.known / rounds;
            sum.age += q.age / rounds;
            sum.in_view += q.in_view / rounds;
        }
        return sum;
    }
    std::unique_ptr<Swarm> swarm_;
    std::unique_ptr<Walkers> walkers_;
};

TEST_F(PSenseSwarm, AsPublishedEverybodyInViewIsKnownWithinARound) {
    make(100, 1000, PSense::paper(200, 5120), RandomChoice{}, 0);
    const Quality q = run(60, 40, 200);
    EXPECT_GT(q.in_view, 5);
    EXPECT_GT(q.known, 0.97);
    EXPECT_LT(q.age, 1.5);
    std::uint64_t forwarded = 0;
    for (PeerIndex i = 0; i < swarm_->size(); ++i) forwarded += swarm_->peer(i).stats().psense.forwarded;
    EXPECT_GT(forwarded, 100U);
}

TEST_F(PSenseSwarm, OnARealUploadEverybodyInViewIsKnownWithinARound) {
    make(100, 1000, PSense{}, Nearest{}, 5120);
    const Quality q = run(60, 40, 200);
    EXPECT_GT(q.in_view, 5);
    EXPECT_GT(q.known, 0.97);
    EXPECT_LT(q.age, 1.2);
}

}  // namespace
}  // namespace fray
