#include "lab/metrics/screen_timing.hpp"

#include "lab/screen_logs.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

TEST(InputDelay, IsTheLagOfTheScreen) {
    const auto owner = walk(100);
    const InputDelay delay = input_delay(owner, shown_later(owner, 100ms), span_ms(200, 500));
    EXPECT_EQ(delay.inputs, 30U);
    EXPECT_EQ(delay.unseen, 0U);
    EXPECT_NEAR(delay.mean_ms, 100, 1e-9);
}

TEST(InputDelay, InputsThatAreSentTogetherWaitForTheLast) {
    const std::vector<ScreenFrame> screen{frame_ms(0, 0, -20, -20), frame_ms(60, 1, 40, 40)};
    const InputDelay delay = input_delay(walk(5), screen, span_ms(0, 100));
    EXPECT_NEAR(delay.mean_ms, (60 + 50 + 40 + 30 + 20) / 5.0, 1e-9);
}

TEST(InputDelay, AStampIsRoundedDownToTheMillisecond) {
    const std::vector<OwnerFrame> input{{at_ms(10) + 999us, along_x(0)}};
    const std::vector<ScreenFrame> screen{frame_ms(30, 0, 9, 9), frame_ms(40, 0, 10, 10),
                                          frame_ms(50, 0, 11, 11)};
    EXPECT_NEAR(input_delay(input, screen, span_ms(0, 100)).mean_ms, 40 - 10.999, 1e-9);
    EXPECT_NEAR(input_delay(std::vector<OwnerFrame>{{at_ms(11), {}}}, screen, span_ms(0, 100)).mean_ms,
                50 - 11, 1e-9);
}

TEST(InputDelay, AnInputThatWaitsForItsTurnCountsFromWhenItWasPolled) {
    const std::vector<OwnerFrame> input{{at_ms(10), along_x(0), at_ms(50)}};
    const std::vector<ScreenFrame> screen{frame_ms(30, 0, 30, 30), frame_ms(70, 0, 50, 50)};
    EXPECT_NEAR(input_delay(input, screen, span_ms(0, 100)).mean_ms, 60, 1e-9);
}

TEST(InputDelay, NoEffectIsBeforeItsCause) {
    const std::vector<OwnerFrame> input{{at_ms(10) + 700us, along_x(0)}};
    const std::vector<ScreenFrame> screen{frame_ms(10, 0, 10, 10), frame_ms(20, 0, 20, 20)};
    EXPECT_NEAR(input_delay(input, screen, span_ms(0, 100)).mean_ms, 20 - 10.7, 1e-9);
}

// The viewer's clock is 20 ms behind, and at its 110 the screen changes to an algorithm that shows older
// states.
TEST(InputDelay, WhatTheScreenOnceKnewItKnows) {
    const std::vector<OwnerFrame> input{{at_ms(105), along_x(0)}};
    const std::vector<ScreenFrame> screen{frame_ms(100, 0, 106, 106), frame_ms(110, 0, 60, 60),
                                          frame_ms(160, 0, 110, 110)};
    EXPECT_NEAR(input_delay(input, screen, span_ms(0, 200)).mean_ms, 5, 1e-9);
}

TEST(InputDelay, InputsWithoutEffectAreCountedButLeftOut) {
    const auto owner = walk(10);  // until 90 ms
    auto screen = shown_later(owner, 30ms);
    screen.resize(7);  // the last one depends on the state of 60 ms
    const InputDelay delay = input_delay(owner, screen, span_ms(0, 1000));
    EXPECT_EQ(delay.inputs, 10U);
    EXPECT_EQ(delay.unseen, 3U);
    EXPECT_NEAR(delay.mean_ms, 30, 1e-9);
}

TEST(InputDelay, AnEffectAfterTheSpanCounts) {
    const auto owner = walk(10);
    const InputDelay delay = input_delay(owner, shown_later(owner, 500ms), span_ms(0, 50));
    EXPECT_EQ(delay.inputs, 5U);
    EXPECT_EQ(delay.unseen, 0U);
    EXPECT_NEAR(delay.mean_ms, 500, 1e-9);
}

