// Rates of pairs from arrivals made by hand.

#include "lab/metrics/pair_rates.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

constexpr Duration kFrom{10s};

/// Peer 1 sends to peer 0 every 50 ms, peer 2 once a second; nobody sends to peers 1 and 2 but peer 0.
PairRates five_seconds(Duration from) {
    PairRates rates{3, from};
    const Duration end = kFrom + 5s;
    for (Duration t = kFrom - 2s; t < end; t += 50ms) {
        rates.arrived({.owner = 1, .receiver = 0, .made = t - 30ms, .at = t});
        if (t % Duration{1s} == Duration{}) {
            for (const auto& [owner, receiver] : {std::pair{2U, 0U}, {0U, 1U}, {2U, 1U}, {0U, 2U}, {1U, 2U}})
                rates.arrived({.owner = owner, .receiver = receiver, .made = t - 30ms, .at = t});
        }
        if (t >= kFrom && (t + 50ms) % Duration{1s} == Duration{}) rates.end_second();
    }
    return rates;
}

TEST(PairRates, SeparatesPairsAtFullRateFromTheRest) {
    const PairRates rates = five_seconds(kFrom);
    ASSERT_EQ(rates.full().count(), 15U) << "three peers, five seconds";
    EXPECT_NEAR(rates.full().mean(), 1.0 / 3, 0.01);
    EXPECT_EQ(rates.full_hz(), 20);
    EXPECT_EQ(rates.best_effort_hz(), 1);
    EXPECT_EQ(rates.least_hz(), 1);
}

TEST(PairRates, GapsAreLongOnesAndAgesOfPairsThatWereAtFullRate) {
    const PairRates rates = five_seconds(kFrom);
    EXPECT_NEAR(rates.gaps().quantile(0.5), 1000, 10);
    ASSERT_GT(rates.focus_ages().count(), 70U);
    EXPECT_NEAR(rates.focus_ages().quantile(0.95), 30, 5);
}

TEST(PairRates, APairThatHearsNothingHasTheLeastRate) {
    PairRates rates{2, kFrom};
    rates.arrived({.owner = 0, .receiver = 1, .made = kFrom, .at = kFrom});
    rates.arrived({.owner = 9, .receiver = 1, .made = kFrom, .at = kFrom});  // not one of the measured
    rates.end_second();
    EXPECT_EQ(rates.least_hz(), 0);
}

}  // namespace
}  // namespace fray::lab
