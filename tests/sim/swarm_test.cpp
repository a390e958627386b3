#include <fray/swarm.hpp>

#include "support/patrol.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace fray {
namespace {

SwarmOptions quiet_network() {
    SwarmOptions options;
    options.network.latency = ConstantLatency{.delay = 20ms};
    return options;
}

Swarm make(const SwarmOptions& options, Seed seed = Seed{1}) {
    Result<Swarm> swarm = Swarm::create(options, seed);
    EXPECT_TRUE(swarm) << (swarm ? "" : swarm.error().message);
    return std::move(*swarm);
}

void add(Swarm& swarm, int count, const PeerOptions& options = {}, const PeerPlan& plan = {}) {
    for (int i = 0; i < count; ++i) {
        const Result<PeerIndex> added = swarm.add_peer(options, plan);
        ASSERT_TRUE(added) << added.error().message;
    }
}

/// Records when frames ran, by peer, in true time.
struct FrameLog : test::Patrol {
    std::map<PeerIndex, std::vector<Duration>> frames;
    std::map<PeerIndex, std::vector<Instant>> local;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override {
        frames[index].push_back(swarm.now());
        local[index].push_back(now);
        test::Patrol::frame(swarm, index, now, peer);
    }
};

/// Records the sending and arrival of datagrams, with their sender.
struct Tap : Observer {
    std::vector<Duration> sent;
    std::vector<Duration> delivered;
    std::map<DropReason, std::uint64_t> dropped;
    std::uint64_t gone = 0;
    void on_sent(const Transit& transit) override { sent.push_back(transit.at); }
    void on_delivered(const Transit& transit) override { delivered.push_back(transit.at); }
    void on_dropped(const Transit&, DropReason reason) override { ++dropped[reason]; }
    void on_gone(Duration, PeerIndex, const Peer&) override { ++gone; }
};

TEST(Swarm, PeersMeetAndHoldEachOthersEntities) {
    Swarm swarm = make(quiet_network());
    test::Patrol patrol;
    swarm.set_workload(&patrol);
    add(swarm, 5);
    swarm.run_until(3s);
    for (PeerIndex i = 0; i < 5; ++i) {
        EXPECT_EQ(swarm.peer(i).replicas(swarm.local_now(i)).size(), 4U) << i;
        EXPECT_EQ(swarm.peer(i).peers().size(), 4U) << i;
    }
    EXPECT_GT(patrol.messages_heard(), 0U);
}

TEST(Swarm, FramesComeEveryTickOfThePeersOwnClock) {
    SwarmOptions options = quiet_network();
    options.clock_offset_most = 5s;
    options.clock_drift_most_ppm = 1000;
    Swarm swarm = make(options);
    FrameLog log;
    swarm.set_workload(&log);
    add(swarm, 2);
    PeerPlan fast;
    fast.clock_drift_ppm = 1000;
    add(swarm, 1, {}, fast);
    swarm.run_until(50s);
    for (PeerIndex i = 0; i < 3; ++i) {
        const auto& times = log.local[i];
        ASSERT_GT(times.size(), 900U);
        for (std::size_t k = 1; k < times.size(); ++k) {
            // A fast clock sometimes skips a microsecond.
            ASSERT_NEAR(static_cast<double>((times[k] - times[k - 1]).count()), 50'000, 1);
        }
    }
    const auto& frames = log.frames[2];
    const double true_tick = static_cast<double>((frames.back() - frames.front()).count()) /
                             static_cast<double>(frames.size() - 1);
    EXPECT_NEAR(true_tick, 50'000 / 1.001, 0.1);
}

TEST(Swarm, StaggeredPeersDoNotTickInStep) {
    Swarm swarm = make(quiet_network());
    FrameLog log;
    swarm.set_workload(&log);
    add(swarm, 3);
    swarm.run_until(1s);
    EXPECT_EQ(log.frames[0].front(), 0s);
    EXPECT_NE(log.frames[1].front(), log.frames[2].front());
    EXPECT_LT(log.frames[1].front(), 50ms);
}

TEST(Swarm, TheSameSeedGivesTheSameTraceAndAnotherSeedAnother) {
    const auto run = [](Seed seed) {
        SwarmOptions options;
        options.network = *network_profile("world");
        options.network.loss = BurstLoss{.mean = 0.05, .burst = 2};
        Swarm swarm = make(options, seed);
        test::Patrol patrol;
        swarm.set_workload(&patrol);
        add(swarm, 6);
        swarm.run_until(3s);
        EXPECT_GT(swarm.counts().dropped_for(DropReason::lost), 0U);
        return swarm.trace_hash();
    };
    EXPECT_EQ(run(Seed{1}), run(Seed{1}));
    EXPECT_NE(run(Seed{1}), run(Seed{2}));
}

TEST(Swarm, RunningInSlicesOrStepsGivesTheSameTrace) {
    const auto prepare = [](test::Patrol& patrol) {
        Swarm swarm = make(quiet_network());
        swarm.set_workload(&patrol);
        add(swarm, 4);
        return swarm;
    };
    test::Patrol whole_patrol;
    Swarm whole = prepare(whole_patrol);
    whole.run_until(2s);
    test::Patrol sliced_patrol;
    Swarm sliced = prepare(sliced_patrol);
    for (Duration t{}; t <= 2s; t += 7ms) sliced.run_until(t);
    sliced.run_until(2s);
    test::Patrol stepped_patrol;
    Swarm stepped = prepare(stepped_patrol);
    std::size_t steps = 0;
    while (stepped.step(2s)) ++steps;
    EXPECT_GT(steps, 100U);
    EXPECT_EQ(sliced.trace_hash(), whole.trace_hash());
    EXPECT_EQ(stepped.trace_hash(), whole.trace_hash());
}

TEST(Swarm, ObserversDoNotChangeTheRun) {
    const auto run = [](bool watched) {
        Swarm swarm = make(quiet_network());
        test::Patrol patrol;
        Tap tap;
        swarm.set_workload(&patrol);
        if (watched) swarm.add_observer(&tap);
        add(swarm, 4);
        swarm.run_until(2s);
        if (watched) {
            EXPECT_EQ(tap.sent.size(), swarm.counts().sent);
            EXPECT_EQ(tap.delivered.size(), swarm.counts().delivered);
        }
        return swarm.trace_hash();
    };
    EXPECT_EQ(run(true), run(false));
}

// --- lives ---

TEST(Swarm, CrashedPeersAreGoneAtOnceAndRejoinAsNewIncarnations) {
    Swarm swarm = make(quiet_network());
    test::Patrol patrol;
    Tap tap;
    swarm.set_workload(&patrol);
    swarm.add_observer(&tap);
    add(swarm, 3);
    ASSERT_TRUE(swarm.schedule({.at = 1s, .kind = ActionKind::crash, .peer = 1, .through = {}}));
    ASSERT_TRUE(swarm.schedule({.at = 2s, .kind = ActionKind::rejoin, .peer = 1, .through = {}}));
    swarm.run_until(900ms);
    const Incarnation first = swarm.peer(1).incarnation();
    swarm.run_until(1500ms);
    EXPECT_FALSE(swarm.alive(1));
    EXPECT_EQ(tap.gone, 1U);
    EXPECT_GT(tap.dropped[DropReason::nobody_there], 0U) << "the others still wrote to it";
    swarm.run_until(8s);
    ASSERT_TRUE(swarm.alive(1));
    EXPECT_EQ(swarm.peer(1).id(), PeerId::from_number(2));
    EXPECT_NE(swarm.peer(1).incarnation(), first);
    EXPECT_EQ(swarm.peer(1).peers().size(), 2U);
    EXPECT_EQ(swarm.counts().rejoins, 1U);
}

TEST(Swarm, PeersThatLeaveSayGoodbyeAndAreGoneASecondLater) {
    Swarm swarm = make(quiet_network());
    test::Patrol patrol;
    swarm.set_workload(&patrol);
    add(swarm, 3);
    ASSERT_TRUE(swarm.schedule({.at = 1s, .kind = ActionKind::leave, .peer = 2, .through = {}}));
    swarm.run_until(1500ms);
    EXPECT_FALSE(swarm.alive(2));
    EXPECT_EQ(patrol.left_for(Reason::left), 2U) << "both others heard it";
    EXPECT_EQ(swarm.peer(0).peers().size(), 1U);
    swarm.run_until(3s);
    EXPECT_EQ(swarm.counts().leaves, 1U);
}

TEST(Swarm, LatePeersFindTheOthersThroughWhomTheyAreTold) {
    Swarm swarm = make(quiet_network());
    test::Patrol patrol;
    swarm.set_workload(&patrol);
    add(swarm, 3);
    PeerPlan late;
    late.start = 2s;
    late.through = 2;
    add(swarm, 1, {}, late);
    swarm.run_until(1900ms);
    EXPECT_FALSE(swarm.alive(3));
    swarm.run_until(4s);
    EXPECT_EQ(swarm.peer(3).peers().size(), 3U);
}

// --- rounds ---

TEST(SwarmRounds, EverybodyTicksAtRoundStartsAndDatagramsArriveJustBeforeTheNext) {
    SwarmOptions options;
    options.round = 200ms;
    Swarm swarm = make(options);
    FrameLog log;
    Tap tap;
    swarm.set_workload(&log);
    swarm.add_observer(&tap);
    PeerOptions peer;
    peer.world.tick = 200ms;
    peer.link.early_data = true;
    peer.link.upload_bytes_per_round = 20'000;
    add(swarm, 4, peer);
    swarm.run_until(10s);
    for (PeerIndex i = 0; i < 4; ++i) {
        for (const Duration at : log.frames[i]) ASSERT_EQ(at % 200ms, 0s);
    }
    ASSERT_GT(tap.delivered.size(), 200U);
    // Answers are sent a microsecond before a round and arrive two before the next, and so on.
    for (const Duration at : tap.delivered) ASSERT_GT(at % 200ms, 199ms);
    EXPECT_EQ(swarm.peer(0).replicas(swarm.local_now(0)).size(), 3U);
}

TEST(SwarmRounds, WantTicksOfTheirLengthAndTrueClocks) {
    SwarmOptions options;
    options.round = 200ms;
    Swarm swarm = make(options);
    const Result<PeerIndex> refused = swarm.add_peer(PeerOptions{});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("World::tick"), std::string::npos);
    options.clock_drift_most_ppm = 10;
    EXPECT_FALSE(Swarm::create(options, Seed{1}));
}

// --- lines ---

TEST(Swarm, ANarrowDownloadQueuesAndThenDrops) {
    Swarm swarm = make(quiet_network());
    test::Patrol patrol;
    swarm.set_workload(&patrol);
    add(swarm, 6);
    PeerPlan narrow;
    narrow.access = AccessOptions{};
    narrow.access->download = LineOptions{.kbps = 16, .queue_bytes = 2000, .trace = {}};
    add(swarm, 1, {}, narrow);
    swarm.run_until(5s);
    EXPECT_GT(swarm.counts().dropped_for(DropReason::download_full), 50U);
    EXPECT_EQ(swarm.counts().dropped_for(DropReason::upload_full), 0U);
}

TEST(Swarm, ANarrowUploadQueuesAndThenDrops) {
    SwarmOptions options = quiet_network();
    options.network.access.upload = LineOptions{.kbps = 16, .queue_bytes = 2000, .trace = {}};
    Swarm swarm = make(options);
    test::Patrol patrol;
    swarm.set_workload(&patrol);
    add(swarm, 6);
    swarm.run_until(5s);
    EXPECT_GT(swarm.counts().dropped_for(DropReason::upload_full), 50U);
}

// --- refusals ---

TEST(Swarm, RefusesWhatCannotBe) {
    Swarm swarm = make(quiet_network());
    add(swarm, 1);
    swarm.run_until(1s);
    PeerPlan plan;
    EXPECT_FALSE(swarm.add_peer(PeerOptions{}, plan)) << "its start has passed";
    plan.start = 2s;
    plan.through = 1;
    EXPECT_FALSE(swarm.add_peer(PeerOptions{}, plan)) << "through itself";
    plan.through = 0;
    plan.clock_drift_ppm = 2000;
    EXPECT_FALSE(swarm.add_peer(PeerOptions{}, plan));
    EXPECT_FALSE(swarm.schedule({.at = 2s, .kind = ActionKind::crash, .peer = 7, .through = {}}));
    EXPECT_FALSE(swarm.schedule({.at = 0s, .kind = ActionKind::crash, .peer = 0, .through = {}}));
    EXPECT_FALSE(swarm.partition({.from = 0s, .until = 2s, .groups = {}}));
    SwarmOptions options;
    options.network.loss = IndependentLoss{.mean = 2};
    EXPECT_FALSE(Swarm::create(options, Seed{1}));
    PeerOptions peer;
    peer.world.position_precision = 0;
    EXPECT_FALSE(swarm.add_peer(
        peer, {.start = 2s, .through = {}, .access = {}, .clock_offset = {}, .clock_drift_ppm = {}}));
}

TEST(Swarm, AddressesAreItsPeersAndNobodyElses) {
    Swarm swarm = make(quiet_network());
    add(swarm, 3);
    for (PeerIndex i = 0; i < 3; ++i) EXPECT_EQ(swarm.index_of(Swarm::address_of(i)), i);
    EXPECT_EQ(swarm.index_of(Swarm::address_of(3)), kNobody);
    EXPECT_EQ(swarm.index_of(Address{}), kNobody);
    Address strange = Swarm::address_of(1);
    strange.port = 9;
    EXPECT_EQ(swarm.index_of(strange), kNobody);
    strange = Swarm::address_of(1);
    strange.ip[0] = 1;
    EXPECT_EQ(swarm.index_of(strange), kNobody);
}

}  // namespace
}  // namespace fray
