// Many wrong models have the right mean: these tests check the spread and the shape of delays and losses.

#include "sim/network_draws.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace fray::sim {
namespace {

using Quantiles = std::vector<std::pair<double, double>>;  ///< share, microseconds

/// Standard normal values at 5, 25, 50, 75, 95 and 99 %.
const Quantiles kNormal{{0.05, -1.6449}, {0.25, -0.6745}, {0.5, 0},
                        {0.75, 0.6745},  {0.95, 1.6449},  {0.99, 2.3263}};

template <class Function>
Quantiles mapped(Function function) {
    Quantiles result;
    for (const auto& [share, z] : kNormal) result.emplace_back(share, function(z));
    return result;
}

Quantiles exponential(double mean) {
    Quantiles result;
    for (const auto& [share, z] : kNormal) result.emplace_back(share, -mean * std::log(1 - share));
    return result;
}

void has_shape(const std::vector<double>& values, double deviation, const Quantiles& quantiles) {
    ASSERT_GT(values.size(), 5000U);
    EXPECT_NEAR(deviation_of(values), deviation, deviation * 0.02);
    for (const auto& [share, wanted] : quantiles)
        EXPECT_NEAR(quantile_of(values, share), wanted, deviation * 0.03) << share;
}

std::vector<double> latencies(LatencyModel model) {
    return delays_of(send_many(with_latency(std::move(model)), Seed{3}));
}

// --- latency ---

TEST(LatencyShape, NormalHasItsDeviationAndQuantiles) {
    has_shape(latencies(NormalLatency{.mean = 30ms, .deviation = 5ms, .least = 1ms}), 5000,
              mapped([](double z) { return 30'000 + 5000 * z; }));
}

TEST(LatencyShape, NormalBelowItsLeastIsItsLeast) {
    const auto delays = latencies(NormalLatency{.mean = 30ms, .deviation = 5ms, .least = 28ms});
    EXPECT_EQ(*std::min_element(delays.begin(), delays.end()), 28'000);
    const auto least = static_cast<double>(std::count(delays.begin(), delays.end(), 28'000.0));
    EXPECT_NEAR(least / static_cast<double>(delays.size()), 0.3446, 0.005);  // 0.4 deviations below the mean
}

TEST(LatencyShape, LogNormalHasItsDeviationAndQuantiles) {
    const double sigma = 0.5;
    const double tail = std::exp(sigma * sigma);
    has_shape(latencies(LogNormalLatency{.median = 30ms, .least = 20ms, .sigma = sigma}),
              10'000 * std::sqrt((tail - 1) * tail),
              mapped([&](double z) { return 20'000 + 10'000 * std::exp(sigma * z); }));
}

/// The mean number of steps is what the mean leaves, less the half that spreading within a step adds.
void is_poisson(const PoissonLatency& model) {
    const double step = static_cast<double>(model.step.count());
    const double steps = static_cast<double>((model.mean - model.least).count()) / step - 0.5;
    const auto delays = latencies(model);
    EXPECT_NEAR(deviation_of(delays), step * std::sqrt(steps + 1.0 / 12), step * std::sqrt(steps) * 0.02);
    std::map<int, double> shares;
    for (const double delay : delays)
        shares[static_cast<int>((delay - static_cast<double>(model.least.count())) / step)] +=
            1 / static_cast<double>(delays.size());
    for (int count = 0; count < 2 * static_cast<int>(steps); ++count) {
        const double wanted = std::exp(count * std::log(steps) - steps - std::lgamma(count + 1.0));
        EXPECT_NEAR(shares[count], wanted, 0.004) << count;
    }
}

TEST(LatencyShape, PoissonHasItsDeviationAndTheShareOfEveryStep) {
    is_poisson({.mean = 30ms, .least = 20ms, .step = 1ms});
    is_poisson({.mean = 300ms, .least = 200ms, .step = 2ms});
}

TEST(LatencyShape, ATraceGivesEverySampleAsOften) {
    std::map<double, int> counts;
    for (const double delay :
         latencies(TraceLatency{.samples = samples({10ms, 20ms, 50ms, 20ms}), .share = 0.5, .interval = {}}))
        ++counts[delay];
    EXPECT_EQ(counts,
              (std::map<double, int>{{5000, kDraws / 4}, {10'000, kDraws / 2}, {25'000, kDraws / 4}}));
}

// --- added to the latency ---

std::vector<double> jitters(const Jitter& jitter) {
    NetworkModel model = with_latency(ConstantLatency{});
    model.jitter = jitter;
    return delays_of(send_many(model, Seed{3}));
}

TEST(JitterShape, IsExponential) { has_shape(jitters({.mean = 3ms}), 3000, exponential(3000)); }

TEST(JitterShape, SpikesComeAsOftenAsSaidAndAreExponential) {
    std::vector<double> spikes = jitters({.mean = {}, .spike_chance = 0.1, .spike_mean = 100ms});
    const auto all = static_cast<double>(spikes.size());
    std::erase(spikes, 0.0);
    EXPECT_NEAR(static_cast<double>(spikes.size()) / all, 0.1, 0.002);
    has_shape(spikes, 100'000, exponential(100'000));
}

TEST(JitterShape, LevelsAreExponentialAndLastAsLongAsSaid) {
    NetworkModel model = with_latency(ConstantLatency{});
    model.shift = LevelShift{.every = 2ms, .mean = 5ms};
    const auto delays = delays_of(send_many(model, Seed{3}, 2 * kDraws));
    std::vector<double> levels;
    for (std::size_t i = 0; i < delays.size(); ++i) {
        if (i % 2 == 0) levels.push_back(delays[i]);
        ASSERT_EQ(delays[i], levels.back()) << i;
    }
    has_shape(levels, 5000, exponential(5000));
}

/// Spread evenly between 0 and `most`.
void is_uniform(const std::vector<double>& values, double most) {
    has_shape(values, most / std::sqrt(12.0), {{0.05, 0.05 * most}, {0.5, 0.5 * most}, {0.95, 0.95 * most}});
}

TEST(JitterShape, WhatIsHeldBackOrCopiedComesLaterByAUniformShare) {
    NetworkModel model = with_latency(ConstantLatency{.delay = 30ms});
    model.reordering = {.chance = 0.2, .extra = 40ms};
    model.duplication = {.chance = 0.1, .extra = 20ms};
    std::vector<double> held;
    std::vector<double> copies;
    const auto verdicts = send_many(model, Seed{3});
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const Micros sent = static_cast<Micros>(i) * kGap + 30'000;
        if (verdicts[i].held_back) held.push_back(static_cast<double>(verdicts[i].arrival - sent));
        if (verdicts[i].second_copy > 0)
            copies.push_back(static_cast<double>(verdicts[i].second_copy - verdicts[i].arrival));
    }
    EXPECT_NEAR(static_cast<double>(held.size()), 0.2 * kDraws, 0.005 * kDraws);
    EXPECT_NEAR(static_cast<double>(copies.size()), 0.1 * kDraws, 0.005 * kDraws);
    is_uniform(held, 40'000);
    is_uniform(copies, 20'000);
}

// --- loss ---

/// Lengths of runs: of losses, or of deliveries between them.
std::vector<double> rows_of(const std::vector<bool>& lost, bool which) {
    std::vector<double> lengths;
    double length = 0;
    for (const bool one : lost) {
        if (one == which) {
            ++length;
        } else if (length > 0) {
            lengths.push_back(std::exchange(length, 0));
        }
    }
    return lengths;
}

/// Each further one with the same chance: the model has no memory but its state.
void are_geometric(const std::vector<double>& lengths, double mean) {
    ASSERT_GT(lengths.size(), 5000U);
    const double goes_on = 1 - 1 / mean;
    EXPECT_NEAR(mean_of(lengths), mean, mean * 0.03);
    EXPECT_NEAR(deviation_of(lengths), mean * std::sqrt(goes_on), mean * 0.04);
    for (const int length : {1, 2, 3, 5, 10, 20}) {
        const auto longer =
            std::count_if(lengths.begin(), lengths.end(), [&](double l) { return l > length; });
        EXPECT_NEAR(static_cast<double>(longer) / static_cast<double>(lengths.size()),
                    std::pow(goes_on, length), 0.015)
            << length;
    }
}

TEST(LossShape, BurstsAndTheGapsBetweenThemAreGeometric) {
    for (const double burst : {1.2, 3.0, 8.0}) {
        NetworkModel model;
        model.loss = BurstLoss{.mean = 0.1, .burst = burst};
        const auto lost = losses_of(send_many(model, Seed{3}, 1'000'000));
        are_geometric(rows_of(lost, true), burst);
        are_geometric(rows_of(lost, false), burst * 9);  // so that a tenth of all is lost
    }
}

TEST(LossShape, IndependentLossesComeInARowByChanceOnly) {
    NetworkModel model;
    model.loss = IndependentLoss{.mean = 0.25};
    const auto lost = losses_of(send_many(model, Seed{3}));
    are_geometric(rows_of(lost, true), 1 / 0.75);
    are_geometric(rows_of(lost, false), 4);
}

}  // namespace
}  // namespace fray::sim
