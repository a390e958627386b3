#include "sim/drifting_clock.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>

namespace fray::sim {
namespace {

TEST(DriftingClock, RunsAtItsOffsetAndRate) {
    const DriftingClock fast{5s, 100'000};  // 100 ppm
    EXPECT_EQ(fast.local(0), Instant{5s});
    EXPECT_NEAR(static_cast<double>((fast.local(1'000'000'000) - Instant{5s}).count()), 1'000'100'000.0, 1);
    const DriftingClock slow{0s, -1'000'000};
    EXPECT_NEAR(static_cast<double>(slow.local(1'000'000'000).time_since_epoch().count()), 999'000'000.0, 1);
}

TEST(DriftingClock, TrueTimeIsTheFirstMomentAtWhichTheClockShowsIt) {
    RandomStream random{Seed{1}, "times"};
    for (int i = 0; i < 20'000; ++i) {
        const auto drift = static_cast<std::int64_t>(random.uniform(-1e6, 1e6));
        const DriftingClock clock{Duration{random.below(1'000'000'000)}, drift};
        const Instant wanted =
            clock.local(0) + Duration{static_cast<std::int64_t>(random.uniform() * 1e12) >> random.below(40)};
        const Micros at = clock.true_time(wanted);
        ASSERT_GE(clock.local(at), wanted);
        ASSERT_TRUE(at == 0 || clock.local(at - 1) < wanted);
    }
}

TEST(DriftingClock, NeverGoesBack) {
    const DriftingClock clock{0s, -1'000'000};
    for (Micros at = 0; at < 100'000; ++at) ASSERT_LE(clock.local(at), clock.local(at + 1));
}

TEST(DriftingClock, NeverIsNever) {
    const DriftingClock clock{1s, 1000};
    EXPECT_EQ(clock.true_time(kNever), kNeverMicros);
}

}  // namespace
}  // namespace fray::sim
