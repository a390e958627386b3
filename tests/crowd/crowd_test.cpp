// Swarms of mutually visible peers in the crowd overlay, on a network that loses datagrams.

#include "support/crowd_watch.hpp"
#include "support/swarm_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace fray::test {
namespace {

class CrowdSwarm : public SwarmTest {
protected:
    void start(PeerIndex peers, std::uint32_t kbps, double loss = 0.02) {
        SwarmOptions options;
        options.network.latency = LogNormalLatency{.median = 25ms, .least = 15ms, .sigma = 0.5};
        options.network.loss = IndependentLoss{.mean = loss};
        options.clock_offset_most = 20s;
        make_swarm(options, Seed{7});
        patrol().frames_per_message = 0;
        options_.overlay = Crowd{};
        options_.link.upload_kbps = kbps;
        options_.link.keep_alive = 2s;
        add_peers(peers, options_);
        std::vector<PeerIndex> observers;
        for (PeerIndex i = 0; i < kObservers; ++i) observers.push_back(i * peers / kObservers);
        watch_ = std::make_unique<CrowdWatch>(swarm(), observers);
    }
    void watch_until(Duration t) {
        while (swarm().now() < t) {
            run_until(swarm().now() + 50ms);
            watch_->sample();
        }
    }
    [[nodiscard]] double mean_kbps(Duration from, std::uint64_t bytes_then) {
        const double sent = static_cast<double>(swarm().counts().sent_bytes - bytes_then) * 8 / 1000;
        return sent / seconds(swarm().now() - from) / swarm().size();
    }

    static constexpr PeerIndex kObservers = 8;
    PeerOptions options_;
    std::unique_ptr<CrowdWatch> watch_;
};

TEST_F(CrowdSwarm, EveryoneSeesAllOthersOncePerSecondWithFewLinksUnderLoss) {
    constexpr PeerIndex kPeers = 96;
    start(kPeers, 256);
    watch_until(12s);
    EXPECT_EQ(watch_->least_seen(), kPeers - 1U);
    watch_->restart();
    const std::uint64_t bytes = swarm().counts().sent_bytes;
    watch_until(32s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::lost), 1000U);
    EXPECT_GE(watch_->mean_rate(), 1.0);
    EXPECT_LE(watch_->longest_gap(), 6s);
    EXPECT_LT(mean_kbps(12s, bytes), 50);
    std::size_t links = 0;
    for (PeerIndex i = 0; i < kPeers; ++i) links += swarm().peer(i).peers().size();
    EXPECT_LT(static_cast<double>(links) / kPeers, 0.4 * kPeers);
}

TEST_F(CrowdSwarm, ANewcomerSeesAllWithinTenSecondsAndIsSeen) {
    constexpr PeerIndex kPeers = 64;
    start(kPeers, 108);
    watch_until(12s);
    ASSERT_EQ(watch_->least_seen(), kPeers - 1U);
    PeerPlan late;
    late.start = 12s;
    ASSERT_TRUE(swarm().add_peer(options_, late));
    watch_until(22s);
    EXPECT_EQ(swarm().peer(kPeers).replicas(swarm().local_now(kPeers)).size(), kPeers);
    EXPECT_EQ(watch_->least_seen(), kPeers);
}

TEST_F(CrowdSwarm, AThirdCrashesAndTheOthersSeeEachOtherAgain) {
    constexpr PeerIndex kPeers = 64;
    start(kPeers, 256);
    watch_until(12s);
    for (PeerIndex i = 1; i < kPeers; i += 3)
        ASSERT_TRUE(swarm().schedule({.at = 13s, .kind = ActionKind::crash, .peer = i, .through = {}}));
    watch_until(35s);
    EXPECT_EQ(swarm().counts().crashes, 21U);
    watch_->restart();
    watch_until(45s);
    std::size_t judged = 0;
    for (PeerIndex i = 0; i < kPeers; ++i) {
        if (!swarm().alive(i)) continue;
        EXPECT_EQ(swarm().peer(i).replicas(swarm().local_now(i)).size(), kPeers - 1U - 21U) << "peer " << i;
        ++judged;
    }
    EXPECT_EQ(judged, kPeers - 21U);
    EXPECT_LE(watch_->longest_gap(), 6s);
}

TEST_F(CrowdSwarm, APeerThatLeavesIsGoneEverywhereSoon) {
    constexpr PeerIndex kPeers = 48;
    start(kPeers, 256);
    watch_until(12s);
    ASSERT_TRUE(swarm().schedule({.at = 12s, .kind = ActionKind::leave, .peer = 5, .through = {}}));
    watch_until(30s);
    for (PeerIndex i = 0; i < kPeers; ++i) {
        if (i == 5) continue;
        EXPECT_EQ(swarm().peer(i).replicas(swarm().local_now(i)).size(), kPeers - 2U) << "peer " << i;
    }
}

}  // namespace
}  // namespace fray::test