TEST(InputDelay, IsZeroWhereNothingIsSeenOrDone) {
    const auto owner = walk(10);
    const InputDelay nobody_looks = input_delay(owner, {}, span_ms(0, 50));
    EXPECT_EQ(nobody_looks.mean_ms, 0);
    EXPECT_EQ(nobody_looks.unseen, 5U);
    EXPECT_EQ(input_delay({}, shown_later(owner, 10ms), span_ms(0, 50)).inputs, 0U);
    EXPECT_EQ(input_delay(owner, shown_later(owner, 10ms), span_ms(500, 600)).mean_ms, 0);
}

// A screen that changes with every `every`th frame of a walk.
std::vector<ScreenFrame> choppy(const std::vector<OwnerFrame>& owner, std::size_t every) {
    auto screen = shown_later(owner, 40ms);
    for (std::size_t i = 0; i < screen.size(); ++i) {
        const ScreenFrame& whole = screen[i - i % every];
        screen[i].position = whole.position, screen[i].told = whole.told, screen[i].moment = whole.moment;
    }
    return screen;
}

TEST(Animation, IsTheTimeBetweenChangesNotBetweenFrames) {
    const auto owner = walk(300);
    EXPECT_NEAR(animation_ms(choppy(owner, 1), trail_of(owner), span_ms(0, 3000)), 10, 1e-9);
    EXPECT_NEAR(animation_ms(choppy(owner, 3), trail_of(owner), span_ms(0, 3000)), 30, 1e-9);
    EXPECT_NEAR(animation_ms(choppy(owner, 20), trail_of(owner), span_ms(0, 3000)), 200, 1e-9);
}

TEST(Animation, OnlyTheSpanCounts) {
    const std::vector<ScreenFrame> screen{frame_ms(0, 0, 0, 0),       frame_ms(10, 1, 10, 10),
                                          frame_ms(110, 2, 110, 110), frame_ms(130, 3, 130, 130),
                                          frame_ms(160, 4, 160, 160), frame_ms(900, 5, 900, 900)};
    EXPECT_NEAR(animation_ms(screen, {}, span_ms(100, 900)), (20 + 30) / 2.0, 1e-9);
    EXPECT_NEAR(animation_ms(screen, {}, span_ms(0, 130)), 100, 1e-9);  // the first frame changes nothing
}

// Walks for a second, rests, walks for another second.
std::vector<OwnerFrame> walk_rest_walk(Duration rest) {
    auto log = walk(200);
    for (std::size_t i = 100; i < log.size(); ++i) log[i].polled += rest;
    for (std::size_t i = 99; log[i + 1].polled - log[i].polled > kFrame; ++i) {
        const OwnerFrame standing{log[i].polled + kFrame, log[i].simulated};
        log.insert(log.begin() + static_cast<std::ptrdiff_t>(i) + 1, standing);
    }
    return log;
}

TEST(Animation, RestsOfTheOwnerAreLeftOutHoweverLateTheyAreShown) {
    for (const Duration rest : {Duration{60ms}, Duration{200ms}, Duration{2s}}) {
        const auto owner = walk_rest_walk(rest);
        for (const Duration lag : {Duration{0ms}, Duration{100ms}, Duration{746ms}}) {
            const auto screen = shown_later(owner, lag);
            EXPECT_NEAR(animation_ms(screen, trail_of(owner), span_ms(0, 5000)), 10, 1e-9)
                << "rest " << millis(rest) << " lag " << millis(lag);
        }
    }
}

// The screen extrapolates from the state of 300 ms ago, so the moments it shows are not those of the rest.
TEST(Animation, RestsAreLeftOutOnAScreenThatPredicts) {
    const auto owner = walk_rest_walk(200ms);
    auto screen = shown_later(owner, 300ms);
    for (ScreenFrame& frame : screen) frame.moment = frame.shown;
    EXPECT_NEAR(animation_ms(screen, trail_of(owner), span_ms(0, 5000)), 10, 1e-9);
}

// Like a lift whose motion model knows where it stops: no new update arrived.
TEST(Animation, RestsAreLeftOutOnAScreenThatForesawThem) {
    const auto owner = walk_rest_walk(200ms);
    auto screen = shown_later(owner, 0ms);
    for (ScreenFrame& frame : screen) frame.told = at_ms(0);
    EXPECT_NEAR(animation_ms(screen, trail_of(owner), span_ms(0, 5000)), 10, 1e-9);
}

TEST(Animation, AMomentOfHesitationIsNoRest) {
    const auto owner = walk_rest_walk(30ms);  // 40 ms in one place; 198 more gaps of 10 ms
    const double mean = animation_ms(shown_later(owner, 100ms), trail_of(owner), span_ms(0, 5000));
    EXPECT_NEAR(mean, (198 * 10 - 10 + 40) / 198.0, 1e-9);
}

