#include "consistency/timeline.hpp"

#include "support/moments.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace fray::test {
namespace {

/// An update that is identified by its position.
Moment numbered(Duration when, int number) {
    return update(when, moving({static_cast<float>(number), 0, 0}), {static_cast<std::uint8_t>(number)});
}
Duration ms(int count) { return std::chrono::milliseconds{count}; }

RC_GTEST_PROP(ATimeline, IsInOrderHoweverTheWordsCome, ()) {
    // Few different times, all of them kept: many are added twice.
    const auto times = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000));
    Timeline timeline;
    std::map<SessionInstant, Moment> sorted;
    int number = 0;
    for (const int t : times) {
        const Moment one = numbered(ms(t), ++number);
        timeline.add(one);
        sorted.insert_or_assign(one.when, one);
        if (sorted.size() == Timeline::kMost) break;
    }
    RC_ASSERT(timeline.size() == sorted.size());
    std::size_t i = 0;
    for (const auto& [when, moment] : sorted) {
        RC_ASSERT(timeline[i].when == when);
        RC_ASSERT(timeline[i].pose == moment.pose);
        ++i;
        RC_ASSERT(timeline.until(when) == i);
        RC_ASSERT(timeline.until(when - Duration{1}) == i - 1);
    }
}

RC_GTEST_PROP(ATimeline, KeepsAllOfTheLastSecondsAndLittleElse, ()) {
    Timeline timeline;
    std::set<SessionInstant> all;
    for (int i = 0; i < 600; ++i) {
        const SessionInstant when = at(ms(12 * i - *rc::gen::inRange(0, 4000)));
        timeline.add(numbered(when.time_since_epoch(), i));
        all.insert(when);
        RC_ASSERT(timeline.size() <= Timeline::kMost);
        RC_ASSERT(timeline.newest().when == *all.rbegin());
    }
    std::set<SessionInstant> kept;
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        RC_ASSERT(i == 0 || timeline[i - 1].when < timeline[i].when);
        kept.insert(timeline[i].when);
    }
    const SessionInstant edge = *all.rbegin() - Timeline::kKept;
    for (auto it = all.lower_bound(edge); it != all.end(); ++it) RC_ASSERT(kept.contains(*it));
}

TEST(ATimeline, ForgetsWhatIsOlderThanAnyLagButForOneWordBefore) {
    Timeline timeline;
    for (int i = 0; i <= 100; ++i) timeline.add(numbered(i * 100ms, i));
    EXPECT_EQ(timeline.newest().when, at(10s));
    EXPECT_LE(timeline[0].when, at(10s) - Timeline::kKept) << "what was then lies between two updates";
    EXPECT_LE(timeline.size(), 2 + static_cast<std::size_t>(Timeline::kKept / 100ms) + 1);
    timeline.add(numbered(100s, 101));
    timeline.add(numbered(101s, 102));
    EXPECT_LE(timeline.size(), 3U);
}

TEST(ATimeline, NeverHoldsMoreThanItsMostAndTheOldestGo) {
    Timeline timeline;
    for (int i = 0; i < 1000; ++i) timeline.add(numbered(i * 1ms, i));
    ASSERT_EQ(timeline.size(), Timeline::kMost);
    EXPECT_EQ(timeline.newest().when, at(999ms));
    EXPECT_EQ(timeline[0].when, at(999ms - 255ms));
    timeline.add(numbered(10ms, 0));  // very late
    EXPECT_EQ(timeline.size(), Timeline::kMost) << "what is older than all costs none of the others";
    EXPECT_EQ(timeline[0].when, at(999ms - 255ms));
    timeline.add(numbered(Duration{900'500}, 0));  // late
    EXPECT_EQ(timeline.size(), Timeline::kMost);
    EXPECT_EQ(timeline[0].when, at(999ms - 254ms));
    const std::size_t bytes = timeline.heap_bytes();
    for (int i = 1000; i < 3000; ++i) timeline.add(numbered(i * 1ms, i));
    EXPECT_LE(timeline.heap_bytes(), bytes + 64) << "places are used again";
    timeline.clear();
    EXPECT_TRUE(timeline.empty());
    timeline.add(numbered(5ms, 7));
    EXPECT_EQ(timeline.newest().pose.position.x, 7);
}

// --- as it was ---

Timeline two_updates(const Pose& first, const Pose& second) {
    Timeline timeline;
    timeline.add(update(1s, first));
    timeline.add(update(2s, second));
    return timeline;
}

TEST(AsItWas, IsBetweenTheTwoWordsAroundTheMoment) {
    const World world = walkers_world();
    const Timeline timeline = two_updates(moving({10, 50, 0}, {4, 0, 0}), moving({14, 58, 0}, {8, 2, 0}));
    const Shown quarter = as_it_was(world, timeline, at(1250ms));
    EXPECT_EQ(quarter.pose.position, (Vec3{11, 52, 0}));
    EXPECT_EQ(quarter.pose.velocity, (Vec3{5, 0.5F, 0}));
    EXPECT_EQ(quarter.told, at(2s)) << "the second update has a part in it";
    EXPECT_EQ(quarter.moment, at(1250ms));
    const Shown exactly = as_it_was(world, timeline, at(1s));
    EXPECT_EQ(exactly.pose.position, (Vec3{10, 50, 0}));
    EXPECT_EQ(exactly.told, at(1s)) << "and here it has none";
}

TEST(AsItWas, IsTheFirstOrTheLastWordBeyondThem) {
    const World world = walkers_world();
    const Timeline timeline = two_updates(moving({10, 50, 0}, {4, 0, 0}), moving({14, 50, 0}, {8, 0, 0}));
    const Shown before = as_it_was(world, timeline, at(-3s));
    EXPECT_EQ(before.pose.position.x, 10);
    EXPECT_EQ(before.moment, at(1s));
    EXPECT_EQ(before.told, at(1s));
    const Shown after = as_it_was(world, timeline, at(30s));
    EXPECT_EQ(after.pose.position.x, 14);
    EXPECT_EQ(after.moment, at(2s));
    EXPECT_EQ(after.told, at(2s));
}

TEST(AsItWas, GoesTheShorterWayAroundTheWorldAndTheShorterTurn) {
    World world = walkers_world();
    Pose first = moving({98, 99, 0});
    Pose second = moving({4, 1, 0});
    first.yaw = 359;
    second.yaw = 1;
    const Timeline timeline = two_updates(first, second);
    EXPECT_EQ(as_it_was(world, timeline, at(1500ms)).pose.position, (Vec3{51, 50, 0}));
    world.wrap_x = true;
    const Pose third = as_it_was(world, timeline, at(1250ms)).pose;
    EXPECT_NEAR(third.position.x, 99.5, 1e-4);
    EXPECT_NEAR(third.position.y, 74.5, 1e-4) << "this side does not wrap";
    EXPECT_NEAR(third.yaw, 359.5, 1e-4);
    const Pose two_thirds = as_it_was(world, timeline, at(1750ms)).pose;
    EXPECT_NEAR(two_thirds.position.x, 2.5, 1e-4);
    EXPECT_NEAR(two_thirds.yaw, 0.5, 1e-4);
}

}  // namespace
}  // namespace fray::test
