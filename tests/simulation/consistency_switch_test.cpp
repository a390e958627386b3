// Changing an entity's algorithm while it moves.

#include "lab/metrics/visible_jump.hpp"
#include "support/screens.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numbers>

namespace fray::test {
namespace {

constexpr double kMostJump = 0.5;  // units: % of the screen

/// Round and round, 8 units per second.
Pose circle(double s) {
    constexpr double kRadius = 25;
    constexpr double kTurn = 8 / kRadius;
    const double angle = s * kTurn;
    return {
        .position = {static_cast<float>(50 + kRadius * std::cos(angle)),
                     static_cast<float>(50 + kRadius * std::sin(angle)), 0},
        .velocity = {static_cast<float>(-8 * std::sin(angle)), static_cast<float>(8 * std::cos(angle)), 0}};
}

Consistency any_choice() {
    const auto lag = std::chrono::milliseconds{*rc::gen::inRange(0, 700)};
    const std::array<ConsistencyAlgorithmOptions, 7> all{
        EverQuest{},
        EverQuest{.motion_model = false},
        CentralizedSerialization{id_of(kThird)},
        LocalLag{lag},
        BucketSync{.bucket = 50ms, .depth = static_cast<std::uint8_t>(1 + lag / 70ms)},
        HalfLife{lag + 100ms},
        Adaptive{}};
    // Serialized entities go from word to word: with longer intervals these steps alone would be jumps.
    const auto interval = std::chrono::milliseconds{*rc::gen::inRange(0, 51)};
    return {.algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())], .interval = interval};
}

RC_GTEST_PROP(Switching, AMovingEntityShowsNoJumpOnAnyScreen, ()) {
    const auto latency = std::chrono::milliseconds{*rc::gen::inRange(1, 330)};
    NetworkModel network;
    network.latency = ConstantLatency{latency};
    Screens screens{network, circle, any_choice(), Seed{*rc::gen::arbitrary<std::uint64_t>()}};
    Duration t = 4s;  // clocks agree by then
    screens.run_until(t);
    const SessionInstant begin = screens.time();
    const int switches = *rc::gen::inRange(1, 6);
    for (int i = 0; i < switches; ++i) {
        screens.choose(any_choice());
        t += std::chrono::milliseconds{*rc::gen::inRange(20, 2000)};
        screens.run_until(t);
    }
    screens.run_until(t + 1s);
    const lab::SessionSpan span{begin, screens.time()};
    const auto simulated = lab::trail_of(screens.owner_log().simulated);
    const auto jump = lab::visible_jump(lab::trail_of(screens.viewer_log().screen), simulated, span);
    const auto own = lab::visible_jump(lab::trail_of(screens.owner_log().screen), simulated, span);
    RC_ASSERT(screens.viewer_log().screen.size() > 60U);
    RC_ASSERT(jump.most <= kMostJump);
    RC_ASSERT(own.most <= kMostJump);
}

TEST(Switching, WithoutGlidingThereWouldBeAJump) {
    // What the property above rules out is there to be seen: half a second of lag is four units.
    NetworkModel network;
    network.latency = ConstantLatency{50ms};
    Screens lagging{network, circle, {.algorithm = HalfLife{600ms}, .interval = 50ms}};
    Screens prompt{network, circle, {.algorithm = EverQuest{}, .interval = 50ms}};
    lagging.run_until(5s);
    prompt.run_until(5s);
    EXPECT_GT(distance(lagging.seen().pose.position, prompt.seen().pose.position), 4);
    lagging.choose({.algorithm = EverQuest{}, .interval = 50ms});
    lagging.run_until(7500ms);
    prompt.run_until(7500ms);
    EXPECT_LT(distance(lagging.seen().pose.position, prompt.seen().pose.position), 0.05F) << "and it arrives";
}

}  // namespace
}  // namespace fray::test
