#include "link/datagram.hpp"
#include "link/hello.hpp"
#include "support/hello_forger.hpp"
#include "support/pair.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fray {
namespace {

using test::Cluster;
using test::Pair;

PeerOptions small_world() {
    PeerOptions options;
    options.world.low = {0, 0, 0};
    options.world.high = {512, 512, 0};
    return options;
}

TEST(Join, OneKnownPeerIsEnoughToMeetEverybody) {
    Cluster cluster;
    for (int i = 0; i < 6; ++i) cluster.add();
    cluster.join_all();
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(cluster.peer(i).peers().size(), 5U) << i;
        EXPECT_EQ(cluster.events_of<PeerJoined>(i).size(), 5U) << i;
        EXPECT_TRUE(cluster.events_of<PeerLeft>(i).empty()) << i;
        EXPECT_EQ(cluster.events_of<Joined>(i).size(), i == 0 ? 0U : 1U);
    }
}

TEST(Join, AnotherWorldIsRefused) {
    Cluster cluster;
    cluster.add();
    cluster.add(small_world());
    cluster.join(1, 0);
    cluster.run_for(1s);
    const auto refused = cluster.events_of<Refused>(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::world_mismatch);
    EXPECT_EQ(refused[0].address, cluster.address(0));
    EXPECT_TRUE(cluster.peer(0).peers().empty());
    EXPECT_GE(cluster.peer(0).stats().rejections.of(Rejection::world), 1U);
}

TEST(Join, OurOwnIdIsRefused) {
    Cluster cluster;
    PeerOptions twin;
    twin.id = PeerId::from_number(1);
    cluster.add(twin);
    cluster.add(twin);
    cluster.join(1, 0);
    cluster.run_for(1s);
    const auto refused = cluster.events_of<Refused>(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::own_id);
}

TEST(Join, AFullPeerRefuses) {
    Cluster cluster;
    PeerOptions one;
    one.overlay = FullMesh{.most_peers = 1};
    cluster.add(one);
    cluster.add(one);
    cluster.add();
    cluster.join(1, 0);
    cluster.run_for(1s);
    ASSERT_EQ(cluster.peer(0).peers().size(), 1U);
    cluster.join(2, 0);
    cluster.run_for(3s);
    const auto refused = cluster.events_of<Refused>(2);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::full);
    EXPECT_EQ(refused[0].address, cluster.address(0));  // the one that the game named
}

TEST(Join, AFullPeerNamesOthersThatHaveRoom) {
    Cluster cluster;
    PeerOptions one;
    one.overlay = FullMesh{.most_peers = 1};
    cluster.add(one);
    cluster.add();
    cluster.add();
    cluster.join(1, 0);
    cluster.run_for(1s);
    cluster.join(2, 0);
    cluster.run_for(1s);
    const auto joined = cluster.events_of<Joined>(2);
    ASSERT_EQ(joined.size(), 1U);
    EXPECT_EQ(joined[0].through, Cluster::id(1));
    EXPECT_TRUE(cluster.events_of<Refused>(2).empty());
}

TEST(Join, WhoHasRoomForTwoNeverHasThree) {
    Cluster cluster;
    PeerOptions two;
    two.overlay = FullMesh{.most_peers = 2};
    cluster.add();
    cluster.add(two);
    for (int i = 0; i < 4; ++i) cluster.add();
    for (std::size_t i = 1; i < 6; ++i) cluster.join(i, 0);
    std::size_t most = 0;
    for (int i = 0; i < 100; ++i) {
        cluster.run_for(100ms);
        most = std::max(most, cluster.peer(1).peers().size());
    }
    EXPECT_GE(most, 1U);
    EXPECT_LE(most, 2U);
}

