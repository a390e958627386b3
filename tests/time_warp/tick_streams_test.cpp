// The streams of a match among members that come, crash and are cut off, over a network that loses and
// delays.

#include <fray/random.hpp>
#include <fray/time_warp/tick_streams.hpp>

#include "time_warp/stream_net.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

using test::kFrame;
using test::kTimeout;
using test::Net;
using test::Node;

TEST(TickStreams, WhatIsBeforeTheHorizonNeverChangesAndIsTheSameForAll) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed, 0.25, 100ms};
        for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
        net.run(10s);
        net.expect_equal(0);
    }
}

TEST(TickStreams, TheHorizonFollowsByTheDelayAndAFewFrames) {
    Net net{1, 0.0, 80ms};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(5s);
    for (auto& [id, node] : net.nodes()) {
        const Tick behind = net.tick() - node.streams->horizon();
        EXPECT_LE(behind * kFrame, 80ms + 40ms + 100ms) << "largest one-way delay and 100 ms";
        EXPECT_GE(behind * kFrame, 80ms) << "it cannot be known earlier";
    }
}

TEST(TickStreams, ANewcomerGetsASeatAStateAndAllLinesSinceItsAdmission) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
        net.run(5s);
        const PeerId late = net.add(9);
        net.run(5s);
        Node& node = net.node(late);
        EXPECT_TRUE(node.streams->is_member());
        EXPECT_EQ(node.streams->seat(), 3U);
        EXPECT_GT(node.admitted, 200);
        EXPECT_GE(node.state_of, node.admitted);
        EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 4U);
        net.expect_equal(node.state_of);
    }
}

TEST(TickStreams, ANewcomerThatSaysNothingDoesNotHoldTheHorizonBack) {
    Net net{4, 0.0};
    net.add(1);
    net.add(2);
    net.run(2s, false);
    EXPECT_GT(net.node(PeerId::from_number(1)).streams->horizon(), 90);
    EXPECT_GT(net.node(PeerId::from_number(2)).streams->horizon(), 90);
}

TEST(TickStreams, AKnockThatArrivesAfterItsWelcomeIsNoNewStay) {
    const PeerId a = PeerId::from_number(1);
    const PeerId b = PeerId::from_number(2);
    TickStreams host = TickStreams::found(Instant{}, a, {}).value();
    TickStreams guest = TickStreams::join(Instant{}, b, {}).value();
    host.link_up(Instant{}, b);
    guest.link_up(Instant{}, a);
    std::vector<StreamMessage> knocks;
    for (const Duration at : {0ms, 600ms}) {
        guest.advance(Instant{at}, 0);
        while (auto message = guest.poll_message()) knocks.push_back(std::move(*message));
    }
    ASSERT_EQ(knocks.size(), 2U);
    host.handle_message(Instant{700ms}, b, knocks[0].bytes);
    for (int ms = 700; ms < 5000; ms += 20) {
        const Instant now{std::chrono::milliseconds{ms}};
        host.advance(now, ms / 20);
        while (const auto message = host.poll_message()) guest.handle_message(now, a, message->bytes);
        guest.advance(now, ms / 20);
        while (const auto message = guest.poll_message()) host.handle_message(now, b, message->bytes);
        if (ms == 1000) host.handle_message(now, b, knocks[1].bytes);
    }
    EXPECT_EQ(host.members().size(), 2U);
    EXPECT_TRUE(guest.is_member());
    EXPECT_GT(host.horizon(), 200);
}

TEST(TickStreams, SurvivorsAgreeWhichLinesOfACrashedMemberCount) {
    std::uint64_t lines_of_lost = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Net net{seed, 0.3, 150ms};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(5s);
        const PeerId lost = PeerId::from_number(1 + seed % 5);
        net.crash(lost);
        net.run(8s);
        net.expect_equal(0);
        Node& survivor = net.node(PeerId::from_number(lost.number() == 5 ? 4 : 5));
        EXPECT_EQ(survivor.streams->members().size(), 4U);
        EXPECT_GT(survivor.streams->horizon(), net.tick() - 60) << "the match goes on";
        for (const auto& [stamp, bytes] : survivor.lines)
            lines_of_lost += stamp.name.author == lost ? 1U : 0U;
    }
    EXPECT_GT(lines_of_lost, 100U);
}

TEST(TickStreams, TheMatchGoesOnWhenTheKeeperOfTheListCrashesWhileItEndsAnotherMember) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Net net{seed, 0.2, 120ms};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(4s);
        net.crash(PeerId::from_number(3));
        // Between the loss of the link and the end of the agreement.
        net.run(kTimeout + 2s + Duration{net.random().below(900'000)});
        net.crash(PeerId::from_number(1));
        net.run(10s);
        net.expect_equal(0);
        EXPECT_EQ(net.node(PeerId::from_number(5)).streams->members().size(), 3U) << "seed " << seed;
    }
}

TEST(TickStreams, AMemberThatComesBackTakesItsOldSeat) {
    Net net{3};
    for (std::uint64_t i = 1; i <= 4; ++i) net.add(i);
    net.run(3s);
    const PartNumber seat = net.node(PeerId::from_number(3)).streams->seat();
    net.crash(PeerId::from_number(3));
    net.run(6s);
    net.add(3);
    net.run(5s);
    EXPECT_EQ(net.node(PeerId::from_number(3)).streams->seat(), seat);
    EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 4U);
    net.expect_equal(net.node(PeerId::from_number(3)).state_of);
}

