#include "sim/line.hpp"

#include <gtest/gtest.h>

namespace fray::sim {
namespace {

TEST(Line, PassesDatagramsOneAfterAnotherAtItsRate) {
    Line line{{.kbps = 1000, .queue_bytes = 64'000, .trace = {}}, nullptr};
    Micros left = 0;
    for (Micros i = 1; i <= 10; ++i) {
        ASSERT_TRUE(line.enter(0, 1000, left));
        EXPECT_EQ(left, i * 8000);  // 8,000 bits at a bit per microsecond
    }
    ASSERT_TRUE(line.enter(1'000'000, 1000, left));
    EXPECT_EQ(left, 1'008'000) << "an idle line does not save up";
}

TEST(Line, RatesThatDivideNoMicrosecondDoNotDrift) {
    Line line{{.kbps = 777, .queue_bytes = 4'000'000, .trace = {}}, nullptr};
    Micros left = 0;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(line.enter(0, 1228, left));
    EXPECT_NEAR(static_cast<double>(left), 1000 * 1228 * 8000.0 / 777, 2);
}

TEST(Line, DropsWhatDoesNotFitItsQueueAndNothingElse) {
    Line line{{.kbps = 1000, .queue_bytes = 3000, .trace = {}}, nullptr};
    Micros left = 0;
    EXPECT_TRUE(line.enter(0, 1000, left));
    EXPECT_TRUE(line.enter(0, 1000, left));
    EXPECT_TRUE(line.enter(0, 1000, left));
    EXPECT_FALSE(line.enter(0, 1000, left));
    EXPECT_TRUE(line.enter(8000, 1000, left)) << "one has left by now";
}

TEST(Line, FollowsARecordedCapacityAndItsOutages) {
    CapacityTrace trace;
    trace.packets_per_ms = {1, 0, 0, 2};  // 4,500 bytes in 4 ms, looped
    const auto index = std::make_shared<const CapacityIndex>(trace);
    Line line{{.kbps = 0, .queue_bytes = 64'000, .trace = {}}, index};
    Micros left = 0;
    ASSERT_TRUE(line.enter(0, 1500, left));
    EXPECT_EQ(left, 1000);
    ASSERT_TRUE(line.enter(0, 1500, left));
    EXPECT_EQ(left, 4000) << "nothing passes in the second and third millisecond";
    ASSERT_TRUE(line.enter(0, 3000, left));
    EXPECT_EQ(left, 5000) << "one in the fourth, one in the first of the next loop";
    ASSERT_TRUE(line.enter(400'000, 1500, left));
    EXPECT_EQ(left, 401'000);
}

}  // namespace
}  // namespace fray::sim
