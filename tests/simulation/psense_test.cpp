// pSense in the simulator's round mode: a message sent in a round arrives in the next.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include "sim/checkers/ledger_checker.hpp"
#include "sim/checkers/upload_cap_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace fray {
namespace {

constexpr Duration kRound{333'333us};

/// Players that walk in straight lines and turn now and then.
class Walkers final : public Workload {
public:
    Walkers(float size, float step, float height = 0) : size_{size}, step_{step}, height_{height} {}

    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        while (players_.size() <= index)
            players_.push_back({RandomStream{Seed{5}, "walker", players_.size()}, {}, {}});
        Player& p = players_[index];
        p.pose.position = {static_cast<float>(p.random.uniform(0, size_)),
                           static_cast<float>(p.random.uniform(0, size_)), 0};
        if (height_ > 0) p.pose.position.z = static_cast<float>(p.random.uniform(0, height_));
        turn(p);
        p.entity = *swarm.publish(index, state_of(p.pose));
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        Player& p = players_[index];
        if (stopped_) return;
        if (p.random.chance(0.1)) turn(p);
        const auto per_round = static_cast<float>(seconds(kRound));
        Vec3 next = p.pose.position + p.pose.velocity * per_round;
        if (next.x < 0 || next.x > size_ || next.y < 0 || next.y > size_ || next.z < 0 || next.z > height_) {
            p.pose.velocity = Vec3{} - p.pose.velocity;
            next = p.pose.position;
        }
        p.pose.position = next;
        (void)swarm.update(index, p.entity, state_of(p.pose));
    }
    /// Nobody moves any more, nor says anything.
    void stop() { stopped_ = true; }
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
        const float z = height_ > 0 ? static_cast<float>(p.random.uniform(-1, 1)) : 0;
        const float scale =
            step_ / static_cast<float>(seconds(kRound)) / std::max(0.01F, std::sqrt(x * x + y * y + z * z));
        p.pose.velocity = {x * scale, y * scale, z * scale};
    }
    float size_;
    float step_;
    float height_;
    bool stopped_ = false;
    std::vector<Player> players_;
};

