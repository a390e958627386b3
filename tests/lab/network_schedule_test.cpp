#include "lab/workloads/network_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fray::lab {
namespace {

struct Seen {
    Duration least{1h};
    Duration most{};
    std::size_t lost = 0;
    std::size_t longest_silence = 0;  // samples in a row
};

Seen look_at(const std::vector<Duration>& samples) {
    Seen seen;
    std::size_t silence = 0;
    for (const Duration sample : samples) {
        silence = sample == kLostSample ? silence + 1 : 0;
        seen.longest_silence = std::max(seen.longest_silence, silence);
        if (sample == kLostSample) {
            ++seen.lost;
            continue;
        }
        seen.least = std::min(seen.least, sample);
        seen.most = std::max(seen.most, sample);
    }
    return seen;
}

TEST(ARandomSchedule, HasStepsBurstsAndLoss) {
    std::vector<Duration> quickest;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const TraceLatency trace = random_schedule(Seed{seed}, 60s);
        ASSERT_EQ(trace.samples->size(), 6000U);
        EXPECT_EQ(trace.interval, 10ms);
        const Seen seen = look_at(*trace.samples);
        EXPECT_GE(seen.least, 10ms);
        EXPECT_LE(seen.most, 3s) << "or the peers would part";
        EXPECT_GE(seen.most - seen.least, 50ms) << "of seed " << seed;
        EXPECT_GE(seen.lost, 60U) << "1 % at least, of seed " << seed;
        EXPECT_LE(seen.lost, 1200U);
        EXPECT_GE(seen.longest_silence, 5U) << "of seed " << seed;
        EXPECT_LE(seen.longest_silence, 100U) << "of seed " << seed;
        quickest.push_back(seen.least);
    }
    EXPECT_LT(std::ranges::min(quickest), 30ms);
    EXPECT_GT(std::ranges::max(quickest), 150ms) << "slow ones and fast ones";
}

TEST(ARandomSchedule, IsTheSameForTheSameSeedAlone) {
    EXPECT_EQ(*random_schedule(Seed{7}, 60s).samples, *random_schedule(Seed{7}, 60s).samples);
    EXPECT_NE(*random_schedule(Seed{7}, 60s).samples, *random_schedule(Seed{8}, 60s).samples);
}

}  // namespace
}  // namespace fray::lab
