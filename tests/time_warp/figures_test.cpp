// Figures 3 to 6 of Panzer Battalion, played by hand; and what a peer refuses.

#include <fray/time_warp/time_warp.hpp>

#include "event_warp/small_tanks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fray {
namespace {

using namespace small_tanks;

TEST(TimeWarpFigures, Figure3ALateMessageRollsBackToTheSavedStateBeforeIt) {
    Instance a{kA};
    for (const int ms : {20, 150, 230, 320, 450}) a.warp.add_own(at(ms), move_to(ms));
    a.warp.run(at(460));
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);

    a.warp.receive(at(460), {at(210), {kB, 1}}, move_to(7));
    a.warp.run(at(460));
    ASSERT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().executed, 9U) << "five, and the three after the straggler again";
    const Rollback rollback = a.warp.take_rollbacks().at(0);
    EXPECT_EQ(rollback.lateness, 250ms);
    EXPECT_EQ(rollback.depth, 260ms) << "the state saved at 200 ms";
    EXPECT_EQ(a.tanks.tanks[kA].place, 450);
    EXPECT_EQ(a.tanks.tanks[kB].place, 7);
}

TEST(TimeWarpFigures, AMessageIsLateIfALaterOneWasExecutedOrALaterStateSaved) {
    Instance a{kA};
    a.warp.add_own(at(110), move_to(1));
    a.warp.run(at(190));
    a.warp.receive(at(190), {at(111), {kB, 1}}, move_to(2));
    a.warp.run(at(195));
    EXPECT_EQ(a.tanks.tanks[kB].place, 2);
    EXPECT_EQ(a.warp.counts().rollbacks, 0U) << "time that has merely passed executes nothing";
    a.warp.receive(at(195), {at(105), {kC, 1}}, move_to(3));
    a.warp.run(at(198));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U) << "messages of 110 and 111 ms were executed";
    a.warp.run(at(210));
    a.warp.receive(at(210), {at(195), {kC, 2}}, move_to(4));
    a.warp.run(at(215));
    EXPECT_EQ(a.warp.counts().rollbacks, 2U) << "the state of 200 ms was saved without it";
    EXPECT_EQ(a.warp.counts().late_messages, 2U);
}

TEST(TimeWarpFigures, WithoutLateByStateOnlyAnExecutedMessageMakesOthersLate) {
    Instance a{kA, {.late_by_state = false}};
    a.warp.add_own(at(110), move_to(1));
    a.warp.run(at(5000));
    a.warp.receive(at(5000), {at(111), {kB, 1}}, move_to(2));
    a.warp.run(at(5000));
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);
    a.warp.receive(at(5000), {at(105), {kC, 1}}, move_to(3));
    a.warp.run(at(5000));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.tanks.tanks[kB].place, 2);
}

TEST(TimeWarpFigures, SeveralLateMessagesOfOnePassCauseOneRollback) {
    Instance a{kA};
    a.warp.add_own(at(490), move_to(1));
    for (const int ms : {450, 130, 330})
        a.warp.receive(at(500), {at(ms), {kB, 500U - static_cast<unsigned>(ms)}}, move_to(ms));
    a.warp.run(at(510));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().late_messages, 3U);
    EXPECT_EQ(a.warp.take_rollbacks().at(0).lateness, 380ms) << "the largest";
    EXPECT_EQ(a.tanks.tanks[kB].place, 450) << "in the order of their stamps";
}

TEST(TimeWarpFigures, Figures4And5BShotFirst) {
    Instance a{kA};
    a.warp.run(at(90));
    const Stamp own = a.warp.add_own(at(100), shot_at(kB, 0));
    a.warp.run(at(150));
    EXPECT_TRUE(a.tanks.tanks[kB].is_destroyed) << "before the rollback A has shot B";

    a.warp.receive(at(150), {at(95), {kB, 1}}, shot_at(kA, 0));
    a.warp.run(at(160));
    EXPECT_TRUE(a.tanks.tanks[kA].is_destroyed);
    EXPECT_FALSE(a.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(a.warp.take_nulls(), std::vector<Stamp>{own}) << "A's shot should not have been sent";
    EXPECT_EQ(a.warp.take_emitted().at(0).message.kind, Kind::dead) << "A says that it was destroyed";
    EXPECT_TRUE(a.warp.take_nulls().empty());
}

TEST(TimeWarpFigures, Figure6ANullMessageVoidsItsMessage) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive(at(110), shot, shot_at(kB, 0));
    c.warp.run(at(150));
    EXPECT_TRUE(c.tanks.tanks[kB].is_destroyed);
    c.warp.receive_null(at(200), kA, shot);
    c.warp.run(at(200));
    EXPECT_FALSE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.tanks.tanks[kA].kills, 0);
    EXPECT_EQ(c.warp.counts().rollbacks, 1U);
}

