// Whole swarms under faults. Every test first proves that its fault happened; the checkers of the fixture
// (caps, ledger, exactly once, convergence, clocks) judge each run from outside.

#include "support/swarm_fixture.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace fray::test {
namespace {

class Faults : public SwarmTest, public ::testing::WithParamInterface<std::uint64_t> {
protected:
    static SwarmOptions network(LossModel loss) {
        SwarmOptions options;
        options.network.latency = LogNormalLatency{.median = 25ms, .least = 20ms, .sigma = 0.5};
        options.network.loss = loss;
        options.clock_offset_most = 20s;
        options.clock_drift_most_ppm = 50;
        return options;
    }
    static PeerOptions capped() {
        PeerOptions options;
        options.link.upload_kbps = 500;
        return options;
    }
    [[nodiscard]] Seed seed() const { return Seed{GetParam()}; }
    void at(Duration time, ActionKind kind, PeerIndex peer, std::optional<PeerIndex> through = {}) {
        ASSERT_TRUE(swarm().schedule({.at = time, .kind = kind, .peer = peer, .through = through}));
    }
    /// Every living peer is linked with every other.
    void expect_full_mesh() {
        std::size_t alive = 0;
        for (PeerIndex i = 0; i < swarm().size(); ++i) alive += swarm().alive(i) ? 1 : 0;
        for (PeerIndex i = 0; i < swarm().size(); ++i) {
            if (!swarm().alive(i)) continue;
            EXPECT_EQ(swarm().peer(i).peers().size(), alive - 1) << "peer " << i;
        }
    }
};

TEST_P(Faults, ReliableMessagesArriveExactlyOnceUnderLoss) {
    make_swarm(network(IndependentLoss{.mean = 0.1}), seed());
    add_peers(6, capped());
    convergence().watch_from(10s);
    run_until(20s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::lost), 500U);
    conclude();
    EXPECT_GT(exactly_once().required(), 400U);
    EXPECT_GT(cap().judged(), 5000U);
}

TEST_P(Faults, ReliableMessagesArriveExactlyOnceUnderBursts) {
    make_swarm(network(BurstLoss{.mean = 0.1, .burst = 8}), seed());
    add_peers(6, capped());
    convergence().watch_from(10s);
    run_until(20s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::lost), 500U);
    conclude();
    EXPECT_GT(exactly_once().required(), 200U);
}

TEST_P(Faults, DuplicatesAndReorderingChangeNothingForTheGame) {
    SwarmOptions options = network(IndependentLoss{.mean = 0.02});
    options.network.duplication = Duplication{.chance = 0.2, .extra = 200ms};
    options.network.reordering = Reordering{.chance = 0.2, .extra = 100ms};
    make_swarm(options, seed());
    add_peers(6, capped());
    convergence().watch_from(10s);
    run_until(20s);
    EXPECT_GT(swarm().counts().duplicated, 1000U);
    EXPECT_GT(swarm().counts().held_back, 1000U);
    conclude();
    EXPECT_GT(exactly_once().required(), 400U);
}

TEST_P(Faults, PeersFindEachOtherAgainAfterAPartition) {
    make_swarm(network(IndependentLoss{.mean = 0.02}), seed());
    add_peers(6, capped());
    ASSERT_TRUE(swarm().partition({.from = 5s, .until = 15s, .groups = {{0, 1, 2}, {3, 4, 5}}}));
    convergence().watch_from(15s);
    run_until(14s);
    EXPECT_GT(patrol().left_for(Reason::timed_out), 0U) << "links time out in it";
    run_until(25s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::partitioned), 100U);
    expect_full_mesh();
    conclude();
    EXPECT_EQ(convergence().delays().size(), 30U);
}

TEST_P(Faults, CrashedPeersComeBackAsNewIncarnationsAndNothingIsDeliveredTwice) {
    make_swarm(network(IndependentLoss{.mean = 0.05}), seed());
    add_peers(6, capped());
    at(4s, ActionKind::crash, 1);
    at(5s, ActionKind::crash, 2);
    at(6s, ActionKind::rejoin, 1);   // before the others detected it
    at(13s, ActionKind::rejoin, 2);  // long after
    at(14s, ActionKind::rejoin, 3);  // crashes and is back at once
    convergence().watch_from(16s);
    run_until(30s);
    EXPECT_EQ(swarm().counts().crashes, 2U);
    EXPECT_EQ(swarm().counts().rejoins, 3U);
    expect_full_mesh();
    conclude();
    EXPECT_GT(exactly_once().required(), 300U);
}

