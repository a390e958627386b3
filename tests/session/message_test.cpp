#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace fray {
namespace {

using test::Cluster;
using test::Pair;
using test::text;
using test::words_of;

std::vector<std::string> received(const Cluster& cluster, std::size_t i) {
    std::vector<std::string> all;
    for (const Message& message : cluster.events_of<Message>(i)) all.push_back(words_of(message));
    return all;
}

TEST(Messages, EveryDeliveryArrivesWithItsSender) {
    Pair pair;
    for (const Delivery d : {Delivery::unreliable, Delivery::reliable, Delivery::ordered}) {
        ASSERT_TRUE(pair.peer(1).send(pair.local(1), text("hi", d)));
    }
    pair.run_for(500ms);
    const auto got = pair.events_of<Message>(0);
    ASSERT_EQ(got.size(), 3U);
    for (const Message& message : got) {
        EXPECT_EQ(message.from, Cluster::id(1));
        EXPECT_EQ(words_of(message), "hi");
    }
    EXPECT_NE(got[0].delivery, got[1].delivery);
    EXPECT_TRUE(received(pair, 1).empty());
}

TEST(Messages, OnlyTheAudienceGetsThem) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    cluster.join_all();
    Outgoing secret = text("secret");
    secret.audience = Audience::only(Cluster::id(2));
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), secret));
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), text("all")));
    cluster.run_for(500ms);
    EXPECT_EQ(received(cluster, 1), std::vector<std::string>{"all"});
    EXPECT_EQ(received(cluster, 2).size(), 2U);
    EXPECT_EQ(received(cluster, 3), std::vector<std::string>{"all"});
    secret.audience = Audience{{Cluster::id(1), PeerId::from_number(77)}};
    EXPECT_FALSE(cluster.peer(0).send(cluster.local(0), secret));
    cluster.run_for(500ms);
    EXPECT_EQ(received(cluster, 1).size(), 1U);  // refused as a whole
}

TEST(Messages, ReliableOnesArriveExactlyOnceAndOrderedOnesInOrderOverARoughNetwork) {
    Pair pair;
    pair.set_network(test::rough(Seed{2}, 0.2, 0.2, 5ms, 120ms));
    constexpr int kCount = 1000;
    for (int i = 0; i < kCount; ++i) {
        ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("r" + std::to_string(i))));
        ASSERT_TRUE(pair.peer(1).send(pair.local(1), text("o" + std::to_string(i), Delivery::ordered)));
        if (i % 5 == 0) pair.run_for(50ms);
    }
    pair.run_for(20s);
    EXPECT_TRUE(pair.linked());
    std::map<std::string, int> times;
    for (const std::string& words : received(pair, 1)) ++times[words];
    EXPECT_EQ(times.size(), static_cast<std::size_t>(kCount));
    for (const auto& [words, n] : times) EXPECT_EQ(n, 1) << words;
    const auto ordered = received(pair, 0);
    ASSERT_EQ(ordered.size(), static_cast<std::size_t>(kCount));
    for (int i = 0; i < kCount; ++i) ASSERT_EQ(ordered[static_cast<std::size_t>(i)], "o" + std::to_string(i));
}

TEST(Messages, TheLongestArriveWholeInEveryDelivery) {
    Pair pair;
    for (const Delivery d : {Delivery::unreliable, Delivery::reliable, Delivery::ordered}) {
        std::string words(kMaxMessageBytes, 'x');
        words.back() = 'y';
        ASSERT_TRUE(pair.peer(0).send(pair.local(0), text(words, d)));
        pair.run_for(2s);
        const auto got = received(pair, 1);
        ASSERT_FALSE(got.empty()) << static_cast<int>(d);
        EXPECT_EQ(got.back(), words);
        pair.forget_events();
    }
    EXPECT_FALSE(pair.peer(0).send(pair.local(0), text(std::string(kMaxMessageBytes + 1, 'x'))));
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text("")));
    pair.run_for(1s);
    EXPECT_EQ(received(pair, 1), std::vector<std::string>{""});
}

TEST(Messages, ManyLongOnesAllArriveOverALossyNetwork) {
    Pair pair;
    pair.set_network(test::rough(Seed{4}, 0.1, 0.0, 20ms, 40ms));
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(pair.peer(0).send(
            pair.local(0), text(std::string(3000, static_cast<char>('A' + i % 26)), Delivery::ordered)));
    }
    pair.run_for(60s);
    EXPECT_EQ(received(pair, 1).size(), 40U);
}

TEST(Messages, FourOfTheLongestTakeNoLongerThanFiveSeconds) {
    Pair pair;
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(pair.peer(0).send(pair.local(0), text(std::string(kMaxMessageBytes, 'x'))));
    EXPECT_TRUE(pair.run_while([&] { return received(pair, 1).size() < 4; }, 5s)) << received(pair, 1).size();
}

// On a network without loss no unreliable message is lost, even with the ends of two messages in one
// datagram.
TEST(Messages, UnreliableOnesInPiecesAllArriveWhereNothingIsLost) {
    Pair pair;
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), text(std::string(300, 'a'), Delivery::unreliable)));
    for (int i = 0; i < 6; ++i)
        ASSERT_TRUE(pair.peer(0).send(pair.local(0), text(std::string(1060, 'b'), Delivery::unreliable)));
    pair.run_for(1s);
    EXPECT_EQ(received(pair, 1).size(), 7U);
}

