// Session-wide messages (Audience::session): every peer that is linked now or gets linked in time, once.

#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace fray {
namespace {

using test::Cluster;
using test::Pair;
using test::text;
using test::words_of;

Outgoing to_session(const std::string& words, Duration within = kLinkedWithin,
                    Delivery delivery = Delivery::ordered) {
    Outgoing message = text(words, delivery);
    message.audience = Audience::session(within);
    return message;
}

std::vector<std::string> received(const Cluster& cluster, std::size_t i) {
    std::vector<std::string> all;
    for (const Message& message : cluster.events_of<Message>(i)) all.push_back(words_of(message));
    return all;
}

/// The last peer joins seven others, and has just reported Joined.
Cluster newcomer_at_joined() {
    Cluster cluster;
    for (int i = 0; i < 7; ++i) cluster.add();
    cluster.join_all();
    cluster.add();
    cluster.join(7, 0);
    EXPECT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(7).empty(); }, 2s));
    return cluster;
}

std::size_t receivers(Cluster& cluster, const Outgoing& message) {
    EXPECT_TRUE(cluster.peer(7).send(cluster.local(7), message));
    cluster.run_for(5s);
    std::size_t count = 0;
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_LE(received(cluster, i).size(), 1U);
        count += received(cluster, i).size();
    }
    return count;
}

TEST(SessionWide, AGreetingSentAtJoinedReachesEveryMemberOnce) {
    Cluster everyone = newcomer_at_joined();
    EXPECT_LT(receivers(everyone, text("hello")), 7U) << "members that are not linked yet are not addressed";
    Cluster session = newcomer_at_joined();
    EXPECT_EQ(receivers(session, to_session("hello")), 7U);
}

TEST(SessionWide, AMessageSentBeforeJoiningArrivesWithSessionTime) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    cluster.join_all();
    cluster.add({}, 500s);
    ASSERT_TRUE(cluster.peer(4).send(cluster.local(4), to_session("early")));
    cluster.join(4, 0);
    cluster.run_for(3s);
    for (std::size_t i = 0; i < 4; ++i) {
        const auto got = cluster.events_of<Message>(i);
        ASSERT_EQ(got.size(), 1U) << i;
        EXPECT_NEAR(millis(got[0].at - cluster.session(i)), 0, 3000)
            << "stamped with the clock before joining";
    }
}

TEST(SessionWide, ALinkThatIsLostAndResumedDeliversNothingTwice) {
    Pair pair;
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), to_session("delivered", 60s)));
    pair.run_for(500ms);
    ASSERT_EQ(received(pair, 1).size(), 1U);
    pair.cut_way(1, 0);  // the next one arrives, but its acknowledgement does not
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), to_session("unacknowledged", 60s)));
    pair.run_for(500ms);
    ASSERT_EQ(received(pair, 1).size(), 2U);
    pair.cut(0, 1);
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), to_session("queued", 60s)));
    pair.run_for(8s);
    ASSERT_TRUE(pair.peer(0).peers().empty());
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), to_session("unlinked", 60s)));
    pair.cut(0, 1, false);
    pair.cut_way(1, 0, false);
    pair.run_for(8s);
    ASSERT_GE(pair.events_of<PeerJoined>(0).size(), 2U) << "the link came up again";
    EXPECT_EQ(received(pair, 1),
              (std::vector<std::string>{"delivered", "unacknowledged", "queued", "unlinked"}));
}

TEST(SessionWide, ANewStayGetsItAgainAndALateOneDoesNot) {
    Pair pair;
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), to_session("hello")));
    pair.run_for(1s);
    ASSERT_EQ(received(pair, 1).size(), 1U);
    pair.peer(1).leave(pair.local(1));
    pair.run_for(1s);
    pair.join(1, 0);
    pair.run_for(1s);
    EXPECT_EQ(received(pair, 1).size(), 2U) << "another stay of the same peer";
    pair.peer(1).leave(pair.local(1));
    pair.run_for(kLinkedWithin);
    pair.join(1, 0);
    pair.run_for(2s);
    EXPECT_TRUE(pair.linked());
    EXPECT_EQ(received(pair, 1).size(), 2U) << "the time is over";
}

