// Leaving, timing out, returning, changing the address, and which reliable messages survive it.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace fray {
namespace {

using test::Cluster;
using test::Flight;
using test::Pair;
using test::text;
using test::words_of;

std::map<std::string, int> counts(const Cluster& cluster, std::size_t i) {
    std::map<std::string, int> times;
    for (const Message& message : cluster.events_of<Message>(i)) ++times[words_of(message)];
    return times;
}

TEST(Stay, LeavingIsToldWithItsReason) {
    Pair pair;
    ASSERT_TRUE(pair.peer(1).publish(pair.local(1), state_of(Pose{})));
    pair.run_for(500ms);
    const Incarnation before = pair.peer(1).incarnation();
    pair.peer(1).leave(pair.local(1));
    pair.run_for(200ms);
    const auto left = pair.events_of<PeerLeft>(0);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].reason, Reason::left);
    EXPECT_EQ(left[0].incarnation, before);
    EXPECT_EQ(pair.events_of<EntityGone>(0).size(), 1U);
    EXPECT_TRUE(pair.peer(0).peers().empty());
    EXPECT_TRUE(pair.peer(1).peers().empty());
    EXPECT_NE(pair.peer(1).incarnation(), before);
}

TEST(Stay, WhoLeftStaysOutUntilItJoins) {
    Pair pair;
    pair.cut_way(1, 0);  // the goodbye gets lost
    pair.peer(1).leave(pair.local(1));
    pair.run_for(100ms);
    pair.cut_way(1, 0, false);
    pair.forget_events();
    pair.run_for(10s);
    ASSERT_EQ(pair.events_of<PeerLeft>(0).size(), 1U);  // timed out, and called again from then on
    EXPECT_TRUE(pair.peer(1).peers().empty()) << "drawn back into the session it had left";
}

TEST(Stay, AfterLeavingEntitiesStayForTheNextSessionAndMessagesAreRefused) {
    Pair pair;
    const auto before = pair.peer(1).publish(pair.local(1), state_of(Pose{}));
    ASSERT_TRUE(before);
    pair.run_for(500ms);
    pair.peer(1).leave(pair.local(1));
    pair.run_for(500ms);
    ASSERT_TRUE(pair.peer(0).replicas(pair.local(0)).empty());
    const auto after = pair.peer(1).publish(pair.local(1), state_of({.position = {7, 0, 0}}));
    ASSERT_TRUE(after);
    EXPECT_TRUE(pair.peer(1).update(pair.local(1), *before, state_of({.position = {5, 0, 0}})));
    for (const Audience& audience : {Audience::everyone(), Audience::session()}) {
        Outgoing message = text("anybody?");
        message.audience = audience;
        const auto sent = pair.peer(1).send(pair.local(1), message);
        ASSERT_FALSE(sent);
        EXPECT_EQ(sent.error().message, "this peer has left the session: it can send after join()");
    }
    const EntityId foreign{Cluster::id(0), 1};
    EXPECT_FALSE(pair.peer(1).interact(pair.local(1), *before, foreign, std::span<const std::uint8_t>{}));
    EXPECT_FALSE(
        pair.peer(1).answer(pair.local(1), RequestId{Cluster::id(0), 1}, std::span<const std::uint8_t>{}));
    pair.join(1, 0);
    EXPECT_TRUE(pair.peer(1).send(pair.local(1), text("I am back")));
    pair.run_for(2s);
    ASSERT_EQ(pair.peer(0).replicas(pair.local(0)).size(), 2U);
    EXPECT_EQ(pair.peer(0).replica(pair.local(0), *before)->pose.position.x, 5);
    EXPECT_EQ(pair.peer(0).replica(pair.local(0), *after)->pose.position.x, 7);
}

TEST(Stay, SilenceTimesOut) {
    Pair pair;
    pair.crash(1);
    pair.run_for(4s);
    EXPECT_TRUE(pair.events_of<PeerLeft>(0).empty());
    pair.run_for(1500ms);
    const auto left = pair.events_of<PeerLeft>(0);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].reason, Reason::timed_out);
}

TEST(Stay, AnIdleLinkLivesForEver) {
    Pair pair;
    pair.run_for(120s);
    EXPECT_TRUE(pair.linked());
    EXPECT_TRUE(pair.events_of<PeerLeft>(0).empty());
    EXPECT_LT(pair.peer(0).stats().ledger.total_bytes(), 120U * 500U);
    EXPECT_GT(pair.peer(0).stats().ledger.total_bytes(), 120U * 20U);
}

