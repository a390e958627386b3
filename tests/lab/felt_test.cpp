#include "lab/metrics/felt.hpp"

#include <fray/random.hpp>

#include "lab/screen_logs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

namespace fray::lab {
namespace {

std::array<double, 11> figures(const Felt& felt) {
    return {felt.state_divergence, felt.state_divergence_owner, felt.propagation_ms,
            felt.corrections,      felt.corrections_per_s,      felt.response_ms,
            felt.animation_ms,     felt.visible_jump,           felt.visible_jump_most,
            felt.shape_divergence, felt.duration_divergence};
}

OwnerLog owner_with_lag(std::vector<OwnerFrame> simulated, Duration lag) {
    auto screen = shown_later(simulated, lag);
    return {.simulated = std::move(simulated), .screen = std::move(screen)};
}

TEST(Felt, AWalkSeenATenthOfASecondLate) {
    const OwnerLog owner = owner_with_lag(walk(600), 20ms);
    const ViewerLog viewer{.screen = shown_later(owner.simulated, 100ms),
                           .corrections = {.count = 8, .sum = 6, .most = 2}};
    const Felt result = felt(owner, viewer, span_ms(1000, 5000));
    EXPECT_NEAR(result.state_divergence, 0.08, 1e-5);
    EXPECT_NEAR(result.state_divergence_owner, 0.1, 1e-5);
    EXPECT_NEAR(result.propagation_ms, 100, 1e-9);
    EXPECT_NEAR(result.response_ms, 20, 1e-9);
    EXPECT_NEAR(result.animation_ms, 10, 1e-9);
    EXPECT_NEAR(result.corrections, 1.5, 1e-9);
    EXPECT_NEAR(result.corrections_per_s, 2, 1e-9);
    EXPECT_NEAR(result.visible_jump_most, 0, 1e-5);
    EXPECT_NEAR(result.shape_divergence, 0, 1e-5);
    EXPECT_EQ(result.duration_divergence, 0);
    EXPECT_EQ(result.inputs, 400U);
    EXPECT_EQ(result.inputs_unanswered, 0U);
    EXPECT_EQ(result.inputs_unseen, 0U);
    EXPECT_EQ(result.viewer_frames, 400U);
}

/// Ten units wide from -5 to 5; the right edge touches the left one.
World ring() {
    World world;
    world.low = {-5, -5, 0};
    world.high = {5, 5, 0};
    world.wrap_x = true;
    return world;
}

TEST(Felt, AWalkOverTheEdgeOfAWorldThatWrapsIsFeltLikeAnyOther) {
    const std::vector<OwnerFrame> straight = walk(600);
    std::vector<OwnerFrame> around = straight;
    std::size_t crossed = 0;
    for (OwnerFrame& frame : around) {
        frame.simulated.x += 2.5F;
        if (frame.simulated.x < 5) continue;
        frame.simulated.x -= 10;
        ++crossed;
    }
    ASSERT_GT(crossed, 200U);
    const auto feel = [](const std::vector<OwnerFrame>& simulated, const World& world) {
        const OwnerLog owner = owner_with_lag(simulated, 20ms);
        ViewerLog viewer{.screen = shown_later(owner.simulated, 100ms)};
        for (std::size_t i = 0; i < viewer.screen.size(); i += 7) viewer.screen[i].position.y = 0.05F;
        return felt(owner, viewer, span_ms(1000, 5000), world);
    };
    const auto expected = figures(feel(straight, World{}));
    const auto wrapped = figures(feel(around, ring()));
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(wrapped[i], expected[i], 1e-4) << i;
    const Felt blind = feel(around, World{});
    EXPECT_GT(blind.state_divergence, 0.2) << "as if the other were a world away for a moment";
    EXPECT_GT(blind.visible_jump_most, 0) << "so this world was really crossed";
}

TEST(Felt, OnlyTheEdgesThatTouchAreCrossed) {
    const OwnerLog owner = owner_with_lag(std::vector<OwnerFrame>{{at_ms(0), {-4, -4, 0}}}, 0ms);
    const ViewerLog beside{.screen = {{.shown = at_ms(0), .position = {4, -4, 0}}}};
    const ViewerLog above{.screen = {{.shown = at_ms(0), .position = {-4, 4, 0}}}};
    EXPECT_NEAR(felt(owner, beside, span_ms(0, 100), ring()).state_divergence, 2, 1e-6);
    EXPECT_NEAR(felt(owner, above, span_ms(0, 100), ring()).state_divergence, 8, 1e-6);
    EXPECT_NEAR(felt(owner, beside, span_ms(0, 100)).state_divergence, 8, 1e-6);
}

// The screen extrapolates straight ahead after the owner has turned, is updated 100 ms later and jumps to the
// right path.
TEST(Felt, APredictionThatFailsIsSeenAsADetourAndAJump) {
    std::vector<OwnerFrame> simulated = walk(300);
    for (std::size_t i = 100; i < simulated.size(); ++i)
        simulated[i].simulated = {1, simulated[i].simulated.x - 1, 0};
    const OwnerLog owner = owner_with_lag(simulated, 0ms);
    ViewerLog viewer{.screen = owner.screen};
    for (std::size_t i = 101; i < 110; ++i)
        viewer.screen[i].position = along_x(0.01 * static_cast<double>(i));
    const Felt result = felt(owner, viewer, span_ms(0, 3000));
    const double detour = 0.01 * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9);
    EXPECT_NEAR(result.shape_divergence, detour / 300, 1e-5);
    EXPECT_NEAR(result.state_divergence, detour * std::sqrt(2) / 300, 1e-5);
    EXPECT_NEAR(result.visible_jump_most, std::hypot(0.09, 0.1) - 0.01, 1e-5);
    EXPECT_NEAR(result.visible_jump, 0, 1e-5);  // one frame in 299
    EXPECT_EQ(result.duration_divergence, 0);
}

TEST(Felt, DecisionsCountWhenTheyWereAskedFor) {
    const OwnerLog owner = owner_with_lag(walk(100), 0ms);
    const ViewerLog viewer{
        .screen = shown_later(owner.simulated, 50ms),
        .decisions = {{.asked = at_ms(90), .shown = at_ms(900), .as_seen = false},  // before the span
                      {.asked = at_ms(100), .shown = at_ms(160)},
                      {.asked = at_ms(300), .shown = at_ms(400), .as_seen = false},
                      {.asked = at_ms(490), .shown = at_ms(600)},
                      {.asked = at_ms(495), .shown = at_ms(625)},
                      {.asked = at_ms(500), .shown = at_ms(510)}},  // after it
        .unanswered = 3};
    const Felt result = felt(owner, viewer, span_ms(100, 500));
    EXPECT_EQ(result.decisions, 4U);
    EXPECT_EQ(result.decisions_open, 3U);
    EXPECT_NEAR(result.decision_ms, 100, 1e-9);
    EXPECT_NEAR(result.wrong_decisions, 25, 1e-9);
}

TEST(Felt, UnansweredAndUnseenInputsAreToldApart) {
    OwnerLog owner = owner_with_lag(walk(10), 0ms);
    owner.screen.resize(8);
    ViewerLog viewer{.screen = shown_later(owner.simulated, 50ms)};
    viewer.screen.resize(5);
    const Felt result = felt(owner, viewer, span_ms(0, 1000));
    EXPECT_EQ(result.inputs, 10U);
    EXPECT_EQ(result.inputs_unanswered, 2U);
    EXPECT_EQ(result.inputs_unseen, 5U);
}

TEST(Felt, AnEntityThatStandsStillIsSeenWell) {
    std::vector<OwnerFrame> simulated = walk(300);
    for (OwnerFrame& frame : simulated) frame.simulated = {3, 2, 1};
    const OwnerLog owner = owner_with_lag(simulated, 10ms);
    const Felt result = felt(owner, {.screen = shown_later(simulated, 200ms)}, span_ms(500, 2500));
    EXPECT_NEAR(result.propagation_ms, 200, 1e-9);
    EXPECT_NEAR(result.response_ms, 10, 1e-9);
    EXPECT_EQ(result.inputs, 200U);
    const double all = result.state_divergence + result.state_divergence_owner + result.animation_ms +
                       result.visible_jump_most + result.shape_divergence + result.duration_divergence;
    EXPECT_EQ(all, 0);
}

TEST(Felt, NothingToMeasureIsZeroEverywhere) {
    const OwnerLog owner = owner_with_lag(walk(100), 0ms);
    const ViewerLog viewer{.screen = shown_later(walk(100), 50ms), .corrections = {.count = 1, .sum = 1}};
    const auto zero = figures(Felt{});
    EXPECT_EQ(figures(felt({}, {}, span_ms(0, 1000))), zero);
    EXPECT_EQ(figures(felt(owner, {}, span_ms(0, 1000))), zero);
    EXPECT_EQ(figures(felt(owner, viewer, span_ms(500, 500))), zero);
    EXPECT_EQ(figures(felt(owner, viewer, span_ms(500, 100))), zero);
}

TEST(FeltMean, IsOfThoseThatHaveTheFigure) {
    const Felt seen{.state_divergence = 2,
                    .propagation_ms = 100,
                    .response_ms = 10,
                    .animation_ms = 50,
                    .decision_ms = 80,
                    .inputs = 20,
                    .inputs_unseen = 1,
                    .viewer_frames = 20,
                    .decisions = 4};
    Felt without_shots = seen;
    without_shots.decisions = 0;
    without_shots.decision_ms = 0;
    const Felt unseen{.response_ms = 30, .inputs = 20, .inputs_unseen = 20, .decisions_open = 5};
    FeltMean all;
    for (const Felt& one : {seen, without_shots, unseen}) all.add(one);
    const Felt mean = all.mean();
    EXPECT_EQ(mean.state_divergence, 2);
    EXPECT_EQ(mean.propagation_ms, 100);
    EXPECT_EQ(mean.animation_ms, 50);
    EXPECT_EQ(mean.decision_ms, 80);
    EXPECT_NEAR(mean.response_ms, 50.0 / 3, 1e-9);
    EXPECT_EQ(mean.inputs, 60U);
    EXPECT_EQ(mean.inputs_unseen, 22U);
    EXPECT_EQ(mean.viewer_frames, 40U);
    EXPECT_EQ(mean.decisions_open, 5U);
    EXPECT_EQ(figures(FeltMean{}.mean()), figures(Felt{}));
}

TEST(Felt, AClockThatIsSetBackStandsStillUntilItIsPast) {
    const OwnerLog owner = owner_with_lag(walk(100), 0ms);
    ViewerLog held{.screen = shown_later(owner.simulated, 50ms)};
    ViewerLog back = held;
    for (std::size_t i = 40; i < 60; ++i) held.screen[i].shown = held.screen[39].shown;
    for (std::size_t i = 40; i < 60; ++i) back.screen[i].shown -= 200ms;
    EXPECT_EQ(figures(felt(owner, back, span_ms(0, 1000))), figures(felt(owner, held, span_ms(0, 1000))));
    OwnerLog owner_back = owner;
    OwnerLog owner_held = owner;
    owner_back.simulated[50].polled = at_ms(300);
    owner_held.simulated[50].polled = at_ms(490);
    EXPECT_EQ(figures(felt(owner_back, held, span_ms(0, 1000))),
              figures(felt(owner_held, held, span_ms(0, 1000))));
}

/// A player that walks, turns and rests, seen through a network that delays, drops and reorders.
struct Game {
    OwnerLog owner;
    ViewerLog viewer;
};
Game any_game(std::uint32_t seed) {
    RandomStream random{Seed{seed}, "game"};
    const auto some = [&](std::uint32_t most) { return Duration{random.below(most)}; };
    const auto off = [&](double most) { return static_cast<float>(random.uniform(-most, most)); };
    std::vector<OwnerFrame> simulated;
    SessionInstant now = at_ms(1000);
    Vec3 position{};
    Vec3 velocity{};
    for (int i = 0; i < 300; ++i) {
        if (random.chance(0.1)) velocity = {off(3), off(3), 0};
        if (random.chance(0.05)) velocity = {};
        simulated.push_back({now, position += velocity});
        now += 5ms + some(30'000);
    }
    Game game{
        .owner = owner_with_lag(simulated, some(50'000)),
        .viewer = {.screen = shown_later(simulated, some(900'000)), .corrections = {.count = 3, .sum = 5}}};
    for (ScreenFrame& frame : game.viewer.screen) {
        if (random.chance(0.1)) frame.position += {off(9), 0, 0};
        if (random.chance(0.1)) frame.told -= some(200'000), frame.moment += some(200'000);
        if (random.chance(0.05)) frame.shown -= some(100'000);
    }
    return game;
}

void shift(std::vector<ScreenFrame>& screen, Duration by) {
    for (ScreenFrame& frame : screen) frame.shown += by, frame.told += by, frame.moment += by;
}

RC_GTEST_PROP(Felt, IsTheSameAtAnotherTimeOfDay, (std::uint32_t seed)) {
    Game game = any_game(seed);
    const Felt now = felt(game.owner, game.viewer, span_ms(1500, 5000));
    RC_ASSERT(now.inputs > 50);
    const Duration by{std::chrono::hours{7}};  // stamps are whole milliseconds there, too
    shift(game.owner.screen, by);
    shift(game.viewer.screen, by);
    for (OwnerFrame& frame : game.owner.simulated) frame.polled += by;
    const SessionSpan later{at_ms(1500) + by, at_ms(5000) + by};
    RC_ASSERT(figures(felt(game.owner, game.viewer, later)) == figures(now));
}

RC_GTEST_PROP(Felt, IsNeverNegativeAndAlwaysANumber, (std::uint32_t seed)) {
    const Game game = any_game(seed);
    for (const std::int64_t until : {1001, 1050, 1500, 5000, 60'000}) {
        for (const double figure : figures(felt(game.owner, game.viewer, span_ms(1000, until))))
            RC_ASSERT(std::isfinite(figure) && figure >= 0);
    }
}

RC_GTEST_PROP(Felt, APerfectViewerFeelsNothing, (std::uint32_t seed)) {
    const OwnerLog owner = owner_with_lag(any_game(seed).owner.simulated, 0ms);
    const Felt result = felt(owner, {.screen = owner.screen}, span_ms(1000, 5000));
    RC_ASSERT(result.inputs > 50);
    Felt nothing{.animation_ms = result.animation_ms, .duration_divergence = result.duration_divergence};
    RC_ASSERT(figures(result) == figures(nothing));
    RC_ASSERT(result.duration_divergence < 0.08);  // frames of up to 35 ms, marks of 500 ms
}

}  // namespace
}  // namespace fray::lab
