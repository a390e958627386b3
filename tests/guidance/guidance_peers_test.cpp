// Whole peers over a bad network: 16 wander about, each in the focus of a few others for a few seconds.

#include "guidance/chosen_focus.hpp"
#include "guidance/guidance_message.hpp"
#include "guidance/guided_world.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace fray {
namespace {

using test::ChosenFocus;
using test::Cluster;
using test::FocusChoice;
using test::GuidedWorld;
using test::Wanderer;

constexpr std::size_t kPeers = 16;
constexpr std::size_t kFocus = 3;  // peers that each one focuses on
constexpr Duration kFrame = 50ms;
constexpr float kTank = GuidedWorld::kDiameter;

template <class T>
T percentile(std::vector<T> values, double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
    return values[at];
}

/// What the screens of all peers showed.
struct Figures {
    std::vector<float> guided_error;     // out of focus
    std::vector<float> dead_reckoning;   // the same, without guidance
    std::vector<Duration> convergence;   // from the owner's first frame in focus
    float worst_excess = 0;              // over the limit of speed, units per read
    float longest_convergence_step = 0;  // beyond what the top speed allows
    std::size_t reads = 0;
    std::array<std::size_t, 3> modes{};
};

class Wanderers {
public:
    explicit Wanderers(std::uint64_t seed) {
        for (std::size_t i = 0; i < kPeers; ++i) {
            PeerOptions options = GuidedWorld::usual_options();
            options.id = Cluster::id(i);
            cluster_.add(options, test::with_focus(choices_[i]));
            wanderers_.emplace_back(seed * kPeers + i, 10.0F);
        }
        cluster_.join_all();
        for (std::size_t i = 0; i < kPeers; ++i)
            ids_.push_back(*cluster_.peer(i).publish(cluster_.local(i), wanderers_[i].state()));
        cluster_.set_network(test::rough(Seed{seed}, 0.02, 0.01, 30ms, 70ms));
    }

    void play(Duration span) {
        for (Duration t{}; t < span; t += kFrame) {
            if (t % 4s == 0s) change_focus(static_cast<std::size_t>(t / 4s));
            cluster_.run_for(kFrame);
            for (std::size_t i = 0; i < kPeers; ++i) {
                ASSERT_TRUE(cluster_.peer(i).update(cluster_.local(i), ids_[i], wanderers_[i].step()));
            }
            for (std::size_t i = 0; i < kPeers; ++i) look(i, t);
        }
    }
    [[nodiscard]] const Figures& figures() const { return figures_; }
    Cluster& cluster() { return cluster_; }

private:
    struct Seen {
        Vec3 position;
        Instant at;
    };
    using Pair = std::pair<std::size_t, std::size_t>;  // the one that looks, and the one seen

    void change_focus(std::size_t turn) {
        converging_.clear();
        for (FocusChoice& choice : choices_) choice.focus.clear();
        for (std::size_t i = 0; i < kPeers; ++i) {
            for (std::size_t k = 1; k <= kFocus; ++k) {
                const std::size_t owner = (i + turn * kFocus + k) % kPeers;
                if (owner == i) continue;
                choices_[owner].focus.insert(Cluster::id(i));
                choices_[i].target = Cluster::id(owner);
                converging_[{i, owner}] = cluster_.now();
            }
        }
    }
    void look(std::size_t i, Duration t) {
        const Instant now = cluster_.local(i);
        for (const Replica& replica : cluster_.peer(i).replicas(now)) {
            const std::size_t owner = replica.owner.number() - 1;
            note(i, owner, replica, now, t);
        }
    }
    void note(std::size_t i, std::size_t owner, const Replica& replica, Instant now, Duration t) {
        const Vec3 truth = wanderers_[owner].pose().position;
        ++figures_.modes[static_cast<std::size_t>(replica.mode)];
        const auto gained = converging_.find({i, owner});
        if (gained == converging_.end() && replica.mode == ReplicaMode::guided && t > 5s) {
            figures_.guided_error.push_back(distance(replica.pose.position, truth));
            figures_.dead_reckoning.push_back(distance(replica.target.position, truth));
        }
        if (gained != converging_.end() && replica.mode == ReplicaMode::direct) {
            if (t > 5s) figures_.convergence.push_back(cluster_.now() - gained->second);
            converging_.erase(gained);
            focused_.insert({i, owner});
        }
        const auto before = seen_.find({i, owner});
        if (before != seen_.end()) {
            const float moved = distance(before->second.position, replica.pose.position);
            const auto passed = static_cast<float>(seconds(now - before->second.at));
            const float hurry = replica.mode == ReplicaMode::converging ? 1.25F : 1;
            figures_.worst_excess =
                std::max(figures_.worst_excess, moved - GuidedWorld::kTopSpeed * hurry * passed);
            if (replica.mode != ReplicaMode::guided)
                figures_.longest_convergence_step =
                    std::max(figures_.longest_convergence_step, moved - GuidedWorld::kTopSpeed * passed);
            ++figures_.reads;
        }
        seen_[{i, owner}] = {replica.pose.position, now};
    }

