#pragma once
// Sends many datagrams through a network model and summarises their delays and losses.

#include "sim/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace fray::sim {

inline constexpr Micros kGap = 1000;
inline constexpr int kDraws = 200'000;

/// Sends `count` datagrams from peer 0 to peer 1, a millisecond apart.
inline std::vector<Verdict> send_many(const NetworkModel& model, Seed seed, int count = kDraws) {
    const Result<void> checked = model.check();
    EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
    Network network{model, seed, 0};
    for (int i = 0; i < 4; ++i) network.add_peer(model.access);
    std::vector<Verdict> verdicts;
    for (int i = 0; i < count; ++i) verdicts.push_back(network.transmit(i * kGap, 0, 1, 128));
    return verdicts;
}

inline std::vector<double> delays_of(const std::vector<Verdict>& verdicts) {
    std::vector<double> delays;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (verdicts[i].dropped) continue;
        delays.push_back(static_cast<double>(verdicts[i].arrival - static_cast<Micros>(i) * kGap));
    }
    return delays;
}

inline double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

inline std::vector<bool> losses_of(const std::vector<Verdict>& verdicts) {
    std::vector<bool> lost;
    for (const Verdict& verdict : verdicts) lost.push_back(verdict.dropped == DropReason::lost);
    return lost;
}

inline double share_of(const std::vector<bool>& flags) {
    return static_cast<double>(std::count(flags.begin(), flags.end(), true)) /
           static_cast<double>(flags.size());
}

inline NetworkModel with_latency(LatencyModel latency) {
    NetworkModel model;
    model.latency = std::move(latency);
    model.keep_order = false;
    return model;
}

inline std::shared_ptr<const std::vector<Duration>> samples(std::initializer_list<Duration> values) {
    return std::make_shared<const std::vector<Duration>>(values);
}

/// The root of the mean squared distance from the mean.
inline double deviation_of(const std::vector<double>& values) {
    const double mean = mean_of(values);
    double sum = 0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

inline double quantile_of(std::vector<double> values, double share) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace fray::sim