TEST(Stay, ComingBackIsANewIncarnation) {
    Pair pair;
    ASSERT_TRUE(pair.peer(1).send(pair.local(1), text("before")));
    pair.run_for(300ms);
    pair.crash(1);
    pair.run_for(200ms);
    pair.restart(1, {}, Seed{77});
    pair.join(1, 0);
    pair.run_for(500ms);
    const auto left = pair.events_of<PeerLeft>(0);
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].reason, Reason::rejoined);
    const auto joined = pair.events_of<PeerJoined>(0);
    ASSERT_EQ(joined.size(), 2U);
    EXPECT_NE(joined[0].incarnation, joined[1].incarnation);
    ASSERT_TRUE(pair.peer(1).send(pair.local(1), text("after")));
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("answer")));
    pair.run_for(500ms);
    EXPECT_EQ(counts(pair, 0), (std::map<std::string, int>{{"before", 1}, {"after", 1}}));
    EXPECT_EQ(counts(pair, 1)["answer"], 1);
}

TEST(Stay, LeavingAndJoiningAgainWorks) {
    Pair pair;
    for (int i = 0; i < 3; ++i) {
        pair.peer(1).leave(pair.local(1));
        pair.run_for(500ms);
        pair.join(1, 0);
        pair.run_for(500ms);
        ASSERT_TRUE(pair.linked()) << i;
        ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("again")));
        pair.run_for(300ms);
    }
    EXPECT_EQ(counts(pair, 1)["again"], 3);
}

/// Messages both ways before, within and after a partition that is longer than the timeout.
void talk_over_a_partition(Pair& pair, bool rejoin) {
    for (int i = 0; i < 300; ++i) {
        (void)pair.peer(0).send(pair.local(0), text("a" + std::to_string(i)));
        (void)pair.peer(1).send(pair.local(1), text("b" + std::to_string(i), Delivery::ordered));
        if (i == 50) pair.cut(0, 1);
        if (i == 250) pair.cut(0, 1, false);
        if (i == 250 && rejoin) pair.join(1, 0);
        pair.run_for(50ms);
    }
    pair.run_for(10s);
}

void expect_each_once(Pair& pair) {
    ASSERT_TRUE(pair.linked());
    ASSERT_GE(pair.events_of<PeerLeft>(0).size(), 1U);  // the link did time out
    // Until the partition was detected both sides accepted messages; all of these must arrive.
    const auto at_1 = counts(pair, 1);
    const auto at_0 = counts(pair, 0);
    for (int i = 0; i < 140; ++i) {
        EXPECT_TRUE(at_1.contains("a" + std::to_string(i))) << i;
        EXPECT_TRUE(at_0.contains("b" + std::to_string(i))) << i;
    }
    EXPECT_TRUE(at_1.contains("a299"));
    EXPECT_TRUE(at_0.contains("b299"));
    for (const auto& [words, n] : at_1) EXPECT_EQ(n, 1) << words;
    for (const auto& [words, n] : at_0) EXPECT_EQ(n, 1) << words;
}

TEST(Stay, ReliableMessagesSurviveAPartition) {
    Pair pair;
    talk_over_a_partition(pair, false);
    expect_each_once(pair);
}

TEST(Stay, ReliableMessagesSurviveAPartitionWithLossAndReordering) {
    Pair pair{{}, test::rough(Seed{8}, 0.1, 0.1, 10ms, 90ms)};
    talk_over_a_partition(pair, false);
    expect_each_once(pair);
}

TEST(Stay, ReliableMessagesSurviveAPartitionAfterWhichTheGameJoinsAgain) {
    Pair pair;
    talk_over_a_partition(pair, true);
    expect_each_once(pair);
}

TEST(Stay, ReliableMessagesSurviveAPartitionWithEarlyData) {
    PeerOptions options;
    options.link.early_data = true;
    Pair pair{options};
    talk_over_a_partition(pair, false);
    expect_each_once(pair);
}

TEST(Stay, OneDeafSideIsNoReasonToForget) {
    Pair pair;
    for (int i = 0; i < 400; ++i) {
        (void)pair.peer(0).send(pair.local(0), text("a" + std::to_string(i)));
        if (i == 50) pair.cut_way(0, 1);
        if (i == 250) pair.cut_way(0, 1, false);
        pair.run_for(50ms);
    }
    pair.run_for(10s);
    ASSERT_TRUE(pair.linked());
    const auto got = counts(pair, 1);
    for (int i = 0; i < 140; ++i) EXPECT_TRUE(got.contains("a" + std::to_string(i))) << i;
    EXPECT_TRUE(got.contains("a399"));
    for (const auto& [words, n] : got) EXPECT_EQ(n, 1) << words;
}

