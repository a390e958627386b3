// Joins that meet an obstacle: a stale introduction, a host that leaves, addresses that lead nowhere.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace fray {
namespace {

using test::Cluster;

TEST(JoinRecovery, AStaleIntroductionDoesNotResetTheLinkWithItsAddress) {
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add();
    cluster.join_all();
    cluster.run_for(3s);
    cluster.crash(1);
    PeerOptions fresh;
    fresh.id = PeerId::from_number(77);
    cluster.restart(1, fresh, Seed{9});
    cluster.join(1, 0);
    cluster.run_for(500ms);  // the others still have links with its former self
    cluster.add();
    cluster.join(3, 0);
    cluster.run_for(20s);
    ASSERT_FALSE(cluster.events_of<PeerJoined>(3).empty());
    for (const PeerLeft& left : cluster.events_of<PeerLeft>(3)) EXPECT_NE(left.peer, fresh.id);
    EXPECT_EQ(cluster.peer(3).peers().size(), 3U);
}

TEST(JoinRecovery, ACallerThatWaitsForOurJoinDoesNotKeepUsOut) {
    Cluster cluster;
    PeerOptions one;
    one.overlay = FullMesh{.most_peers = 1};
    cluster.add();
    cluster.add(one);
    cluster.add();
    cluster.cut_way(0, 1);
    cluster.join(1, 0);
    cluster.run_for(100ms);
    cluster.join(2, 1);
    cluster.run_for(300ms);
    cluster.cut_way(0, 1, false);
    cluster.run_for(5s);
    EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_TRUE(cluster.events_of<Refused>(1).empty());
}

TEST(JoinRecovery, APeerWithoutRoomForALinkIsReportedAsFull) {
    Cluster cluster;
    PeerOptions one;
    one.link.most_links = 1;
    cluster.add(one);
    cluster.add(one);
    cluster.add();
    cluster.join(1, 0);
    cluster.run_for(1s);
    ASSERT_EQ(cluster.peer(0).peers().size(), 1U);
    cluster.join(2, 0);
    cluster.run_for(60s);
    const auto refused = cluster.events_of<Refused>(2);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::full);
}

TEST(JoinRecovery, ANewcomerWhoseHostLeavesAtOnceJoinsThroughAnotherMember) {
    Cluster cluster;
    for (int i = 0; i < 2; ++i) cluster.add();
    cluster.join_all();
    cluster.add();
    cluster.join(2, 1);
    ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<PeerJoined>(1).size() < 2; }, 1s));
    cluster.peer(1).leave(cluster.local(1));
    cluster.run_for(20s);
    EXPECT_EQ(cluster.peer(2).peers(), std::vector<PeerId>{Cluster::id(0)});
}

TEST(JoinRecovery, OurOwnAddressNamedByTheHostDoesNotEndTheJoin) {
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add();
    cluster.join_all();
    cluster.crash(2);
    PeerOptions fresh;
    fresh.id = PeerId::from_number(77);
    cluster.restart(2, fresh, Seed{9});
    cluster.forget_events();
    cluster.join(2, 0);
    ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(2).empty(); }, 1s));
    cluster.crash(0);  // the one it came through, before it could introduce anybody
    cluster.run_for(30s);
    EXPECT_TRUE(cluster.events_of<Refused>(2).empty());
    EXPECT_EQ(cluster.peer(2).peers(), std::vector<PeerId>{Cluster::id(1)});
}

TEST(JoinRecovery, LeavingDuringAJoinEndsItWithAnEvent) {
    Cluster cluster;
    for (int i = 0; i < 2; ++i) cluster.add();
    cluster.cut(0, 1);
    cluster.join(1, 0);
    cluster.run_for(200ms);
    cluster.peer(1).leave(cluster.local(1));
    cluster.run_for(100ms);
    const auto refused = cluster.events_of<Refused>(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::left);
}

TEST(JoinRecovery, ATimedMessageOfTheFormerSessionIsNotKeptForTheNext) {
    Cluster cluster;
    cluster.add();
    cluster.add({}, 30s);
    cluster.join(1, 0);
    cluster.run_for(1s);
    Outgoing later = test::text("later");
    later.at = cluster.session(0) + 20s;
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), later));
    cluster.run_for(1s);
    EXPECT_TRUE(cluster.events_of<Message>(1).empty()) << "it is not due";
    cluster.peer(1).leave(cluster.local(1));
    cluster.run_for(100ms);
    EXPECT_EQ(cluster.events_of<Message>(1).size(), 1U) << "it arrived, so it is not lost";
    cluster.run_for(40s);
    EXPECT_EQ(cluster.events_of<Message>(1).size(), 1U);
}

TEST(JoinRecovery, SessionTimeIsTheOwnClockAfterLeavingAndViewsFollowIt) {
    Cluster cluster;
    cluster.add({}, 600s);  // its clock is ahead
    PeerOptions lagged;
    lagged.consistency.algorithm = LocalLag{.lag = 100ms};
    cluster.add(lagged);
    const auto id = cluster.peer(1).publish(cluster.local(1), state_of(Pose{.position = {1, 0, 0}}));
    ASSERT_TRUE(id);
    cluster.join(1, 0);
    cluster.run_for(2s);
    ASSERT_GT(cluster.session(1).time_since_epoch(), 500s) << "or its clock was not set";
    cluster.peer(1).leave(cluster.local(1));
    for (int step = 2; step < 40; ++step) {
        const auto x = static_cast<float>(step);
        ASSERT_TRUE(cluster.peer(1).update(cluster.local(1), *id, state_of(Pose{.position = {x, 0, 0}})));
        cluster.run_for(50ms);
    }
    EXPECT_LT(cluster.session(1).time_since_epoch(), 100s);
    EXPECT_NEAR(cluster.peer(1).local_view(cluster.local(1), *id)->pose.position.x, 37, 2);
}

/// Two peers with clocks far apart join through each other; only the first hello of one of them arrives.
void expect_one_clock(std::size_t losing) {
    Cluster cluster;
    cluster.add({}, 500s);
    cluster.add({}, 20s);
    int hellos = 0;
    cluster.set_network([&](const test::Flight& flight) -> std::vector<Duration> {
        const bool hello = (flight.bytes[0] & 3U) == 0;
        if (flight.from == losing && hello && ++hellos > 1) return {};
        return {25ms};
    });
    cluster.join(0, 1);
    cluster.join(1, 0);
    cluster.run_for(20s);
    ASSERT_GT(hellos, 1) << "or it proves nothing";
    ASSERT_EQ(cluster.peer(0).peers().size(), 1U);
    ASSERT_EQ(cluster.peer(1).peers().size(), 1U);
    const Duration apart = cluster.session(0) - cluster.session(1);
    EXPECT_LT(std::abs(micros(apart)), 5000) << "microseconds";
}

TEST(JoinRecovery, TwoPeersThatJoinThroughEachOtherAgreeOnOneClock) {
    expect_one_clock(0);
    expect_one_clock(1);
}

TEST(JoinRecovery, AnAnswerThatTakesThreeSecondsIsNotLost) {
    Cluster cluster;
    cluster.set_network(test::constant(1500ms));
    for (int i = 0; i < 2; ++i) cluster.add();
    cluster.join(1, 0);
    cluster.run_for(9s);
    EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_TRUE(cluster.events_of<Refused>(1).empty());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(cluster.peer(i).peers().size(), 1U) << i;
}

}  // namespace
}  // namespace fray
