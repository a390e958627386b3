#include "consistency/showing.hpp"
#include "consistency/timeline.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace fray {
namespace {

SessionInstant ms(int t) { return SessionInstant{std::chrono::milliseconds{t}}; }

Moment moment(int t, float x, std::size_t payload = 0) {
    return {.when = ms(t),
            .pose = {.position = {x, 0, 0}},
            .payload = std::vector<std::uint8_t>(payload, static_cast<std::uint8_t>(t)),
            .input = {static_cast<std::uint8_t>(t)}};
}

TEST(Timeline, KeepsPayloadAndInputOfTheNewestAlone) {
    Timeline timeline;
    for (int t = 0; t < 100; t += 10) timeline.add(moment(t, static_cast<float>(t), 4096));
    timeline.add(moment(35, 1, 4096));  // late
    timeline.add(moment(40, 2, 4096));  // replaces the one with the same time
    EXPECT_EQ(timeline.newest().payload, moment(90, 0, 4096).payload);
    EXPECT_EQ(timeline.newest().input, moment(90, 0).input);
    EXPECT_EQ(timeline[4].when, ms(35));
    EXPECT_EQ(timeline[5].pose.position.x, 2);
    EXPECT_LT(timeline.heap_bytes(), 3 * 4096U);
    timeline.add(moment(90, 3, 7));  // a second one with the same time
    EXPECT_EQ(timeline.newest().payload.size(), 7U);
    timeline.clear();
    EXPECT_LT(timeline.heap_bytes(), 4096U);
}

TEST(Timeline, IsBounded) {
    for (const std::size_t most : {Timeline::kFew, Timeline::kMost}) {
        Timeline timeline;
        timeline.keep_at_most(most);
        for (int t = 0; t < 2000; ++t) timeline.add(moment(t, 0, 100));
        EXPECT_EQ(timeline.size(), most);
        EXPECT_EQ(timeline.newest().when, ms(1999));
        EXPECT_EQ(timeline[0].when, ms(2000 - static_cast<int>(most)));
        EXPECT_EQ(timeline.newest().payload.size(), 100U);
    }
}

TEST(Showing, OneThatStoodStillHasNoLagToGlideFrom) {
    const World world;
    Showing showing{Showing::Whose::others, world, EntityTypeId{}, Consistency{}};
    showing.add_update(ms(0), moment(0, 1));
    showing.choose(ms(20'000), {.algorithm = HalfLife{.remote_lag = 100ms}});
    for (int t = 21'000; t <= 22'000; t += 50) showing.add_update(ms(t), moment(t, 5));
    EXPECT_EQ(showing.shown(ms(22'000)).moment, ms(21'900));
}

TEST(Showing, ForgetsItsLagWithTheTimeItWasOf) {
    const World world;
    Showing showing{Showing::Whose::own, world, EntityTypeId{}, {.algorithm = LocalLag{0ms}}};
    showing.add_update(ms(900'000), moment(900'000, 1));
    showing.choose(ms(900'000), {.algorithm = LocalLag{200ms}});
    showing.forget();
    EXPECT_TRUE(showing.empty());
    for (int t = 0; t <= 1000; t += 50) showing.add_update(ms(t), moment(t, 2));
    EXPECT_EQ(showing.shown(ms(1000)).moment, ms(800));
}

TEST(Showing, TakesInputsOfAnyLength) {
    const World world;
    Showing showing{Showing::Whose::others, world, EntityTypeId{}, {.algorithm = Adaptive{}}};
    for (int t = 0; t < 1000; t += 50) {
        Moment update = moment(t, 1);
        update.input.assign(kMaxInputBytes + 40, static_cast<std::uint8_t>(t));
        showing.add_update(ms(t), update);
    }
    EXPECT_EQ(showing.shown(ms(1200)).pose.position.x, 1);
}

}  // namespace
}  // namespace fray