class PSenseSwarm : public testing::Test {
protected:
    void make(PeerIndex players, float size, const PSense& psense, const InterestOptions& interest,
              std::uint32_t bytes_per_round, const std::optional<PSense>& of_the_first = {}) {
        auto made = Swarm::create({.network = {}, .round = kRound}, Seed{3});
        ASSERT_TRUE(made) << made.error().message;
        swarm_ = std::make_unique<Swarm>(std::move(*made));
        cap_.emplace(*swarm_);
        ledger_.emplace(*swarm_);
        swarm_->add_observer(&*cap_);
        swarm_->add_observer(&*ledger_);
        walkers_ = std::make_unique<Walkers>(size, 5.0F, height_);
        swarm_->set_workload(walkers_.get());
        PeerOptions options;
        options.world.low = {0, 0, 0};
        options.world.high = {size, size, height_};
        options.world.angle_bits = 0;
        options.world.velocity_limit = 64;
        options.world.tick = kRound;
        options.overlay = psense;
        options.interest = interest;
        options.link.early_data = true;
        options.link.upload_bytes_per_round = bytes_per_round;
        options.link.timeout = timeout_;
        options.link.keep_alive = std::min(options.link.keep_alive, timeout_ / 2);
        RandomStream choice{Seed{4}, "joins"};
        for (PeerIndex i = 0; i < players; ++i) {
            PeerPlan plan;
            plan.start = (i / 4) * kRound;
            if (i > 0) plan.through = choice.below(std::max(1U, i / 4 * 4 > 8 ? i / 4 * 4 - 8 : 1U));
            options.overlay = i == 0 && of_the_first ? *of_the_first : psense;
            ASSERT_TRUE(swarm_->add_peer(options, plan));
        }
    }
    void TearDown() override {
        cap_->conclude();
        ledger_->conclude();
        EXPECT_GT(ledger_->judged(), 0U);
        for (const std::string& wrong : cap_->violations()) ADD_FAILURE() << wrong;
        for (const std::string& wrong : ledger_->violations()) ADD_FAILURE() << wrong;
    }
    struct Quality {
        double known = 0;
        double age = 0;
        double in_view = 0;
    };
    /// Over all pairs in view: who is known, and how old the newest update is in rounds.
    Quality look(float vision) { return look(vision, 10); }
    /// However old.
    Quality look_at_all(float vision) { return look(vision, 1e9); }
    Quality look(float vision, double oldest) {
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
                if (rounds > oldest) continue;
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
    /// Replicas of whoever is not there any more.
    std::size_t ghosts() {
        std::size_t count = 0;
        for (PeerIndex i = 0; i < swarm_->size(); ++i) {
            if (!swarm_->alive(i)) continue;
            for (const Replica& replica : swarm_->peer(i).replicas(swarm_->local_now(i))) {
                const auto owner = static_cast<PeerIndex>(replica.id.owner.number() - 1);
                count += swarm_->alive(owner) ? 0 : 1;
            }
        }
        return count;
    }
    Duration timeout_ = LinkOptions{}.timeout;
    float height_ = 0;  // of the world
    std::unique_ptr<Swarm> swarm_;
    std::unique_ptr<Walkers> walkers_;
    std::optional<sim::UploadCapChecker> cap_;
    std::optional<sim::LedgerChecker> ledger_;
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

TEST_F(PSenseSwarm, AsPublishedTheCapIsKeptInThePapersBytes) {
    constexpr std::uint32_t kCap = 3000;
    make(100, 700, PSense::paper(200, kCap), RandomChoice{}, 0);
    swarm_->run_until(60 * kRound);
    std::vector<std::uint64_t> before(swarm_->size());
    std::uint64_t full = 0;
    for (int i = 0; i < 20; ++i) {
        swarm_->run_for(kRound);
        for (PeerIndex k = 0; k < swarm_->size(); ++k) {
            const std::uint64_t bytes = swarm_->peer(k).stats().psense.paper_bytes;
            if (i > 0) {
                EXPECT_LE(bytes - before[k], kCap);
            }
            full += bytes - before[k] > kCap * 9 / 10 ? 1 : 0;
            before[k] = bytes;
        }
    }
    EXPECT_GT(full, 100U) << "or there was nothing to drop";
}

TEST_F(PSenseSwarm, HalfOfAllCrashAndTheRestKnowEachOtherWithinTenRounds) {
    make(160, 1250, PSense{}, Nearest{}, 5120);
    swarm_->run_until(80 * kRound - 10us);
    for (PeerIndex i = 0; i < swarm_->size(); i += 2) {
        ASSERT_TRUE(
            swarm_->schedule({.at = 80 * kRound - 5us, .kind = ActionKind::crash, .peer = i, .through = {}}));
    }
    swarm_->run_until(91 * kRound);
    for (int i = 0; i < 10; ++i) {
        const Quality q = look(200);
        EXPECT_GT(q.in_view, 1);
        EXPECT_GT(q.known, 0.99) << i;
        swarm_->run_for(kRound);
    }
    EXPECT_EQ(ghosts(), 0U);
}

// A replica lives as long as the link with its owner, and that ends after LinkOptions::timeout of silence.
// The last words arrive in the round after the crash, and silence is noticed in the round after it lasted
// long enough: two rounds in all, and one for what others passed on meanwhile.
TEST_F(PSenseSwarm, GhostsAreGoneATimeoutAndThreeRoundsAfterHalfOfAllCrashed) {
    for (const Duration timeout : {8 * kRound, LinkOptions{}.timeout}) {
        timeout_ = timeout;
        make(80, 880, PSense{}, Nearest{}, 5120);
        const Duration crash = 60 * kRound;
        swarm_->run_until(crash - 10us);
        EXPECT_EQ(ghosts(), 0U);
        for (PeerIndex i = 0; i < swarm_->size(); i += 2) {
            ASSERT_TRUE(
                swarm_->schedule({.at = crash - 5us, .kind = ActionKind::crash, .peer = i, .through = {}}));
        }
        swarm_->run_until(crash + timeout - 2 * kRound);
        EXPECT_GT(ghosts(), 100U) << "they are shown until then";
        swarm_->run_until(crash + timeout + 3 * kRound);
        for (int i = 0; i < 10; ++i) {
            EXPECT_EQ(ghosts(), 0U) << i;
            swarm_->run_for(kRound);
        }
    }
}

TEST_F(PSenseSwarm, WhoCameAndLeftAtOnceIsShownForTenRoundsAtMost) {
    timeout_ = 8 * kRound;
    make(120, 1000, PSense{}, Nearest{}, 5120);
    constexpr PeerIndex kFirst = 60;  // from the 60th on they come late, and stay for a few rounds only
    const auto gone_after = [](PeerIndex i) { return (i / 4 + 4 + i % 3) * kRound; };
    for (PeerIndex i = kFirst; i < swarm_->size(); ++i) {
        ASSERT_TRUE(swarm_->schedule(
            {.at = gone_after(i) - 5us, .kind = ActionKind::crash, .peer = i, .through = {}}));
    }
    std::uint64_t shown = 0;
    while (swarm_->now() < 60 * kRound) {
        swarm_->run_for(kRound);
        for (PeerIndex i = 0; i < kFirst; ++i) {
            if (!swarm_->alive(i)) continue;
            for (const Replica& replica : swarm_->peer(i).replicas(swarm_->local_now(i))) {
                const auto owner = static_cast<PeerIndex>(replica.id.owner.number() - 1);
                if (owner < kFirst) continue;
                ++shown;
                EXPECT_LE(swarm_->now() - gone_after(owner), 10 * kRound) << "a ghost";
            }
        }
    }
    EXPECT_GT(shown, 500U);
}

TEST_F(PSenseSwarm, WhoStandsStillStaysInSight) {
    make(30, 400, PSense{}, Nearest{}, 0);
    swarm_->run_until(40 * kRound);
    walkers_->stop();
    swarm_->run_until(140 * kRound);
    const auto q = look_at_all(200);
    EXPECT_GT(q.in_view, 5);
    EXPECT_EQ(q.known, 1.0);
}

TEST_F(PSenseSwarm, AfterASplitOfTheNetworkTheHalvesFindEachOther) {
    make(60, 600, PSense{}, Nearest{}, 0);
    Partition split{.from = 40 * kRound, .until = 100 * kRound, .groups = {{}, {}}};
    for (PeerIndex i = 0; i < 60; ++i) split.groups[i % 2].push_back(i);
    ASSERT_TRUE(swarm_->partition(split));
    swarm_->run_until(95 * kRound);
    EXPECT_LT(look(200).known, 0.7) << "or there was no split";
    swarm_->run_until(200 * kRound);
    EXPECT_GT(look(200).known, 0.99);
}

TEST_F(PSenseSwarm, WhoSeesFartherMissesNobody) {
    PSense far;
    far.vision_range = 300;
    PSense near;
    near.vision_range = 100;
    make(80, 1000, near, Nearest{}, 0, far);
    swarm_->run_until(60 * kRound);
    std::uint64_t seen = 0;
    std::uint64_t all = 0;
    for (int round = 0; round < 30; ++round) {
        swarm_->run_for(kRound);
        for (PeerIndex j = 1; j < swarm_->size(); ++j) {
            if (distance(walkers_->position(0), walkers_->position(j)) > 300) continue;
            ++all;
            const auto replica = swarm_->peer(0).replica(swarm_->local_now(0), walkers_->entity(j));
            seen += replica && replica->age < 4 * kRound ? 1 : 0;
        }
    }
    EXPECT_GT(all, 200U);
    EXPECT_GT(static_cast<double>(seen), 0.98 * static_cast<double>(all));
}

TEST_F(PSenseSwarm, WhoIsAboveIsSeenByTheWayInSpace) {
    constexpr float kVision = 200;
    height_ = 900;
    make(60, 400, PSense{}, Nearest{}, 0);
    const Quality q = run(50, 10, kVision);
    EXPECT_GT(q.in_view, 4);
    EXPECT_GT(q.known, 0.97);
    std::size_t in_plane = 0, in_sight = 0, about = 0, near = 0, higher = 0;
    for (PeerIndex i = 0; i < swarm_->size(); ++i) {
        near += swarm_->peer(i).stats().psense.near;
        for (PeerIndex j = 0; j < swarm_->size(); ++j) {
            const Vec3 way = walkers_->position(j) - walkers_->position(i);
            if (i == j) continue;
            in_plane += length({way.x, way.y, 0}) <= kVision ? 1 : 0;
            in_sight += length(way) <= kVision ? 1 : 0;
            about += length(way) <= kVision + 20 + 6 * 5 ? 1 : 0;  // the margin, and six steps
            higher += length(way) <= kVision && way.z > kVision / 2 ? 1 : 0;
        }
    }
    EXPECT_GT(higher, 20U);
    EXPECT_GT(2 * in_plane, 3 * about) << "or heights do not matter here";
    EXPECT_GE(near, in_sight);
    EXPECT_LE(near, about);
}

}  // namespace
}  // namespace fray
