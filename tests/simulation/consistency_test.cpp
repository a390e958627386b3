// The consistency algorithms over real peers and links.

#include "support/straight_on.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace fray::test {
namespace {

TEST(EverQuestShows, TheOwnEntityAtOnceAndTheOthersAsPredicted) {
    Screens screens{constant(80ms), straight, with(EverQuest{.motion_model = false})};
    screens.run_until(6s);
    EXPECT_LE(ms_behind(screens, screens.own().moment), kFrameMs);
    EXPECT_NEAR(place_of(screens.seen().pose), truth(screens), 0.05) << "it goes straight on";
    const double age = ms_behind(screens, screens.seen().told);
    EXPECT_GE(age, 79);
    EXPECT_LE(age, 80 + 50 + 2 * kFrameMs) << "from a word that is a way and an interval old";
}

TEST(LocalLagShows, TheSameMomentOnBothScreens) {
    Screens screens{constant(40ms), straight, with(LocalLag{120ms})};
    screens.run_until(6s);
    EXPECT_NEAR(ms_behind(screens, screens.own().moment), 120, 1);
    EXPECT_NEAR(ms_behind(screens, screens.seen().moment), 120, 5) << "clocks agree to a few milliseconds";
    EXPECT_NEAR(place_of(screens.own().pose), place_of(screens.seen().pose), 0.05);
    EXPECT_NEAR(place_of(screens.own().pose), truth(screens) - 0.120 * kSpeed, 0.15);
}

TEST(LocalLagShows, APredictionWhereAWordIsLateAndRepairsItWhenItComes) {
    Screens screens{constant(250ms), stopping, with(LocalLag{100ms})};
    screens.run_until(5s);
    const std::uint64_t before = screens.seen().corrections.count;
    double farthest = 0;
    for (Duration t = 5s; t < 6s; t += 20ms) {
        screens.run_until(t);
        farthest = std::max(farthest, place_of(screens.seen().pose));
    }
    EXPECT_GT(farthest, 50.5) << "it went on where the owner had stopped";
    EXPECT_GT(screens.seen().corrections.count, before);
    EXPECT_NEAR(place_of(screens.seen().pose), 50, 0.02) << "and was put right";
}

TEST(HalfLifeShows, TheOthersAsTheyWereAndNothingIsCorrected) {
    Screens screens{constant(60ms), stopping, with(HalfLife{220ms})};
    screens.run_until(4s);
    EXPECT_LE(ms_behind(screens, screens.own().moment), kFrameMs);
    EXPECT_NEAR(ms_behind(screens, screens.seen().moment), 220, 5);
    EXPECT_NEAR(place_of(screens.seen().pose), truth(screens) - 0.220 * kSpeed, 0.15);
    const double before = screens.seen().corrections.sum;
    screens.run_until(7s);
    EXPECT_NEAR(place_of(screens.seen().pose), 50, 0.02);
    EXPECT_LT(screens.seen().corrections.sum - before, 0.02) << "the sudden stop was only seen later";
}

TEST(BucketSyncShows, BothScreensOneBucketBehindTheInputs) {
    Screens screens{constant(20ms), straight, with(BucketSync{.bucket = 100ms, .depth = 3})};
    screens.run_until(6s);
    EXPECT_NEAR(ms_behind(screens, screens.own().moment), 200, 1);
    EXPECT_NEAR(ms_behind(screens, screens.seen().moment), 200, 5);
    EXPECT_NEAR(place_of(screens.own().pose), place_of(screens.seen().pose), 0.05);
}

TEST(AdaptiveShows, NoLagWhereTheNetworkIsFastAndALittleWhereItIsSlow) {
    Screens near{constant(16ms), straight, with(Adaptive{})};
    near.run_until(6s);
    EXPECT_LE(ms_behind(near, near.own().moment), kFrameMs);
    Screens far{constant(320ms), straight, with(Adaptive{.most_lag = 50ms})};
    far.run_until(8s);
    EXPECT_NEAR(ms_behind(far, far.own().moment), 50, kFrameMs);
    EXPECT_NEAR(ms_behind(far, far.seen().moment), 50, 10) << "the others were told";
    far.choose(with(Adaptive{}));
    far.run_until(8100ms);
    EXPECT_NEAR(ms_behind(far, far.own().moment), 50, kFrameMs) << "who chooses the same again keeps it";
}

TEST(AdaptiveShows, NoLagForABurstThatIsOverBeforeALagWouldHelp) {
    // 30 ms; once in five seconds everything takes half a second longer, for 100 ms.
    std::vector<Duration> samples(500, Duration{30ms});
    std::fill_n(samples.begin(), 10, Duration{530ms});
    NetworkModel network;
    network.latency = TraceLatency{
        .samples = std::make_shared<const std::vector<Duration>>(samples), .share = 1, .interval = 10ms};
    Screens screens{network, straight, with(Adaptive{})};
    screens.run_until(25s);
    Duration most{};
    Duration longest_wait{};  // for an update
    for (const lab::ScreenFrame& frame : screens.owner_log().screen)
        most = std::max(most, frame.shown - frame.moment);
    for (const lab::ScreenFrame& frame : screens.viewer_log().screen)
        longest_wait = std::max(longest_wait, frame.moment - frame.told);
    EXPECT_GE(millis(longest_wait), 150) << "there were bursts";
    EXPECT_LE(millis(most), kFrameMs);
}

TEST(AdaptiveShows, AFixedLagWhereTheGameWantsOne) {
    Screens screens{constant(16ms), straight, with(Adaptive{.most_lag = 40ms, .least_lag = 40ms})};
    screens.run_until(6s);
    EXPECT_NEAR(ms_behind(screens, screens.own().moment), 40, kFrameMs);
    EXPECT_NEAR(ms_behind(screens, screens.seen().moment), 40, 10);
}

TEST(UpdateInterval, ThatGetsShorterIsKeptAtOnce) {
    Consistency slow = with(HalfLife{400ms});
    slow.interval = 2s;
    Screens screens{constant(30ms), straight, slow};
    screens.run_until(4100ms);
    screens.choose(with(HalfLife{400ms}));
    const std::uint64_t before = screens.swarm().peer(kViewer).stats().updates_received;
    screens.run_until(4600ms);
    EXPECT_GE(screens.swarm().peer(kViewer).stats().updates_received, before + 7);
}

TEST(UpdateInterval, IsKeptWhateverTheFrameRate) {
    for (const Duration interval : {50ms, 100ms, 200ms}) {
        Consistency consistency = with(HalfLife{400ms});
        consistency.interval = interval;
        Screens screens{constant(30ms), straight, consistency};
        screens.run_until(4s);
        const std::uint64_t before = screens.swarm().peer(kViewer).stats().updates_received;
        screens.run_until(8s);
        const auto got = static_cast<double>(screens.swarm().peer(kViewer).stats().updates_received - before);
        EXPECT_NEAR(got, 4 / seconds(interval), 2) << interval.count();
    }
}

TEST(Horizon, EndsAPrediction) {
    Consistency consistency = with(EverQuest{.motion_model = false});
    consistency.horizon = 200ms;
    Screens screens{constant(30ms), straight, consistency};
    screens.run_until(4s);
    ASSERT_TRUE(screens.swarm().partition({.from = 4s, .until = 20s, .groups = {{kViewer}}}));
    screens.run_until(7s);
    const Replica& seen = screens.seen();
    EXPECT_GT(screens.time() - seen.told, 2s) << "nothing was heard for long";
    EXPECT_NEAR(place_of(seen.pose) - place_of(seen.received), 0.2 * kSpeed, 0.02);
}

TEST(Corrections, OfTheDefaultAlgorithmAreCountedWhereAsked) {
    for (const bool counted : {false, true}) {
        Screens screens{constant(100ms), stopping, with(EverQuest{}), Screens::world(), Seed{1}, counted};
        screens.run_until(7s);
        EXPECT_NEAR(place_of(screens.seen().pose), 50, 0.02);
        EXPECT_EQ(screens.seen().corrections.count > 0, counted);
        EXPECT_EQ(screens.seen().corrections.most > 0.5, counted) << "it had gone on for 100 ms";
    }
}

TEST(AChosenAlgorithm, IsToldToWhoComesLater) {
    Screens screens{constant(30ms), straight, with(HalfLife{300ms})};
    ASSERT_TRUE(
        screens.swarm().schedule({.at = 2s, .kind = ActionKind::rejoin, .peer = kViewer, .through = {}}));
    screens.run_until(6s);
    EXPECT_EQ(screens.swarm().counts().rejoins, 1U);
    EXPECT_NEAR(ms_behind(screens, screens.seen().moment), 300, 5);
}

TEST(AChosenAlgorithm, ThatCannotBeIsRefused) {
    Screens screens{constant(30ms), straight, with(EverQuest{})};
    screens.run_until(1s);
    Swarm& swarm = screens.swarm();
    EXPECT_FALSE(swarm.set_consistency(kOwner, screens.entity(), with(LocalLag{kMostLag + 1ms})));
    EXPECT_FALSE(swarm.set_consistency(kOwner, screens.entity(), with(LocalLag{-1ms})));
    EXPECT_FALSE(swarm.set_consistency(kOwner, screens.entity(), with(HalfLife{Duration{1500}})))
        << "half milliseconds do not travel";
    EXPECT_FALSE(swarm.set_consistency(kOwner, screens.entity(), with(CentralizedSerialization{})));
    EXPECT_FALSE(
        swarm.set_consistency(kOwner, screens.entity(), with(BucketSync{.bucket = 50ms, .depth = 0})));
    EXPECT_FALSE(swarm.set_consistency(kViewer, screens.entity(), with(HalfLife{})))
        << "only the owner chooses";
    EXPECT_TRUE(swarm.set_consistency(kOwner, screens.entity(), with(HalfLife{})));
}

// --- hits (5.4) ---

TEST(AHit, IsDecidedByWhatTheShooterSawHoweverOftenTheTargetMoved) {
    // An update in every frame: a second of them lies between the picture and the arrival of the request.
    Consistency often = with(HalfLife{900ms});
    often.interval = {};
    Screens screens{constant(300ms), straight, often};
    double then = 0;
    Duration back{};
    screens.judge = [&](const Asked& asked) {
        then = place_of(asked.then.pose);
        back = screens.time() - asked.seen;
        return std::vector<std::uint8_t>{1};
    };
    screens.run_until(2s);
    const auto gun = screens.swarm().publish(kViewer, state_of(Pose{.position = {50, 10, 0}}));
    ASSERT_TRUE(gun);
    screens.run_until(5s);
    const double aimed_at = place_of(screens.seen().pose);
    ASSERT_TRUE(screens.swarm().interact(kViewer, *gun, screens.entity(), std::vector<std::uint8_t>{7}));
    screens.run_until(6s);
    EXPECT_GE(millis(back), 1199);
    EXPECT_NEAR(then, aimed_at, 0.03);
}

TEST(AHit, OfATargetThatWasShownAheadOfItsLastWordIsDecidedByWhereItWas) {
    Consistency seldom = with(EverQuest{.motion_model = false});
    seldom.interval = 200ms;
    Screens screens{constant(1ms), straight, seldom};
    std::vector<double> off;
    double aimed_at = 0;
    screens.judge = [&](const Asked& asked) {
        off.push_back(std::abs(place_of(asked.then.pose) - aimed_at));
        return std::vector<std::uint8_t>{1};
    };
    screens.run_until(2s);
    const auto gun = screens.swarm().publish(kViewer, state_of(Pose{.position = {50, 10, 0}}));
    ASSERT_TRUE(gun);
    for (Duration t = 3s; t < 4s; t += 70ms) {
        screens.run_until(t);
        aimed_at = place_of(screens.seen().pose);
        ASSERT_TRUE(screens.swarm().interact(kViewer, *gun, screens.entity(), std::vector<std::uint8_t>{7}));
    }
    screens.run_until(5s);
    ASSERT_EQ(off.size(), 15U);
    EXPECT_LE(std::ranges::max(off), 0.15) << "a frame, not an interval";
}

TEST(AHit, IsDecidedByWhatTheShooterSaw) {
    Screens screens{constant(60ms), straight, with(HalfLife{300ms})};
    double then = 0;
    double now = 0;
    screens.judge = [&](const Asked& asked) {
        then = place_of(asked.then.pose);
        now = truth(screens);
        EXPECT_EQ(asked.bytes, (std::vector<std::uint8_t>{7}));
        return std::vector<std::uint8_t>{1, 2};
    };
    screens.run_until(2s);
    Swarm& swarm = screens.swarm();
    const auto gun = swarm.publish(kViewer, state_of(Pose{.position = {50, 10, 0}}));
    ASSERT_TRUE(gun);
    screens.run_until(4s);
    const double aimed_at = place_of(screens.seen().pose);
    const std::vector<std::uint8_t> shot{7};
    const auto request = swarm.interact(kViewer, *gun, screens.entity(), shot);
    ASSERT_TRUE(request);
    screens.run_until(4500ms);
    EXPECT_NEAR(then, aimed_at, 0.03);
    EXPECT_GT(now, aimed_at + 0.3 * kSpeed) << "it was elsewhere already";
    const auto& events = screens.events(kViewer);
    const auto found =
        std::ranges::find_if(events, [](const Event& e) { return std::holds_alternative<Answered>(e); });
    ASSERT_NE(found, events.end());
    const auto& answered = std::get<Answered>(*found);
    EXPECT_EQ(answered.request, *request);
    EXPECT_TRUE(answered.answered);
    EXPECT_EQ(answered.bytes, (std::vector<std::uint8_t>{1, 2}));
}

TEST(ARequest, IsAnsweredInTheNegativeWhereTheEntityOrItsOwnerIsGone) {
    Screens screens{constant(60ms), straight, with(EverQuest{})};
    screens.run_until(2s);
    Swarm& swarm = screens.swarm();
    const auto gun = swarm.publish(kViewer, state_of(Pose{.position = {50, 10, 0}}));
    const auto other = swarm.publish(kThird, state_of(Pose{.position = {60, 10, 0}}));
    ASSERT_TRUE(gun && other);
    screens.run_until(3s);
    ASSERT_TRUE(swarm.withdraw(kThird, *other));
    ASSERT_TRUE(swarm.interact(kViewer, *gun, *other, {}));
    ASSERT_TRUE(swarm.interact(kViewer, *gun, screens.entity(), {}));
    ASSERT_TRUE(swarm.schedule({.at = 3010ms, .kind = ActionKind::crash, .peer = kOwner, .through = {}}));
    swarm.run_until(12s);
    std::size_t refused = 0;
    for (const Event& event : screens.events(kViewer)) {
        const auto* answered = std::get_if<Answered>(&event);
        if (answered != nullptr && !answered->answered) ++refused;
    }
    EXPECT_EQ(refused, 2U);
}

}  // namespace
}  // namespace fray::test