TEST(TimeWarpFigures, ANullMessageThatComesBeforeItsMessageVoidsItAsWell) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive_null(at(110), kA, shot);
    c.warp.run(at(150));
    c.warp.receive(at(160), shot, shot_at(kB, 0));
    c.warp.run(at(200));
    EXPECT_FALSE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.warp.counts().rollbacks, 0U) << "there is nothing to undo";
}

TEST(TimeWarpFigures, ANullMessageForAnothersMessageIsRefused) {
    Instance c{kC};
    const Stamp shot{at(100), {kA, 1}};
    c.warp.receive(at(100), shot, shot_at(kB, 0));
    c.warp.receive_null(at(100), kB, shot);
    c.warp.receive(at(100), {at(100), {kC, 9}}, move_to(5));
    c.warp.run(at(200));
    EXPECT_TRUE(c.tanks.tanks[kB].is_destroyed);
    EXPECT_EQ(c.tanks.tanks[kC].place, 0) << "no other peer writes messages of this one";
    EXPECT_EQ(c.warp.counts().refused, 2U);
}

TEST(TimeWarpFigures, TheMiddleQueueHoldsMessagesBackAndMayChangeWhilePlaying) {
    Instance a{kA, {.lag = 200ms}};
    a.warp.add_own(at(5), move_to(3));
    a.warp.receive(at(10), {at(0), {kB, 1}}, move_to(1));
    a.warp.run(at(209));
    EXPECT_EQ(a.tanks.tanks[kB].place, 0);
    a.warp.run(at(210));
    EXPECT_EQ(a.tanks.tanks[kB].place, 1);
    EXPECT_EQ(a.warp.take_rollbacks().at(0).lateness, 210ms);
    a.warp.set_lag(0ms);
    a.warp.receive(at(220), {at(215), {kB, 2}}, move_to(2));
    a.warp.run(at(220));
    EXPECT_EQ(a.tanks.tanks[kB].place, 2);
}

TEST(TimeWarpFigures, AsPublishedSmallLatenessIsIgnored) {
    Instance a{kA, {.ignored_lateness = 20ms}};
    a.warp.add_own(at(95), move_to(0));
    a.warp.receive(at(100), {at(90), {kB, 1}}, move_to(1));
    a.warp.run(at(100));
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);
    EXPECT_EQ(a.warp.counts().ignored, 1U);
    EXPECT_EQ(a.tanks.tanks[kB].place, 1);
    a.warp.receive(at(110), {at(60), {kB, 2}}, shot_at(kA, 0));
    a.warp.run(at(120));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
}

TEST(TimeWarpFigures, WhatIsOlderThanTheWindowIsRefusedAndMemoryIsBounded) {
    Instance a{kA, {.window = 1s}};
    for (int ms = 0; ms < 60'000; ms += 50) {
        a.warp.add_own(at(ms), move_to(ms));
        a.warp.run(at(ms + 50));
        ASSERT_LE(a.warp.saved_states(), 13U);
        ASSERT_LE(a.warp.queue().size(), 24U);
    }
    a.warp.receive(at(60'000), {at(100), {kB, 1}}, move_to(1));
    a.warp.run(at(60'010));
    EXPECT_EQ(a.warp.counts().refused, 1U);
    EXPECT_EQ(a.warp.counts().rollbacks, 0U);
}

TEST(TimeWarpFigures, MessagesFromTheFarFutureAreRefused) {
    Instance a{kA, {.ahead = 2s}};
    a.warp.receive(at(0), {at(2001), {kB, 1}}, move_to(1));
    a.warp.receive_null(at(0), kB, {at(9000), {kB, 2}});
    EXPECT_EQ(a.warp.counts().refused, 2U);
    a.warp.receive(at(0), {at(2000), {kB, 3}}, move_to(3));
    a.warp.run(at(1999));
    EXPECT_EQ(a.tanks.tanks[kB].place, 0) << "not before its time";
    a.warp.run(at(2000));
    EXPECT_EQ(a.tanks.tanks[kB].place, 3);
}

TEST(TimeWarpFigures, AFloodOfNullMessagesTakesBoundedWorkAndNoRoomOfOthers) {
    Instance a{kA, {.most_per_author = 100}};
    for (unsigned i = 0; i < 200; ++i) a.warp.receive(at(50), {at(40), {kB, i}}, move_to(1));
    a.warp.run(at(60));
    EXPECT_EQ(a.warp.counts().refused, 100U);
    for (unsigned i = 0; i < 10'000; ++i) a.warp.receive_null(at(100), kB, {at(40), {kB, i}});
    const Stamp shot{at(90), {kC, 1}};
    a.warp.receive(at(100), shot, shot_at(kB, 0));
    a.warp.receive_null(at(100), kC, shot);
    a.warp.run(at(100));
    EXPECT_EQ(a.warp.counts().rollbacks, 1U);
    EXPECT_EQ(a.warp.counts().refused, 100U + 9'900U);
    EXPECT_EQ(a.warp.queue().voids(), 101U);
    EXPECT_EQ(a.warp.queue().size(), 0U);
    EXPECT_FALSE(a.tanks.tanks[kB].is_destroyed);
}

}  // namespace
}  // namespace fray