TEST(TickStreams, AfterAPartitionTheSmallerPartJoinsTheLarger) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Net net{seed};
        for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
        net.run(3s);
        // The two with the smallest ids, the keeper among them, against three.
        for (const std::uint64_t a : {1U, 2U}) {
            for (const std::uint64_t b : {3U, 4U, 5U})
                net.cut(PeerId::from_number(a), PeerId::from_number(b));
        }
        net.run(6s);
        EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 2U);
        EXPECT_EQ(net.node(PeerId::from_number(4)).streams->members().size(), 3U);
        net.mend();
        net.run(15s);
        EXPECT_EQ(net.count<Evicted>(PeerId::from_number(1)), 1U);
        EXPECT_EQ(net.count<Evicted>(PeerId::from_number(4)), 0U);
        for (std::uint64_t i = 1; i <= 5; ++i)
            EXPECT_EQ(net.node(PeerId::from_number(i)).streams->members().size(), 5U) << "seed " << seed;
    }
}

TEST(TickStreams, ASpectatorGetsAllLinesAndNeverHoldsTheHorizonBack) {
    Net net{5};
    for (std::uint64_t i = 1; i <= 3; ++i) net.add(i);
    net.run(3s);
    const PeerId watcher = net.add(7, {.seats = 8, .watches = true});
    net.run(5s);
    EXPECT_TRUE(net.node(watcher).streams->is_member());
    EXPECT_EQ(net.node(watcher).streams->seat(), kNoSeat);
    EXPECT_EQ(net.node(PeerId::from_number(1)).streams->members().size(), 3U);
    net.expect_equal(net.node(watcher).state_of);
    net.crash(watcher);
    const Tick before = net.node(PeerId::from_number(1)).streams->horizon();
    net.run(2s);
    EXPECT_GE(net.node(PeerId::from_number(1)).streams->horizon(), before + 110);
}

TEST(TickStreams, TheMemberWithAnotherHashGetsTheStateOfTheLargerGroup) {
    Net net{6};
    for (std::uint64_t i = 1; i <= 5; ++i) net.add(i);
    net.run(3s);
    net.wrong_[PeerId::from_number(2)] = 99;
    net.run(4s);
    EXPECT_GT(net.count<StateDiffers>(PeerId::from_number(2)), 0U);
    EXPECT_GT(net.node(PeerId::from_number(2)).streams->counts().bad_states, 0U)
        << "the state of this test has not the hash that was voted for";
    for (const std::uint64_t i : {1U, 3U, 4U, 5U})
        EXPECT_EQ(net.count<StateDiffers>(PeerId::from_number(i)), 0U);
}

TEST(TickStreams, TheMiddleQueueHoldsBackWhatOthersSay) {
    Net net{7, 0.0, 20ms};
    net.add(1);
    net.add(2);
    net.run(2s);
    net.node(PeerId::from_number(1)).streams->set_lag(300ms);
    net.run(3s);
    const Tick behind = net.tick() - net.node(PeerId::from_number(1)).streams->horizon();
    EXPECT_GE(behind * kFrame, 300ms);
    EXPECT_LE(behind * kFrame, 300ms + 60ms + 100ms);
}

TEST(TickStreams, AnyBytesAreSafeAndCounted) {
    RandomStream random{Seed{8}, "bytes"};
    Net net{8};
    const PeerId a = net.add(1);
    net.add(2);
    net.run(2s);
    TickStreams& streams = *net.node(a).streams;
    for (int i = 0; i < 20'000; ++i) {
        std::vector<std::uint8_t> bytes(random.below(60));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
        streams.handle_message(Instant{10s}, PeerId::from_number(1 + random.below(3)), bytes);
    }
    EXPECT_GT(streams.counts().malformed, 19'000U);
    EXPECT_EQ(streams.members().size(), 2U);
}

TEST(TickStreams, ALineForAPromisedTickIsAnError) {
    TickStreams streams = TickStreams::found(Instant{}, PeerId::from_number(1), {}).value();
    const std::uint8_t byte = 1;
    streams.advance(Instant{1s}, 60);
    EXPECT_FALSE(streams.say(59, std::span{&byte, 1}));
    EXPECT_TRUE(streams.say(60, std::span{&byte, 1}));
    EXPECT_FALSE(streams.say(60 + 601, std::span{&byte, 1}));
    EXPECT_FALSE(TickStreams::found(Instant{}, PeerId::from_number(1), {.seats = 0}));
}

}  // namespace
}  // namespace fray
