#include "sim/network_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace fray::sim {
namespace {

// --- a contract over every latency model: it reaches the mean it declares, and repeats itself under a seed
// ---

struct LatencyCase {
    std::string name;
    LatencyModel model;
    double mean_us;
};

std::vector<LatencyCase> latency_cases() {
    const double sigma = 0.5;
    const auto matrix =
        std::make_shared<const PairMatrix>(PairMatrix{.size = 2, .one_way = {0us, 30ms, 30ms, 0us}});
    return {
        {"constant", ConstantLatency{.delay = 30ms}, 30'000},
        {"normal", NormalLatency{.mean = 30ms, .deviation = 5ms, .least = 1ms}, 30'000},
        {"poisson", PoissonLatency{.mean = 30ms, .least = 20ms, .step = 1ms}, 30'000},
        {"poisson_wide", PoissonLatency{.mean = 300ms, .least = 200ms, .step = 2ms}, 300'000},
        {"log_normal", LogNormalLatency{.median = 30ms, .least = 20ms, .sigma = sigma},
         20'000 + 10'000 * std::exp(sigma * sigma / 2)},
        {"trace", TraceLatency{.samples = samples({10ms, 20ms, 30ms}), .share = 0.5, .interval = {}}, 10'000},
        {"trace_full", TraceLatency{.samples = samples({10ms, 20ms, 30ms}), .share = 1, .interval = {}},
         20'000},
        {"matrix", MatrixLatency{.matrix = matrix, .shuffle = true, .same_site = 1ms}, 30'000}};
}

class LatencyContract : public ::testing::TestWithParam<LatencyCase> {};

TEST_P(LatencyContract, ReachesTheMeanItDeclares) {
    const auto delays = delays_of(send_many(with_latency(GetParam().model), Seed{1}));
    ASSERT_EQ(delays.size(), static_cast<std::size_t>(kDraws));
    EXPECT_NEAR(mean_of(delays), GetParam().mean_us, GetParam().mean_us * 0.01);
}

TEST_P(LatencyContract, GivesTheSameDrawsUnderTheSameSeed) {
    const NetworkModel model = with_latency(GetParam().model);
    EXPECT_EQ(delays_of(send_many(model, Seed{1}, 1000)), delays_of(send_many(model, Seed{1}, 1000)));
}

TEST_P(LatencyContract, KeepsTheOrderOfSendingWhereAsked) {
    NetworkModel model = with_latency(GetParam().model);
    model.keep_order = true;
    model.jitter = Jitter{.mean = 3ms, .spike_chance = 0.01, .spike_mean = 100ms};
    const std::vector<Verdict> verdicts = send_many(model, Seed{1}, 20'000);
    for (std::size_t i = 1; i < verdicts.size(); ++i) ASSERT_GE(verdicts[i].arrival, verdicts[i - 1].arrival);
}

INSTANTIATE_TEST_SUITE_P(Network, LatencyContract, ::testing::ValuesIn(latency_cases()),
                         [](const auto& test) { return test.param.name; });

TEST(Network, DrawsDifferUnderAnotherSeed) {
    const NetworkModel model = with_latency(NormalLatency{.mean = 30ms, .deviation = 5ms, .least = 1ms});
    EXPECT_NE(delays_of(send_many(model, Seed{1}, 1000)), delays_of(send_many(model, Seed{2}, 1000)));
}

// --- loss ---

TEST(Network, IndependentLossReachesItsMean) {
    NetworkModel model;
    model.loss = IndependentLoss{.mean = 0.1};
    EXPECT_NEAR(share_of(losses_of(send_many(model, Seed{1}))), 0.1, 0.003);
}

TEST(Network, BurstLossReachesItsMeanAndItsBurstLength) {
    for (const double burst : {1.2, 3.0, 10.0}) {
        NetworkModel model;
        model.loss = BurstLoss{.mean = 0.05, .burst = burst};
        const std::vector<bool> lost = losses_of(send_many(model, Seed{1}, 1'000'000));
        double bursts = 0;
        for (std::size_t i = 1; i < lost.size(); ++i) bursts += lost[i] && !lost[i - 1] ? 1 : 0;
        const double losses = share_of(lost) * static_cast<double>(lost.size());
        EXPECT_NEAR(share_of(lost), 0.05, 0.004) << burst;
        EXPECT_NEAR(losses / bursts, burst, burst * 0.05);
    }
}

TEST(Network, LostSamplesOfATraceAreLostDatagrams) {
    const auto model = with_latency(
        TraceLatency{.samples = samples({10ms, kLostSample, 30ms, 40ms}), .share = 1, .interval = {}});
    EXPECT_NEAR(share_of(losses_of(send_many(model, Seed{1}))), 0.25, 1e-4);
}

TEST(Network, ATraceWithAnIntervalIsReadByTimeNotByDatagram) {
    const auto model = with_latency(
        TraceLatency{.samples = samples({10ms, 20ms, 30ms, 40ms}), .share = 1, .interval = 100ms});
    const auto delays = delays_of(send_many(model, Seed{1}, 400));
    for (std::size_t i = 1; i < 400; ++i) EXPECT_EQ(delays[i] != delays[i - 1], i % 100 == 0) << i;
}

// --- one feature does not shift another ---

TEST(Network, SwitchingFeaturesOnDoesNotChangeWhoIsLost) {
    NetworkModel plain;
    plain.loss = IndependentLoss{.mean = 0.1};
    NetworkModel full = plain;
    full.latency = LogNormalLatency{.median = 30ms, .least = 20ms, .sigma = 0.5};
    full.jitter = Jitter{.mean = 3ms, .spike_chance = 0.1, .spike_mean = 100ms};
    full.reordering = Reordering{.chance = 0.2, .extra = 10ms};
    full.duplication = Duplication{.chance = 0.2, .extra = 10ms};
    full.shift = LevelShift{.every = 15s, .mean = 5ms};
    EXPECT_EQ(losses_of(send_many(plain, Seed{1}, 20'000)), losses_of(send_many(full, Seed{1}, 20'000)));
}

TEST(Network, SwitchingLossOnDoesNotChangeTheDelaysOfThoseThatArrive) {
    const NetworkModel plain = with_latency(LogNormalLatency{.median = 30ms, .least = 20ms, .sigma = 0.5});
    NetworkModel lossy = plain;
    lossy.loss = IndependentLoss{.mean = 0.3};
    const auto all = send_many(plain, Seed{1}, 20'000);
    const auto some = send_many(lossy, Seed{1}, 20'000);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (some[i].dropped) {
            ++lost;
        } else {
            ASSERT_EQ(some[i].arrival, all[i].arrival);
        }
    }
    EXPECT_GT(lost, 5000U);
}

TEST(Network, WhatOnePeerSendsDoesNotShiftAnothersLuck) {
    NetworkModel model;
    model.loss = IndependentLoss{.mean = 0.5};
    Network alone{model, Seed{1}, 0};
    Network shared{model, Seed{1}, 0};
    for (int i = 0; i < 3; ++i) {
        alone.add_peer({});
        shared.add_peer({});
    }
    for (Micros t = 0; t < 1000; ++t) {
        (void)shared.transmit(t, 1, 2, 100);
        ASSERT_EQ(alone.transmit(t, 0, 2, 100).dropped, shared.transmit(t, 0, 2, 100).dropped);
    }
}

// --- duplication, reordering, shifts, partitions, rules ---

TEST(Network, DuplicatesTheShareItIsTold) {
    NetworkModel model;
    model.duplication = Duplication{.chance = 0.05, .extra = 10ms};
    std::vector<bool> twice;
    for (const Verdict& verdict : send_many(model, Seed{1})) {
        twice.push_back(verdict.second_copy != 0);
        if (twice.back()) {
            ASSERT_GT(verdict.second_copy, verdict.arrival);
        }
    }
    EXPECT_NEAR(share_of(twice), 0.05, 0.003);
}

TEST(Network, ReorderedDatagramsAreOvertakenAndTheOthersKeepTheirOrder) {
    NetworkModel model;
    model.latency = ConstantLatency{.delay = 20ms};
    model.jitter = Jitter{.mean = 1ms, .spike_chance = 0, .spike_mean = {}};
    model.reordering = Reordering{.chance = 0.1, .extra = 10ms};
    Micros newest = 0;
    std::size_t overtaken = 0;
    std::vector<bool> held;
    for (const Verdict& verdict : send_many(model, Seed{1})) {
        held.push_back(verdict.held_back);
        if (verdict.held_back) continue;
        ASSERT_GE(verdict.arrival, newest);
        newest = verdict.arrival;
    }
    const auto verdicts = send_many(model, Seed{1}, 10'000);
    for (std::size_t i = 0; i + 1 < verdicts.size(); ++i)
        overtaken += verdicts[i].arrival > verdicts[i + 1].arrival;
    EXPECT_NEAR(share_of(held), 0.1, 0.004);
    EXPECT_GT(overtaken, 300U);
}

TEST(Network, BothDirectionsOfAPairShiftAlike) {
    NetworkModel model;
    model.latency = ConstantLatency{.delay = 10ms};
    model.shift = LevelShift{.every = 15s, .mean = 5ms};
    Network network{model, Seed{1}, 0};
    for (int i = 0; i < 2; ++i) network.add_peer({});
    std::vector<double> levels;
    for (Micros slot = 0; slot < 2000; ++slot) {
        const Micros now = slot * 15'000'000;
        const Micros there = network.transmit(now, 0, 1, 100).arrival - now;
        EXPECT_EQ(there, network.transmit(now, 1, 0, 100).arrival - now);
        EXPECT_EQ(there, network.transmit(now + 14'000'000, 0, 1, 100).arrival - now - 14'000'000);
        levels.push_back(static_cast<double>(there - 10'000));
    }
    EXPECT_NEAR(mean_of(levels), 5000, 400);
}

TEST(Network, PartitionsCutBetweenGroupsWhileTheyLastAndOnlyThen) {
    NetworkModel model;
    model.partitions = {Partition{.from = 1s, .until = 2s, .groups = {{0}, {1}}}};
    Network network{model, Seed{1}, 0};
    for (int i = 0; i < 4; ++i) network.add_peer({});
    EXPECT_FALSE(network.transmit(999'999, 0, 1, 100).dropped);
    EXPECT_EQ(network.transmit(1'000'000, 0, 1, 100).dropped, DropReason::partitioned);
    EXPECT_EQ(network.transmit(1'000'000, 0, 2, 100).dropped, DropReason::partitioned);
    EXPECT_FALSE(network.transmit(1'000'000, 2, 3, 100).dropped) << "those in no group are together";
    EXPECT_EQ(network.transmit(1'999'999, 1, 0, 100).dropped, DropReason::partitioned);
    EXPECT_FALSE(network.transmit(2'000'000, 0, 1, 100).dropped);
}

TEST(Network, PathRulesHoldForTheirOrderedPairAlone) {
    NetworkModel model;
    model.latency = ConstantLatency{.delay = 10ms};
    PathRule rule;
    rule.from = 0;
    rule.to = 1;
    rule.latency = ConstantLatency{.delay = 70ms};
    model.paths = {rule};
    Network network{model, Seed{1}, 0};
    for (int i = 0; i < 3; ++i) network.add_peer({});
    EXPECT_EQ(network.transmit(0, 0, 1, 100).arrival, 70'000);
    EXPECT_EQ(network.transmit(0, 1, 0, 100).arrival, 10'000);
    EXPECT_EQ(network.transmit(0, 0, 2, 100).arrival, 10'000);
}

TEST(Network, AnAsymmetricMatrixGivesEachDirectionItsOwnDelay) {
    const auto matrix =
        std::make_shared<const PairMatrix>(PairMatrix{.size = 2, .one_way = {0us, 10ms, 90ms, 0us}});
    NetworkModel model = with_latency(MatrixLatency{.matrix = matrix, .shuffle = false, .same_site = 1ms});
    Network network{model, Seed{1}, 0};
    for (int i = 0; i < 4; ++i) network.add_peer({});
    EXPECT_EQ(network.transmit(0, 0, 1, 100).arrival, 10'000);
    EXPECT_EQ(network.transmit(0, 1, 0, 100).arrival, 90'000);
    EXPECT_EQ(network.transmit(0, 2, 1, 100).arrival, 10'000) << "peer 2 sits on site 0 again";
    EXPECT_EQ(network.transmit(0, 0, 2, 100).arrival, 1'000);
}

TEST(Network, AFixedDelayReplacesLatencyAndJitter) {
    NetworkModel model;
    model.latency = ConstantLatency{.delay = 10ms};
    model.jitter = Jitter{.mean = 5ms, .spike_chance = 0, .spike_mean = {}};
    Network network{model, Seed{1}, 199'999};
    for (int i = 0; i < 2; ++i) network.add_peer({});
    for (Micros t = 0; t < 100; ++t) EXPECT_EQ(network.transmit(t, 0, 1, 100).arrival, t + 199'999);
}

}  // namespace
}  // namespace fray::sim