TEST(Animation, AStallWhileTheOwnerWalksCounts) {
    const auto owner = walk_rest_walk(1s);
    auto screen = shown_later(owner, 100ms);
    // Of 0.5 s; the walk is frames 0 to 99 and 200 to 299, which makes 98 + 99 gaps of 10 ms.
    screen.erase(screen.begin() + 21, screen.begin() + 70);
    const double mean = animation_ms(screen, trail_of(owner), span_ms(0, 5000));
    EXPECT_NEAR(mean, (98 * 10 + 99 * 10) / (98 + 99 - 49.0), 1e-9);
}

TEST(Animation, IsZeroWhereNothingChanges) {
    const auto owner = walk(100);
    std::vector<ScreenFrame> still = shown_later(owner, 100ms);
    for (ScreenFrame& frame : still) frame.position = along_x(7);
    EXPECT_EQ(animation_ms(still, trail_of(owner), span_ms(0, 5000)), 0);
    EXPECT_EQ(animation_ms({}, trail_of(owner), span_ms(0, 5000)), 0);
    still.back().position = along_x(8);  // one change is not between two
    EXPECT_EQ(animation_ms(still, trail_of(owner), span_ms(0, 5000)), 0);
}

// A screen on which the owner's time runs at this percentage, with a frame every 10 ms for 10 s.
std::vector<ScreenFrame> at_speed(int percent) {
    std::vector<ScreenFrame> screen;
    for (int ms = 0; ms <= 10'000; ms += 10) screen.push_back(frame_ms(ms, 0, 0, ms * percent / 100 - 100));
    return screen;
}

TEST(DurationDivergence, ALateButEvenScreenHasNone) {
    EXPECT_EQ(duration_divergence(at_speed(100), span_ms(0, 9000)), 0);
}

TEST(DurationDivergence, SlowAndFastMotionAreTold) {
    EXPECT_NEAR(duration_divergence(at_speed(80), span_ms(0, 6000)), 0.25, 0.01);  // 625 ms for 500
    EXPECT_NEAR(duration_divergence(at_speed(125), span_ms(0, 9000)), 0.2, 0.01);  // 400 ms for 500
}

TEST(DurationDivergence, WhatIsJumpedOverTookNoTime) {
    std::vector<ScreenFrame> screen = at_speed(100);
    for (ScreenFrame& frame : screen) frame.moment = frame.shown;
    screen.erase(screen.begin() + 110, screen.begin() + 225);  // from 1.1 s to 2.25 s
    // Marks at 0.5, 1, 1.5, 2 and 2.5 s are passed at 0.5, 1, 2.25, 2.25 and 2.5 s.
    EXPECT_NEAR(duration_divergence(screen, span_ms(500, 2500)), (0 + 1.5 + 1 + 0.5) / 4, 1e-9);
}

TEST(DurationDivergence, GoingBackPassesNoMarkAgain) {
    const std::vector<ScreenFrame> screen{frame_ms(0, 0, 0, -1),     frame_ms(0, 0, 0, 0),
                                          frame_ms(500, 0, 0, 500),  frame_ms(510, 0, 0, 200),
                                          frame_ms(810, 0, 0, 500),  frame_ms(1000, 0, 0, 700),
                                          frame_ms(1300, 0, 0, 1000)};
    EXPECT_NEAR(duration_divergence(screen, span_ms(0, 1000)), (0 + 300 / 500.0) / 2, 1e-9);
}

TEST(DurationDivergence, WhatTheLogBeginsBehindIsNotJudged) {
    const std::vector<ScreenFrame> screen{frame_ms(100, 0, 0, 5000), frame_ms(400, 0, 0, 5500),
                                          frame_ms(900, 0, 0, 6000)};
    EXPECT_EQ(duration_divergence(screen, span_ms(0, 9000)), 0);
}

TEST(DurationDivergence, IsZeroWithoutTwoMarks) {
    EXPECT_EQ(duration_divergence({}, span_ms(0, 9000)), 0);
    EXPECT_EQ(duration_divergence(at_speed(80), span_ms(0, 400)), 0);
    EXPECT_EQ(duration_divergence(at_speed(0), span_ms(0, 9000)), 0);
}

}  // namespace
}  // namespace fray::lab
