#include "lab/metrics/adaptive_cost.hpp"

#include "screen_logs.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

TEST(AdaptiveCost, IsOfTheWaitOnTheOwnScreenAndOfTheForecastOnTheOther) {
    OwnerLog owner;
    ViewerLog viewer;
    for (std::int64_t t = 0; t < 1000; t += 10) owner.screen.push_back(frame_ms(t, 0, t - 50, t - 50));
    for (std::int64_t t = 0; t < 1000; t += 20) viewer.screen.push_back(frame_ms(t, 0, t - 350, t - 50));
    EXPECT_DOUBLE_EQ(adaptive_cost(owner, viewer, span_ms(0, 1000)), 2 + 9);
}

TEST(AdaptiveCost, IsOfTheMeasuredSpanAlone) {
    OwnerLog owner;
    ViewerLog viewer;
    owner.screen = {frame_ms(0, 0, 0, -500), frame_ms(100, 0, 100, 100), frame_ms(200, 0, 0, 0)};
    viewer.screen = {frame_ms(0, 0, -900, 0), frame_ms(100, 0, 0, 100), frame_ms(200, 0, 0, 200)};
    EXPECT_DOUBLE_EQ(adaptive_cost(owner, viewer, span_ms(50, 150)), 1);
    EXPECT_DOUBLE_EQ(adaptive_cost(owner, viewer, span_ms(300, 400)), 0) << "nothing was shown";
}

TEST(AdaptiveCost, ForgivesWhatWasHeardOfBeforeItIsShown) {
    OwnerLog owner;
    ViewerLog viewer;
    owner.screen = {frame_ms(0, 0, 0, 0)};
    viewer.screen = {frame_ms(0, 0, 0, -400)};
    EXPECT_DOUBLE_EQ(adaptive_cost(owner, viewer, span_ms(0, 10)), 0);
}

}  // namespace
}  // namespace fray::lab
