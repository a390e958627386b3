#include "link/budget.hpp"

#include <fray/random.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace fray {
namespace {

constexpr std::size_t kOneDatagram = kMaxDatagram + kUdpIpv4Bytes;

/// Bytes sent, and the most in any window of 100 ms: the windows that matter begin with a sending.
class Meter {
public:
    void sent(Instant now, std::size_t bytes) {
        total_ += bytes;
        window_.push_back({now, bytes});
        in_window_ += bytes;
        while (now - window_.front().first >= UploadBudget::kWindow) {
            in_window_ -= window_.front().second;
            window_.pop_front();
        }
        most_ = std::max(most_, in_window_);
    }
    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t most() const { return most_; }

private:
    std::deque<std::pair<Instant, std::size_t>> window_;
    std::size_t in_window_ = 0;
    std::size_t total_ = 0;
    std::size_t most_ = 0;
};

RC_GTEST_PROP(UploadBudget, NoWindowOfAHundredMillisecondsHoldsMore, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "budget"};
    const std::uint32_t kbps = 1 + random.below(4000);
    UploadBudget budget = UploadBudget::rate(kbps);
    Meter meter;
    // Local clocks may begin anywhere, also before zero.
    Instant now{
        Duration{random.chance(0.5) ? -std::int64_t{random.below(50'000'000)} : random.below(50'000'000)}};
    const Instant begin = now;
    while (now - begin < 5s) {
        const std::size_t bytes = 49 + random.below(kOneDatagram - 48);
        if (budget.allows(now, bytes)) {
            budget.spend(now, bytes);
            meter.sent(now, bytes);
        }
        if (random.chance(0.7)) now += Duration{random.below(random.chance(0.05) ? 300'000 : 700)};
    }
    const std::size_t limit = std::max<std::size_t>(kbps * 125 / 10, kOneDatagram);
    RC_ASSERT(meter.total() > 0);
    RC_ASSERT(meter.most() <= limit);
    const double rate_bytes = seconds(now - begin) * kbps * 125;
    RC_ASSERT(static_cast<double>(meter.total()) <= rate_bytes + static_cast<double>(limit + kOneDatagram));
}

TEST(UploadBudget, ABusySenderComesCloseToItsRateAndNotAbove) {
    for (const std::uint32_t kbps : {64U, 128U, 1000U, 20'000U}) {
        UploadBudget budget = UploadBudget::rate(kbps);
        Meter meter;
        Instant now{};
        while (now < Instant{20s}) {
            while (budget.allows(now, 150)) {  // short ones, because long ones leave gaps in a short window
                budget.spend(now, 150);
                meter.sent(now, 150);
            }
            now = budget.next_chance(now, 150);
        }
        const double share = static_cast<double>(meter.total()) / (20.0 * kbps * 125);
        EXPECT_GT(share, 0.9) << kbps;
        EXPECT_LT(share, 1.02) << kbps;
    }
}

RC_GTEST_PROP(UploadBudget, TheNextChanceIsOneAndComesInTime, (std::uint32_t seed)) {
    RandomStream random{Seed{seed}, "chance"};
    UploadBudget budget = UploadBudget::rate(20 + random.below(3000));
    Instant now{Duration{random.below(1'000'000)}};
    int waits = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::size_t bytes = 49 + random.below(kOneDatagram - 48);
        if (!budget.allows(now, bytes)) {
            const Instant chance = budget.next_chance(now, bytes);
            RC_ASSERT(chance > now);
            UploadBudget before = budget;
            RC_ASSERT(!before.allows(chance - 1us, bytes) || chance - now <= 1us);
            now = chance;
            RC_ASSERT(budget.allows(now, bytes));
            ++waits;
        }
        budget.spend(now, bytes);
        now += Duration{random.below(2000)};
    }
    RC_ASSERT(waits > 10);
}

TEST(UploadBudget, WhatOneDoesNotUseTheNextHas) {
    UploadBudget budget = UploadBudget::rate(800);  // 10,000 bytes in a window
    budget.spend(Instant{}, 100);
    std::size_t sent = 100;
    while (budget.allows(Instant{1ms}, 1000)) {
        budget.spend(Instant{1ms}, 1000);
        sent += 1000;
    }
    EXPECT_GE(sent, 9000U);
    EXPECT_LE(sent, 10'000U);
}

TEST(UploadBudget, ARoundEndsWithItsBytesAndBeginsAnew) {
    UploadBudget budget = UploadBudget::per_round(1000);
    EXPECT_EQ(budget.frame_bytes(Instant{}, 50ms), 1000U);
    EXPECT_TRUE(budget.allows(Instant{}, 1000));
    EXPECT_FALSE(budget.allows(Instant{}, 1001));
    budget.spend(Instant{}, 700);
    EXPECT_TRUE(budget.allows(Instant{}, 300));
    EXPECT_FALSE(budget.allows(Instant{10s}, 301));  // time does not help
    EXPECT_EQ(budget.next_chance(Instant{}, 301), kNever);
    budget.begin_round();
    EXPECT_TRUE(budget.allows(Instant{}, 1000));
}

TEST(UploadBudget, NoLimitIsNoLimit) {
    UploadBudget budget = UploadBudget::unlimited();
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(budget.allows(Instant{}, 1 << 20));
        budget.spend(Instant{}, 1 << 20);
    }
    EXPECT_EQ(budget.frame_bytes(Instant{}, 50ms), SIZE_MAX);
    EXPECT_EQ(budget.next_chance(Instant{5s}, 1 << 20), Instant{5s});
}

TEST(UploadBudget, IdleHoursDoNotMakeABurst) {
    UploadBudget budget = UploadBudget::rate(10'000'000);  // the largest rate that options allow
    budget.spend(Instant{}, 1000);
    const Instant later{std::chrono::hours{9}};
    std::size_t sent = 0;
    while (budget.allows(later, 1200) && sent < 2'000'000'000) {
        budget.spend(later, 1200);
        sent += 1200;
    }
    EXPECT_GT(sent, 100'000'000U);
    EXPECT_LE(sent, 125'000'000U);
}

}  // namespace
}  // namespace fray