TEST(Join, AnAddressThatNoMachineHasIsRefusedAtOnce) {
    Cluster cluster;
    cluster.add();
    for (const char* where : {"0.0.0.0:7000", "224.0.0.1:7000", "239.255.255.255:7000",
                              "255.255.255.255:7000", "[::]:7000", "[ff02::1]:7000"}) {
        const auto address = parse_address(where);
        ASSERT_TRUE(address) << where;
        const auto joined = cluster.peer(0).join(cluster.local(0), *address);
        ASSERT_FALSE(joined) << where;
        EXPECT_EQ(joined.error().message,
                  "cannot join " + std::string{where} +
                      ": expected the address of one machine and a port above 0, as 192.0.2.7:7000");
    }
    EXPECT_FALSE(cluster.peer(0).join(cluster.local(0), Address{parse_address("192.0.2.7:1")->ip, 0}));
    cluster.run_for(20s);
    EXPECT_TRUE(cluster.events(0).empty()) << "no event follows";
    for (const char* where : {"192.0.2.7:7000", "223.255.255.255:1", "[2001:db8::1]:65535", "[::1]:7000"})
        EXPECT_TRUE(cluster.peer(0).join(cluster.local(0), *parse_address(where))) << where;
}

TEST(Join, NobodyThereTimesOut) {
    Cluster cluster;
    cluster.add();
    ASSERT_TRUE(cluster.peer(0).join(cluster.local(0), Address::from_number(99)));
    cluster.run_for(9900ms);
    EXPECT_TRUE(cluster.events_of<Refused>(0).empty());
    cluster.run_for(300ms);
    const auto refused = cluster.events_of<Refused>(0);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::timed_out);
}

TEST(Join, APeerWhoseHostCrashesAtOnceJoinsAgainThroughAnother) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    cluster.join(1, 0);
    cluster.run_for(1s);
    // The host answered, and has not introduced any peer yet.
    cluster.join(2, 1);
    ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(2).empty(); }, 1s));
    cluster.crash(1);
    cluster.run_for(1s);
    cluster.join(3, 2);  // knows no more than the peer it joins through
    cluster.run_for(3s);
    EXPECT_EQ(cluster.peer(3).peers().size(), 1U);
    EXPECT_EQ(cluster.events_of<Joined>(2).size(), 1U);
    cluster.run_for(4s);
    EXPECT_EQ(cluster.events_of<Joined>(2).size(), 2U);
    EXPECT_TRUE(cluster.events_of<Refused>(2).empty());
    cluster.run_for(2s);
    for (const std::size_t i : {0U, 2U, 3U}) EXPECT_EQ(cluster.peer(i).peers().size(), 2U) << i;
}

TEST(Join, APeerWhoseOnlyHostCrashesAtOnceIsToldThatNobodyAnswers) {
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add();
    cluster.join(1, 0);
    ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(1).empty(); }, 1s));
    cluster.crash(0);
    cluster.run_for(14s);
    EXPECT_TRUE(cluster.events_of<Refused>(1).empty());
    cluster.run_for(7s);
    const auto refused = cluster.events_of<Refused>(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::timed_out);
    EXPECT_EQ(refused[0].address, cluster.address(0));
    cluster.join(1, 2);
    cluster.run_for(2s);
    EXPECT_EQ(cluster.peer(1).peers().size(), 1U);
}

TEST(Join, APeerThatIsNotInYetAnswersItsCallersOnceItIs) {
    Cluster cluster;
    for (int i = 0; i < 4; ++i) cluster.add();
    cluster.cut(0, 1);  // the first of the chain waits
    cluster.join(1, 0);
    cluster.join(2, 1);
    cluster.join(3, 2);
    cluster.run_for(3s);
    for (const std::size_t i : {1U, 2U, 3U}) EXPECT_TRUE(cluster.events_of<Joined>(i).empty()) << i;
    cluster.cut(0, 1, false);
    cluster.run_for(4s);
    for (const std::size_t i : {0U, 1U, 2U, 3U}) EXPECT_EQ(cluster.peer(i).peers().size(), 3U) << i;
    for (const std::size_t i : {1U, 2U, 3U}) EXPECT_TRUE(cluster.events_of<Refused>(i).empty()) << i;
}