// One side saw the link come up and accepted messages for it; the other never did, and gave up.
TEST(Stay, MessagesForALinkThatNeverCameUpOnTheOtherSideArriveLater) {
    Pair pair;
    pair.cut(0, 1);
    pair.run_for(12s);
    pair.forget_events();
    // 1 calls, and 0's answers are lost; then 0 calls, and only the answers arrive
    pair.cut_way(1, 0, false);
    pair.cut_way(0, 1, false);
    pair.set_network([&](const Flight& flight) -> std::vector<Duration> {
        // Data of peer 0 is lost: the kind is in the lowest two bits, and 1 is data.
        if (flight.from == 0 && (flight.bytes[0] & 3U) == 1U) return {};
        return {25ms};
    });
    ASSERT_TRUE(pair.run_while([&] { return pair.events_of<PeerJoined>(0).empty(); }, 5s));
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("early")));
    pair.run_for(20s);
    EXPECT_EQ(counts(pair, 1)["early"], 0);
    pair.set_network(test::constant(25ms));
    pair.run_for(10s);
    EXPECT_EQ(counts(pair, 1)["early"], 1);
}

TEST(Stay, AMovedPeerKeepsItsLink) {
    Pair pair;
    const auto id = pair.peer(1).publish(pair.local(1), state_of(Pose{}));
    ASSERT_TRUE(id);
    pair.run_for(500ms);
    pair.forget_events();
    pair.move(1, Address::from_number(55));
    ASSERT_TRUE(pair.peer(1).send(pair.local(1), text("moved")));
    pair.run_for(500ms);
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("followed")));
    pair.run_for(10s);
    EXPECT_TRUE(pair.events_of<PeerLeft>(0).empty());
    EXPECT_EQ(counts(pair, 0)["moved"], 1);
    EXPECT_EQ(counts(pair, 1)["followed"], 1);
    EXPECT_TRUE(pair.peer(0).replica(pair.local(0), *id));
}

TEST(Stay, AHealedClusterFindsItselfAgain) {
    Cluster cluster;
    for (int i = 0; i < 6; ++i) cluster.add();
    cluster.join_all();
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 3; b < 6; ++b) cluster.cut(a, b);
    }
    cluster.run_for(15s);
    for (std::size_t i = 0; i < 6; ++i) ASSERT_EQ(cluster.peer(i).peers().size(), 2U) << i;
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 3; b < 6; ++b) cluster.cut(a, b, false);
    }
    cluster.run_for(4s);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(cluster.peer(i).peers().size(), 5U) << i;
}

// A peer that is heard just before it times out must not be forgotten while our answer is on its way.
TEST(Stay, WhoIsHeardAgainIsLinkedAtOnceWhenEverThatIs) {
    Duration slowest{};
    Duration longest_silence{};
    for (int i = 0; i < 800; ++i) {
        Pair pair{PeerOptions{}, test::constant(60ms)};
        pair.cut_way(0, 1);
        pair.run_for((i % 20) * 100ms);  // one of them detects it earlier: they call at different times
        pair.cut(0, 1);
        pair.run_for(12s + (i / 20) * 50ms);
        ASSERT_FALSE(pair.linked());
        pair.cut(0, 1, false);
        const Duration healed = pair.now();
        const std::uint64_t delivered = pair.delivered();
        ASSERT_TRUE(pair.run_while([&] { return pair.delivered() == delivered; }, 5s));
        const Duration heard = pair.now();
        longest_silence = std::max(longest_silence, heard - healed);
        ASSERT_TRUE(pair.run_while([&] { return !pair.linked(); }, 5s));
        slowest = std::max(slowest, pair.now() - heard);
    }
    EXPECT_LT(slowest, 200ms);
    EXPECT_LT(longest_silence, 1s);
}

TEST(Stay, SessionTimeSurvivesTheFirstPeersLeaving) {
    Cluster cluster;
    cluster.add({}, 1000s, 100);
    cluster.add({}, 20s, -100);
    cluster.add({}, 3s, 50);
    cluster.join_all();
    cluster.run_for(30s);
    const auto apart = [&](std::size_t a, std::size_t b) {
        return std::abs(
            millis(cluster.session(a).time_since_epoch() - cluster.session(b).time_since_epoch()));
    };
    EXPECT_LT(apart(0, 1), 5);
    EXPECT_LT(apart(0, 2), 5);
    const SessionInstant before = cluster.session(1);
    cluster.peer(0).leave(cluster.local(0));
    cluster.flush(0);
    cluster.run_for(100ms);
    cluster.crash(0);
    cluster.run_for(60s);
    EXPECT_LT(apart(1, 2), 5);
    EXPECT_NEAR(seconds(cluster.session(1) - before), 60.1, 0.05);
}

}  // namespace
}  // namespace fray