TEST(Messages, TimedOnesAreHandedOutAtTheirSessionTime) {
    Pair pair;
    Outgoing later = text("now!");
    later.at = pair.session(0) + 700ms;
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), later));
    pair.run_for(690ms);
    EXPECT_TRUE(received(pair, 1).empty());
    ASSERT_TRUE(pair.run_while([&] { return received(pair, 1).empty(); }, 100ms));
    EXPECT_NEAR(millis(pair.session(1) - *later.at), 0, 2);
    later.at = pair.session(0) - 5s;  // in the past: at once
    ASSERT_TRUE(pair.peer(0).send(pair.local(0), later));
    pair.run_for(100ms);
    EXPECT_EQ(received(pair, 1).size(), 2U);
}

TEST(Messages, ATimedOneIsWaitedForWithoutSpinning) {
    Cluster cluster;
    cluster.add({}, 0s, -200);
    cluster.add({}, 50s, 200);
    cluster.join_all();
    cluster.run_for(30s);
    Outgoing later = text("later");
    later.at = cluster.session(0) + 20s;
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), later));
    const auto before = cluster.stalls();
    cluster.run_for(25s);
    EXPECT_EQ(received(cluster, 1).size(), 1U);
    EXPECT_LT(cluster.stalls() - before, 20U) << "wake-ups in which nothing happened";
}

// The number of held messages is bounded for all peers together: a peer that fills it with messages for the
// far future must not block others.
TEST(Messages, AFarFutureDoesNotDisplaceTheNear) {
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add();
    cluster.join_all();
    Outgoing never = text("x");
    never.audience = Audience::only(Cluster::id(2));
    never.at = cluster.session(1) + std::chrono::hours{24 * 365};
    EXPECT_FALSE(cluster.peer(1).send(cluster.local(1), never)) << "a year ahead is refused";
    int refused = 0;
    for (int i = 0; i < 6000; ++i) {
        never.at = cluster.session(1) + 50s;
        refused += cluster.peer(1).send(cluster.local(1), never) ? 0 : 1;
        if (i % 50 == 49) cluster.run_for(100ms);
    }
    EXPECT_GT(refused, 0) << "what the receiver has no room for piles up with the sender, until that refuses";
    cluster.run_for(2s);
    Outgoing soon = text("soon");
    soon.at = cluster.session(0) + 300ms;
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), soon));
    cluster.run_for(2s);
    EXPECT_EQ(received(cluster, 2), std::vector<std::string>{"soon"});
    EXPECT_GT(cluster.peer(2).stats().rejections.of(Rejection::no_room), 0U);
}

// More than the receiver holds for one sender: the rest stays with the sender.
TEST(Messages, TimedReliableOnesAllArriveHoweverManyWait) {
    for (const Delivery delivery : {Delivery::reliable, Delivery::ordered}) {
        Pair pair;
        constexpr int kMany = 1500;
        const SessionInstant due = pair.session(0) + 50s;
        int sent = 0;
        for (int i = 0; i < 2000 && sent < kMany; ++i) {
            Outgoing message = text(std::to_string(sent), delivery);
            message.at = due;
            if (pair.peer(0).send(pair.local(0), message)) ++sent;
            if (i % 20 == 0) pair.run_for(50ms);
        }
        EXPECT_LT(pair.session(0), due);
        EXPECT_TRUE(pair.events_of<Message>(1).empty());
        while (sent < kMany && pair.now() < 200s) {
            Outgoing message = text(std::to_string(sent), delivery);
            message.at = due;
            if (pair.peer(0).send(pair.local(0), message))
                ++sent;
            else
                pair.run_for(50ms);
        }
        pair.run_for(60s);
        const auto got = pair.events_of<Message>(1);
        ASSERT_EQ(got.size(), static_cast<std::size_t>(kMany));
        std::set<std::string> different;
        for (std::size_t i = 0; i < got.size(); ++i) {
            different.insert(words_of(got[i]));
            if (delivery == Delivery::ordered) {
                EXPECT_EQ(words_of(got[i]), std::to_string(i));
            }
        }
        EXPECT_EQ(different.size(), got.size());
    }
}

TEST(Messages, WithdrawingWorksWhenTheBacklogIsFull) {
    Pair pair;
    const auto id = pair.peer(0).publish(pair.local(0), state_of(Pose{}));
    ASSERT_TRUE(id);
    pair.run_for(500ms);
    ASSERT_EQ(pair.peer(1).replicas(pair.local(1)).size(), 1U);
    int queued = 0;
    while (queued < 10'000 && pair.peer(0).send(pair.local(0), text("m"))) ++queued;
    EXPECT_GT(queued, 1000);
    ASSERT_TRUE(pair.peer(0).withdraw(pair.local(0), *id));
    pair.run_for(20s);
    EXPECT_EQ(received(pair, 1).size(), static_cast<std::size_t>(queued));
    EXPECT_TRUE(pair.peer(1).replicas(pair.local(1)).empty()) << "a ghost for good";
}

}  // namespace
}  // namespace fray