TEST(Join, WhoeverLosesItsHostLaterOrKnowsOthersWasNotRefused) {
    Cluster later;
    later.add();
    later.add();
    later.join(1, 0);
    later.run_for(6s);
    later.crash(0);
    later.run_for(10s);
    EXPECT_EQ(later.events_of<PeerLeft>(1).size(), 1U);
    EXPECT_TRUE(later.events_of<Refused>(1).empty());

    Cluster others;
    for (int i = 0; i < 3; ++i) others.add();
    others.join(1, 0);
    others.run_for(1s);
    others.join(2, 1);
    others.run_for(1s);
    ASSERT_EQ(others.peer(2).peers().size(), 2U);
    others.crash(1);
    others.run_for(10s);
    EXPECT_EQ(others.events_of<PeerLeft>(2).size(), 1U);
    EXPECT_TRUE(others.events_of<Refused>(2).empty());
}

TEST(Join, AnotherVersionIsRefusedWhateverFollows) {
    Cluster cluster;
    cluster.add();
    cluster.remember_sent(true);
    std::array<std::uint8_t, kMaxDatagramBytes> buffer{};
    DatagramBuilder datagram{buffer, DatagramKind::hello};
    datagram.out().bits(kProtocolVersion + 1, 16);
    datagram.out().bits(42, 16);    // link
    datagram.out().bits(777, 64);   // token
    datagram.out().bits(~0ULL, 3);  // and something only that version knows
    ByteLedger ledger;
    cluster.inject(0, Address::from_number(9), datagram.finish(Token::none, Address{}, ledger));
    EXPECT_EQ(cluster.peer(0).stats().rejections.of(Rejection::version), 1U);
    ASSERT_EQ(cluster.sent_by(0).size(), 1U);
    auto opened = open_datagram(cluster.sent_by(0)[0].bytes);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->kind, DatagramKind::refusal);
    EXPECT_EQ(opened->token, Token{777});
    Refusal refusal;
    ASSERT_TRUE(read(opened->body, refusal));
    EXPECT_EQ(refusal.reason, Reason::version_mismatch);
    EXPECT_EQ(refusal.link, 42);
    EXPECT_LE(cluster.sent_by(0)[0].bytes.size(), kMaxDatagramBytes);
}

TEST(Join, TwoWhoJoinEachOtherAtOnceMeetAndStay) {
    Cluster cluster;
    cluster.add();
    cluster.add();
    cluster.join(0, 1);
    cluster.join(1, 0);
    cluster.run_for(20s);
    EXPECT_EQ(cluster.peer(0).peers().size(), 1U);
    EXPECT_EQ(cluster.peer(1).peers().size(), 1U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LE(cluster.events_of<PeerLeft>(i).size(), 1U);
        for (const PeerLeft& left : cluster.events_of<PeerLeft>(i)) EXPECT_NE(left.reason, Reason::left);
    }
    const auto apart = cluster.session(0).time_since_epoch() - cluster.session(1).time_since_epoch();
    EXPECT_LT(std::abs(millis(apart)), 5);
}

TEST(Join, TwoWhoJoinEachOtherAtOnceHearEachOtherWithinASecond) {
    Cluster cluster;
    cluster.add();
    cluster.add();
    cluster.join(0, 1);
    cluster.join(1, 0);
    cluster.run_for(500ms);
    ASSERT_TRUE(cluster.peer(0).send(cluster.local(0), test::text("hello")));
    cluster.run_for(500ms);
    EXPECT_EQ(cluster.events_of<Message>(1).size(), 1U) << "both sides keep the link that the other dropped";
}

TEST(Join, LostHellosAreSaidAgain) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Cluster cluster;
        cluster.set_network(test::rough(Seed{seed}, 0.4, 0.1, 20ms, 60ms));
        cluster.add();
        cluster.add();
        cluster.join(1, 0);
        cluster.run_for(4s);
        EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U) << seed;
    }
}

TEST(Join, FarAwayTheClockIsRightAtOnce) {
    Cluster cluster;
    cluster.set_network(test::constant(170ms));  // the answer comes after more hellos than are remembered
    cluster.add({}, 500s);
    cluster.add({}, 20s);
    cluster.join(1, 0);
    ASSERT_TRUE(cluster.run_while([&] { return cluster.events_of<Joined>(1).empty(); }, 3s));
    const auto apart = cluster.session(0).time_since_epoch() - cluster.session(1).time_since_epoch();
    EXPECT_LT(std::abs(millis(apart)), 5);
}

