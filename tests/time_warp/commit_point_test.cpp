// Up to which time a match in event mode is final.

#include <fray/detail/commit_point.hpp>

#include <gtest/gtest.h>

namespace fray::detail {
namespace {

constexpr PeerId kA = PeerId::from_number(1);
constexpr PeerId kB = PeerId::from_number(2);
constexpr SessionInstant at(Tick tick) { return SessionInstant{std::chrono::milliseconds{tick}}; }
constexpr Stamp message(Tick tick) { return {at(tick), {kA, static_cast<std::uint32_t>(tick)}}; }

TEST(CommitPointTest, NothingIsFinalUntilAMemberHasSaidHowFarItIs) {
    CommitPoint point;
    EXPECT_FALSE(point.find(100, at));
    point.executed(kA, 40);
    EXPECT_EQ(point.find(100, at), at(40));
}

TEST(CommitPointTest, TheSlowestMemberAndTheKnownLinesDecide) {
    CommitPoint point;
    point.executed(kA, 40);
    point.executed(kB, 30);
    EXPECT_EQ(point.find(100, at), at(30));
    EXPECT_EQ(point.find(20, at), at(20));
    point.executed(kB, 25);
    EXPECT_EQ(point.find(100, at), at(30)) << "a member does not go back";
}

TEST(CommitPointTest, AVoidedMessageIsNotFinalUntilAllHaveExecutedItsNullMessage) {
    CommitPoint point;
    point.executed(kA, 40);
    point.executed(kB, 40);
    for (const Tick tick : {10, 12}) point.said(message(tick));
    point.voided(45, message(10));
    point.voided(45, message(12));
    EXPECT_EQ(point.find(100, at), at(10)) << "executing it may void others after tick 10";
    point.executed(kA, 60);
    EXPECT_EQ(point.find(100, at), at(10)) << "B has not executed it";
    point.executed(kB, 46);
    EXPECT_EQ(point.find(100, at), at(46));
    EXPECT_EQ(point.held(), 0U);
}

TEST(CommitPointTest, ANullMessageOfNothingOfAVoidedOrOfAFinalMessageHoldsUpNothing) {
    CommitPoint point;
    point.executed(kA, 40);
    for (const Tick tick : {20, 50}) point.said(message(tick));
    EXPECT_EQ(point.find(100, at), at(40));
    point.executed(kA, 60);
    point.voided(70, message(10));  // never said
    point.voided(70, message(20));  // final
    EXPECT_EQ(point.find(100, at), at(60));
    point.said(message(65));
    for (Tick now = 70; now < 90; ++now) {
        point.voided(now, message(65));
        point.executed(kA, now);
    }
    EXPECT_EQ(point.find(100, at), at(89));
}

TEST(CommitPointTest, AMemberThatDoesNotSayWhatItHasExecutedIsKnown) {
    CommitPoint point;
    point.executed(kA, 80);
    point.executed(kB, 30);
    EXPECT_FALSE(point.behind(30));
    EXPECT_EQ(point.behind(31), kB);
    point.left(kB, 50);
    EXPECT_FALSE(point.behind(80));
}

TEST(CommitPointTest, AMemberThatLeftCountsUntilAllItsLinesAreKnown) {
    CommitPoint point;
    point.executed(kA, 80);
    point.executed(kB, 30);
    point.left(kB, 50);
    EXPECT_EQ(point.find(50, at), at(30)) << "a null-message of it may be missing";
    EXPECT_EQ(point.find(51, at), at(51));
    point.executed(kB, 70);  // came back
    EXPECT_EQ(point.find(90, at), at(70));
}

TEST(CommitPointTest, AMemberThatReturnsBeforeItsOldLinesAreForgottenCountsAnew) {
    CommitPoint point;
    point.executed(kB, 60);
    point.left(kB, 50);
    point.entered(kB);
    point.executed(kB, 55);
    EXPECT_EQ(point.find(100, at), at(55));
}

TEST(CommitPointTest, LinesOfAMemberThatLeftComeLateAndHoldUpNothing) {
    CommitPoint point;
    point.executed(kA, 80);
    point.executed(kB, 30);
    point.left(kB, 50);
    point.executed(kB, 40);  // said before it left
    EXPECT_EQ(point.find(90, at), at(80));
    point.executed(kA, 90);
    EXPECT_EQ(point.find(90, at), at(90));
}

}  // namespace
}  // namespace fray::detail
