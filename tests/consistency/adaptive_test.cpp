#include "consistency/adaptive.hpp"

#include "support/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace fray::test {
namespace {

SeenNetwork any_network() {
    return {.delay = Duration{*rc::gen::inRange(0, 800'000)},
            .jitter = Duration{*rc::gen::inRange(0, 100'000)},
            .loss = *rc::gen::inRange(0, 101) / 100.0};
}
Duration any_interval() { return std::chrono::milliseconds{*rc::gen::inRange(1, 500)}; }

/// As documented.
double cost(const SeenNetwork& network, Duration interval, Duration lag) {
    const double ahead = millis(network.delay) + millis(interval) * (0.5 + network.loss) +
                         2 * millis(network.jitter) - millis(lag);
    return 2 * millis(lag) / 50 + ahead / 100 * (ahead / 100);
}

RC_GTEST_PROP(TheBestLag, CostsLeastOfAll, ()) {
    const SeenNetwork network = any_network();
    const Duration interval = any_interval();
    const Duration most = std::chrono::milliseconds{*rc::gen::inRange(0, 600)};
    const Duration least = std::min(most, Duration{std::chrono::milliseconds{*rc::gen::inRange(0, 200)}});
    const Duration best = best_lag(network, interval, {.most_lag = most, .least_lag = least});
    RC_ASSERT(best >= least);
    RC_ASSERT(best <= most);
    Duration found = least;
    for (Duration lag = least; lag <= most; lag += 1ms) {
        if (cost(network, interval, lag) < cost(network, interval, found)) found = lag;
        RC_ASSERT(cost(network, interval, best) <= cost(network, interval, lag) + 1e-6);
    }
    RC_ASSERT(best - found <= 1ms);
    RC_ASSERT(found - best <= 1ms);
}

RC_GTEST_PROP(TheBestLag, GrowsWithDelayJitterLossAndInterval, ()) {
    const SeenNetwork network = any_network();
    const Duration interval = any_interval();
    const Duration lag = best_lag(network, interval, {.most_lag = 1s});
    SeenNetwork worse = network;
    worse.delay += any_interval();
    RC_ASSERT(best_lag(worse, interval, {.most_lag = 1s}) >= lag);
    worse = network;
    worse.jitter += any_interval();
    RC_ASSERT(best_lag(worse, interval, {.most_lag = 1s}) >= lag);
    worse = network;
    worse.loss += 0.3;
    RC_ASSERT(best_lag(worse, interval, {.most_lag = 1s}) >= lag);
    RC_ASSERT(best_lag(network, interval + any_interval(), {.most_lag = 1s}) >= lag);
}

TEST(TheBestLag, IsNoneWhereTheDelayIsSmall) {
    EXPECT_EQ(best_lag({}, 50ms, {.most_lag = 50ms}), 0ms);
    EXPECT_EQ(best_lag({.delay = 150ms, .jitter = 5ms, .loss = 0.1}, 50ms, {.most_lag = 50ms}), 0ms);
    EXPECT_NEAR(millis(best_lag({.delay = 200ms}, 50ms, {.most_lag = 50ms})), 25, 0.01)
        << "200 ms ahead are bearable, 225 are not";
    EXPECT_EQ(best_lag({.delay = 2s}, 50ms, {.most_lag = 50ms}), 50ms);
    EXPECT_EQ(best_lag({.delay = 2s}, 50ms, {.most_lag = 0ms}), 0ms);
    EXPECT_EQ(best_lag({}, 50ms, {.least_lag = 20ms}), 20ms);
}

TEST(TheCostOfALag, IsAsDocumented) {
    EXPECT_DOUBLE_EQ(lag_cost(0ms, 0ms), 0);
    EXPECT_DOUBLE_EQ(lag_cost(50ms, 0ms), 2) << "noticed, and it weighs double";
    EXPECT_DOUBLE_EQ(lag_cost(0ms, 300ms), 9) << "a forecast's error grows with the square";
    EXPECT_DOUBLE_EQ(lag_cost(25ms, 200ms), 5);
    EXPECT_DOUBLE_EQ(lag_cost(25ms, -200ms), 1) << "what was heard needs no forecast";
}

/// Pressed for 300 ms of every second, for 30 seconds.
Timeline learn_stepping(AdaptiveAlgorithm& algorithm, const Subject& subject) {
    Timeline timeline;
    for (Duration t = 100ms; t <= 30s; t += 50ms) {
        const std::uint8_t keys = t % 1s < 300ms ? kRight : std::uint8_t{0};
        timeline.add(update(t, moving({50, 50, 0}), {keys}));
        algorithm.learn(subject, timeline, at(t));
    }
    return timeline;
}

TEST(AnAdaptiveAlgorithm, HandsItsHabitsOnToItsSuccessorOnly) {
    const World world = walkers_world();
    const Subject subject{.world = &world, .type = {}, .horizon = 1s, .interval = 50ms};
    AdaptiveAlgorithm former{{}};
    const Timeline timeline = learn_stepping(former, subject);
    AdaptiveAlgorithm next{{.lag = 20ms}};
    const SessionInstant moment = at(30'800ms);
    const Vec3 learnt = former.show(subject, timeline, moment).pose.position;
    const Vec3 unlearnt = next.show(subject, timeline, moment).pose.position;
    EXPECT_NEAR(unlearnt.x, 58, 1e-3) << "as now for ever";
    EXPECT_LT(learnt.x, 55);
    next.inherit(*make_algorithm({.algorithm = LocalLag{}}));
    EXPECT_EQ(next.show(subject, timeline, moment).pose.position, unlearnt);
    next.inherit(former);
    EXPECT_EQ(next.show(subject, timeline, moment).pose.position, learnt);
}

}  // namespace
}  // namespace fray::test