// A peer takes session time from the peer it joins through, so a peer that has none yet must not give any.
TEST(Join, ThroughSomebodyWhoIsJoiningItself) {
    for (const Duration late : {300ms, 1200ms, 3000ms}) {
        Cluster cluster;
        cluster.add({}, 500s);
        cluster.add({}, 20s);
        cluster.add({}, 90000s);
        for (std::size_t i = 0; i < 3; ++i)
            ASSERT_TRUE(cluster.peer(i).publish(cluster.local(i), state_of(Pose{})));
        cluster.cut_way(0, 1);  // 1 is received, but not answered
        cluster.join(1, 0);
        cluster.run_for(100ms);
        cluster.join(2, 1);
        cluster.run_for(late);
        cluster.cut_way(0, 1, false);
        cluster.run_for(8s);
        const SessionInstant first = cluster.session(0);
        for (std::size_t i = 0; i < 3; ++i) {
            ASSERT_EQ(cluster.peer(i).peers().size(), 2U) << i << ", " << millis(late);
            EXPECT_LT(std::abs(millis(cluster.session(i) - first)), 5) << i;
            EXPECT_EQ(cluster.peer(i).stats().updates_stale, 0U) << i;
            for (const Replica& replica : cluster.peer(i).replicas(cluster.local(i))) {
                EXPECT_GE(millis(replica.age), -5) << i;
                EXPECT_LT(replica.age, 20s) << i;
            }
        }
    }
}

TEST(Join, StrangersHellosDoNotPushOutOurOwnCall) {
    Cluster cluster;
    cluster.set_network(test::constant(100ms));
    cluster.add();
    cluster.add();
    cluster.join(1, 0);
    cluster.run_for(50ms);
    test::HelloForger forger;
    for (std::uint64_t i = 0; i < 1000; ++i)
        cluster.inject(1, Address::from_number(1000 + i), forger.call(i));
    EXPECT_LT(cluster.peer(1).memory_bytes(), 1'000'000U);
    EXPECT_EQ(cluster.peer(1).stats().datagrams_received, 1000U);
    cluster.run_for(3s);
    EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_TRUE(cluster.events_of<Refused>(1).empty());
}

TEST(Join, JoiningTwiceEndsTheFirstJoinWithAnEvent) {
    Cluster cluster;
    for (int i = 0; i < 3; ++i) cluster.add();
    cluster.cut(0, 2);
    cluster.join(2, 0);
    cluster.run_for(200ms);
    cluster.join(2, 1);
    cluster.run_for(1s);
    const auto refused = cluster.events_of<Refused>(2);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::left);
    EXPECT_EQ(refused[0].address, cluster.address(0));
    EXPECT_EQ(cluster.events_of<Joined>(2).size(), 1U);
    EXPECT_EQ(cluster.peer(2).peers(), std::vector<PeerId>{Cluster::id(1)});
}

TEST(Join, AMemberOfOneSessionDoesNotJoinAnother) {
    Cluster cluster;
    cluster.add({}, 500s);
    cluster.add({}, 20s);
    cluster.add({}, 9000s);
    cluster.add({}, 9000s);
    cluster.join(1, 0);
    cluster.join(3, 2);
    cluster.run_for(2s);
    cluster.forget_events();
    const SessionInstant before = cluster.session(1);
    cluster.join(1, 2);
    cluster.run_for(5s);
    const auto refused = cluster.events_of<Refused>(1);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused[0].reason, Reason::already_joined);
    EXPECT_EQ(refused[0].address, cluster.address(2));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(cluster.peer(i).peers().size(), 1U) << i;
    EXPECT_LT(std::abs(millis(cluster.session(1) - before - 5s)), 5) << "it keeps its session time";

    cluster.peer(1).leave(cluster.local(1));
    cluster.join(1, 2);
    cluster.run_for(3s);
    EXPECT_EQ(cluster.events_of<Joined>(1).size(), 1U);
    EXPECT_EQ(cluster.peer(1).peers().size(), 2U);
}

}  // namespace
}  // namespace fray