TEST_P(Faults, TheSessionOutlivesThePeerItBeganWith) {
    make_swarm(network(IndependentLoss{}), seed());
    add_peers(5, capped());
    at(8s, ActionKind::crash, 0);
    convergence().watch_from(15s);
    run_until(20s);
    EXPECT_FALSE(swarm().alive(0));
    expect_full_mesh();
}

TEST_P(Faults, EverythingAtOnce) {
    SwarmOptions options = network(BurstLoss{.mean = 0.1, .burst = 3});
    options.network.duplication = Duplication{.chance = 0.05, .extra = 50ms};
    options.network.reordering = Reordering{.chance = 0.05, .extra = 50ms};
    options.network.partitions = {Partition{.from = 10s, .until = 20s, .groups = {{0, 1, 2, 3}}}};
    make_swarm(options, seed());
    add_peers(8, capped());
    at(5s, ActionKind::crash, 7);
    at(12s, ActionKind::rejoin, 6, 4);
    at(15s, ActionKind::rejoin, 7, 4);
    at(16s, ActionKind::leave, 5);
    convergence().watch_from(20s);
    run_until(35s);
    const SwarmCounts& counts = swarm().counts();
    EXPECT_GT(counts.dropped_for(DropReason::lost), 1000U);
    EXPECT_GT(counts.dropped_for(DropReason::partitioned), 100U);
    EXPECT_GT(counts.duplicated, 500U);
    EXPECT_GT(counts.held_back, 500U);
    EXPECT_EQ(counts.rejoins, 2U);
    EXPECT_EQ(counts.leaves, 1U);
    expect_full_mesh();
}

/// Chains of peers that return at the same time, each through one that has not joined yet; clocks far apart.
TEST_P(Faults, PeersThatComeBackThroughEachOtherAgreeOnTheTime) {
    SwarmOptions options = network(BurstLoss{.mean = 0.1, .burst = 3});
    options.clock_offset_most = 1000s;
    options.clock_drift_most_ppm = 1000;
    make_swarm(options, seed());
    add_peers(10, capped());
    for (PeerIndex i = 1; i < 7; ++i) at(6s + i * 30ms, ActionKind::rejoin, i, i - 1);
    for (PeerIndex i = 1; i < 7; ++i) at(16s, ActionKind::rejoin, i, i + 1);
    convergence().watch_from(22s);
    run_until(32s);
    EXPECT_EQ(swarm().counts().rejoins, 12U);
    expect_full_mesh();
    conclude();
    EXPECT_GT(exactly_once().required(), 500U);
}

/// A peer stamps messages with its own estimate of session time, and stamps go back when its clock is
/// corrected. Ordered messages stay in order: a later one waits for an earlier one that is due later.
TEST_P(Faults, OrderedMessagesStayInOrderWhateverTimesTheyAreMeantFor) {
    make_swarm(network(IndependentLoss{.mean = 0.1}), seed());
    patrol().frames_per_message = 0;
    add_peers(3, capped());
    run_until(5s);
    RandomStream random{seed(), "dates"};
    for (std::uint8_t number = 0; number < 50; ++number) {
        Outgoing message{.bytes = {number}, .audience = {}, .delivery = Delivery::ordered, .at = {}};
        const auto ahead = Duration{random.below(1'000'000)};
        message.at = swarm().peer(0).session_time(swarm().local_now(0)) + ahead;
        ASSERT_TRUE(swarm().send(0, message));
        run_until(swarm().now() + 100ms);
    }
    run_until(20s);
    conclude();
    EXPECT_EQ(exactly_once().required(), 100U);
}

TEST_P(Faults, SessionWideMessagesReachEveryPeerThatIsLinkedInTimeExactlyOnce) {
    make_swarm(network(IndependentLoss{.mean = 0.1}), seed());
    patrol().linked_within = kLinkedWithin;
    add_peers(6, capped());
    for (PeerIndex i = 0; i < 6; ++i) {  // they find the others while everybody sends
        PeerPlan late;
        late.start = 1s + i * 500ms;
        ASSERT_TRUE(swarm().add_peer(capped(), late));
    }
    ASSERT_TRUE(swarm().partition({.from = 6s, .until = 13s, .groups = {{0, 1, 2, 6, 7}, {3, 4, 5, 8, 9}}}));
    at(5s, ActionKind::crash, 10);
    at(7s, ActionKind::rejoin, 10, 0);
    at(14s, ActionKind::rejoin, 11, 3);
    run_until(30s);
    EXPECT_GT(swarm().counts().dropped_for(DropReason::partitioned), 100U);
    expect_full_mesh();
    conclude();
    EXPECT_GT(exactly_once().required(), 2000U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Faults, ::testing::Range(std::uint64_t{1}, std::uint64_t{13}));

}  // namespace
}  // namespace fray::test