TEST(SessionWide, AnotherSessionDoesNotGetWhatWasKeptForTheLast) {
    Pair pair;
    pair.add();
    ASSERT_TRUE(pair.peer(1).send(pair.local(1), to_session("for the first session", 60s)));
    pair.run_for(500ms);
    ASSERT_EQ(received(pair, 0).size(), 1U);
    pair.peer(1).leave(pair.local(1));
    pair.join(1, 2);
    pair.run_for(2s);
    ASSERT_EQ(pair.peer(2).peers().size(), 1U);
    EXPECT_TRUE(received(pair, 2).empty());
}

TEST(SessionWide, EveryPeerHearsAllInOrderWhileManyJoinOverARoughNetwork) {
    constexpr std::size_t kPeers = 12;
    Cluster cluster;
    cluster.set_network(test::rough(Seed{7}, 0.15, 0.1, 10ms, 90ms));
    cluster.add();
    for (std::size_t i = 1; i < kPeers; ++i) {
        cluster.add();
        cluster.join(i, i / 2);
        for (std::size_t j = 0; j <= i; ++j) {
            const std::string words = std::to_string(j) + ": " + std::to_string(i);
            ASSERT_TRUE(cluster.peer(j).send(cluster.local(j), to_session(words, 60s)));
        }
        cluster.run_for(200ms);
    }
    cluster.run_for(20s);
    for (std::size_t i = 0; i < kPeers; ++i) {
        std::map<PeerId, std::vector<std::string>> from;
        for (const Message& m : cluster.events_of<Message>(i)) from[m.from].push_back(words_of(m));
        EXPECT_EQ(from.size(), kPeers - 1);
        for (std::size_t j = 0; j < kPeers; ++j) {
            std::vector<std::string> all;
            for (std::size_t n = std::max<std::size_t>(j, 1); n < kPeers && j != i; ++n)
                all.push_back(std::to_string(j) + ": " + std::to_string(n));
            EXPECT_EQ(from[Cluster::id(j)], all) << "from " << j << " to " << i;
        }
    }
}

TEST(SessionWide, WhatIsKeptIsBoundedAndRefusedWithNumbers) {
    Pair pair;
    std::size_t sent = 0;
    while (sent < 2 * kMaxKeptMessages && pair.peer(0).send(pair.local(0), to_session("m"))) ++sent;
    EXPECT_EQ(sent, kMaxKeptMessages);
    const auto full = pair.peer(0).send(pair.local(0), to_session("m"));
    ASSERT_FALSE(full);
    EXPECT_NE(full.error().message.find("at most 1024 with 1048576"), std::string::npos)
        << full.error().message;
    EXPECT_TRUE(pair.peer(0).send(pair.local(0), text("m"))) << "other messages are not affected";
    pair.run_for(kLinkedWithin + 1s);
    const Outgoing longest = to_session(std::string(kMaxMessageBytes, 'x'));
    sent = 0;
    while (sent < 100 && pair.peer(0).send(pair.local(0), longest)) ++sent;
    EXPECT_EQ(sent, kMaxKeptBytes / kMaxMessageBytes);
    EXPECT_GT(pair.peer(0).memory_bytes(), kMaxKeptBytes) << "they are counted";
}

TEST(SessionWide, AnInvalidAudienceIsRefused) {
    Pair pair;
    const auto refusal = [&](const Outgoing& message) {
        const auto sent = pair.peer(0).send(pair.local(0), message);
        return sent ? "" : sent.error().message;
    };
    EXPECT_EQ(refusal(to_session("m", 61s)), "Audience::within must be at most 60 s, and not negative");
    EXPECT_EQ(refusal(to_session("m", -1s)), "Audience::within must be at most 60 s, and not negative");
    EXPECT_EQ(refusal(to_session("m", 1s, Delivery::unreliable)),
              "a session-wide message must be reliable or ordered");
    Outgoing named = to_session("m");
    named.audience.peers = {Cluster::id(1)};
    EXPECT_EQ(refusal(named), "Audience::within goes without a list of peers");
    EXPECT_EQ(refusal(to_session("m", kMostLinkedWithin)), "");
}

}  // namespace
}  // namespace fray