    std::array<FocusChoice, kPeers> choices_;
    Cluster cluster_;
    std::vector<Wanderer> wanderers_;
    std::vector<EntityId> ids_;
    std::map<Pair, Duration> converging_;  // since when
    std::set<Pair> focused_;
    std::map<Pair, Seen> seen_;
    Figures figures_;
};

TEST(GuidancePeers, ReplicasOutOfFocusAreRoughlyRightAndConvergeQuicklyWithoutAWarp) {
    Wanderers wanderers{7};
    wanderers.play(40s);
    const Figures& figures = wanderers.figures();
    ASSERT_GT(figures.reads, 100'000U);
    ASSERT_GT(figures.guided_error.size(), 50'000U);
    ASSERT_GT(figures.convergence.size(), 200U);
    for (const std::size_t reads : figures.modes) EXPECT_GT(reads, 1000U);
    const float error = percentile(figures.guided_error, 0.5);
    const float reckoned = percentile(figures.dead_reckoning, 0.5);
    const Duration usual = percentile(figures.convergence, 0.5);
    const Duration late = percentile(figures.convergence, 0.95);
    std::printf(
        "error p50 %.2f p95 %.2f (dead reckoning %.2f, %.2f); convergence p50 %.0f ms, p95 %.0f ms; "
        "excess %.3f, step %.3f\n",
        double{error}, double{percentile(figures.guided_error, 0.95)}, double{reckoned},
        double{percentile(figures.dead_reckoning, 0.95)}, millis(usual), millis(late),
        double{figures.worst_excess}, double{figures.longest_convergence_step});
    EXPECT_LE(error, 2 * kTank);
    EXPECT_LE(figures.worst_excess, 0.02F) << "a warp";
    EXPECT_LE(figures.longest_convergence_step, kTank / 4);
    EXPECT_LE(usual, 300ms);
    EXPECT_LE(late, 1500ms);
    for (std::size_t i = 0; i < kPeers; ++i) {
        const Stats stats = wanderers.cluster().peer(i).stats();
        EXPECT_GT(stats.ledger.bits(Purpose::guidance), 0U);
        EXPECT_EQ(stats.rejections.of(Rejection::malformed), 0U);
        EXPECT_EQ(stats.rejections.of(Rejection::impossible), 0U);
    }
}

TEST(GuidancePeers, OneWithoutGuidanceReadsTheMessagesOfOthersAndShowsTheirUpdatesDirectly) {
    FocusChoice choice;
    Cluster cluster;
    PeerOptions options = GuidedWorld::usual_options();
    options.id = Cluster::id(0);
    cluster.add(options, test::with_focus(choice));
    options.id = Cluster::id(1);
    options.guidance.enabled = false;
    cluster.add(options);
    cluster.join_all();
    Wanderer wanderer{1, 10};
    const EntityId id = *cluster.peer(0).publish(cluster.local(0), wanderer.state());
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(cluster.peer(0).update(cluster.local(0), id, wanderer.step()));
        cluster.run_for(kFrame);
    }
    EXPECT_GT(cluster.peer(0).stats().ledger.bits(Purpose::guidance), 0U);
    EXPECT_EQ(cluster.peer(1).stats().rejections.total(), 0U);
    const auto replica = cluster.peer(1).replica(cluster.local(1), id);
    ASSERT_TRUE(replica);
    EXPECT_LT(replica->age, 1500ms);
    EXPECT_EQ(replica->mode, ReplicaMode::direct);
}

}  // namespace
}  // namespace fray
