// Changing an entity's algorithm while it moves.

#include <fray/random.hpp>

#include "lab/metrics/visible_jump.hpp"
#include "support/screens.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numbers>
#include <span>
#include <vector>

namespace fray::test {
namespace {

constexpr double kMostJump = 0.5;  // units: % of the screen

/// In circles, 8 units per second.
Pose circle(double s) {
    constexpr double kRadius = 25;
    constexpr double kTurn = 8 / kRadius;
    const double angle = s * kTurn;
    return {
        .position = {static_cast<float>(50 + kRadius * std::cos(angle)),
                     static_cast<float>(50 + kRadius * std::sin(angle)), 0},
        .velocity = {static_cast<float>(-8 * std::sin(angle)), static_cast<float>(8 * std::cos(angle)), 0}};
}

/// Returns a number below the given one.
using Draw = std::function<std::uint32_t(std::uint32_t)>;

Consistency any_choice(const Draw& below) {
    const auto lag = std::chrono::milliseconds{below(700)};
    const std::array<ConsistencyAlgorithmOptions, 7> all{
        EverQuest{},
        EverQuest{.motion_model = false},
        CentralizedSerialization{id_of(kThird)},
        LocalLag{lag},
        BucketSync{.bucket = 50ms, .depth = static_cast<std::uint8_t>(1 + lag / 70ms)},
        HalfLife{lag + 100ms},
        Adaptive{}};
    // Serialized entities step from update to update: with longer intervals these steps alone would be jumps.
    const auto interval = std::chrono::milliseconds{below(51)};
    return {.algorithm = all[below(all.size())], .interval = interval};
}

Consistency any_choice() {
    return any_choice([](std::uint32_t most) { return *rc::gen::inRange<std::uint32_t>(0, most); });
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

// --- over a bad network screens jump even without a switch: the tests measure what switches add ---

/// A serialized entity steps from update to update, and over lost or late ones by a random distance.
Consistency any_unserialized_choice(const Draw& below) {
    Consistency choice = any_choice(below);
    while (std::holds_alternative<CentralizedSerialization>(choice.algorithm)) choice = any_choice(below);
    return choice;
}

struct Chosen {
    Duration when{};
    Consistency what;
};
struct Jumps {
    double viewer = 0, own = 0;
};

/// The largest ones from 4 s on, when clocks agree.
Jumps jumps(const NetworkModel& network, std::span<const Chosen> choices, Duration end, Seed seed) {
    Screens screens{network, circle, choices.front().what, seed};
    screens.run_until(4s);
    const SessionInstant begin = screens.time();
    for (const Chosen& chosen : choices.subspan(1)) {
        screens.run_until(chosen.when);
        screens.choose(chosen.what);
    }
    screens.run_until(end);
    const lab::SessionSpan span{begin, screens.time()};
    const auto simulated = lab::trail_of(screens.owner_log().simulated);
    EXPECT_GT(screens.viewer_log().screen.size(), 60U);
    return {lab::visible_jump(lab::trail_of(screens.viewer_log().screen), simulated, span).most,
            lab::visible_jump(lab::trail_of(screens.owner_log().screen), simulated, span).most};
}

TEST(Switching, OverJitterAndLossAddsNoJumpToThoseOfTheAlgorithmsThemselves) {
    double most = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        RandomStream random{Seed{seed}, "switches"};
        const Draw below = [&](std::uint32_t bound) { return random.below(bound); };
        NetworkModel network;
        network.latency = ConstantLatency{std::chrono::milliseconds{1 + below(330)}};
        network.jitter = {.mean = 20ms};
        network.loss = IndependentLoss{0.05};
        std::vector<Chosen> choices{{.when = 0s, .what = any_unserialized_choice(below)}};
        Duration t = 4s;
        for (std::uint32_t left = 1 + below(5); left > 0; --left) {
            choices.push_back({.when = t, .what = any_unserialized_choice(below)});
            t += std::chrono::milliseconds{20 + below(1980)};
        }
        const Jumps switching = jumps(network, choices, t + 1s, Seed{seed});
        Jumps staying;  // with the worst of them all the time
        for (const Chosen& chosen : choices) {
            const Jumps one = jumps(network, std::span{&chosen, 1}, t + 1s, Seed{seed});
            staying = {std::max(staying.viewer, one.viewer), std::max(staying.own, one.own)};
        }
        EXPECT_LE(switching.viewer, staying.viewer + kMostJump) << "seed " << seed;
        EXPECT_LE(switching.own, staying.own + kMostJump) << "seed " << seed;
        most = std::max(most, switching.viewer);
    }
    EXPECT_GT(most, kMostJump) << "this network makes screens jump: what is compared is there";
}

TEST(Switching, WithoutGlidingThereWouldBeAJump) {
    // The jump that the property above excludes can be detected: half a second of lag is four units.
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
