#pragma once
// Cells by a simple formula, for tests of fray advise.

#include "lab/advise/advisor.hpp"
#include "lab/advise/cell_cache.hpp"
#include "lab/advise/description.hpp"
#include "lab/advise/measure.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace fray::lab::advise {

/// Roughly as in section 6.2 of the paper: how much each algorithm delays, and which ones extrapolate.
class FakeRunner : public CellRunner {
public:
    explicit FakeRunner(Duration latency) : latency_{ms(latency)} {}

    Result<CellResult> measure(const Cell& cell) override {
        ++calls;
        if (stop != nullptr && calls >= stop_after) stop->store(true);
        if (fails) return Error{"the recordings are not there"};
        const double interval = ms(cell.consistency.interval);
        CellResult result{.felt = {.animation_ms = 17, .inputs = 1000, .viewer_frames = 1000},
                          .bytes_per_s = 60'000 / interval,
                          .top_speed = 20,
                          .recordings = 10};
        result.felt.propagation_ms = latency_ + interval / 2 + 8;
        if (cell.shots) result.felt.decision_ms = 2 * latency_ + 17;
        if (cell.shots) result.felt.decisions = 50;
        std::visit([&](const auto& algorithm) { add(algorithm, interval, result.felt); },
                   cell.consistency.algorithm);
        if (std::holds_alternative<Adaptive>(cell.consistency.algorithm)) result.bytes_per_s *= 1.2;
        return result;
    }

    std::atomic<int> calls{0};
    int stop_after = 0;  ///< calls; then the stop flag is set, if there is one
    std::atomic<bool>* stop = nullptr;
    bool fails = false;

private:
    static double ms(Duration duration) {
        return std::chrono::duration<double, std::milli>{duration}.count();
    }
    void add(const CentralizedSerialization&, double interval, Felt& felt) const {
        felt.response_ms = 2 * latency_ + interval / 2;
        felt.animation_ms = interval;
        felt.corrections = 6;
        felt.visible_jump = 1;
    }
    void add(const EverQuest&, double interval, Felt& felt) const {
        felt.response_ms = 2;
        felt.state_divergence = felt.corrections = (latency_ + interval) / 100;
        felt.shape_divergence = felt.visible_jump = felt.corrections;
    }
    void add(const LocalLag& algorithm, double, Felt& felt) const { delayed(ms(algorithm.lag), felt); }
    void add(const BucketSync& algorithm, double, Felt& felt) const {
        delayed(ms(algorithm.bucket) * algorithm.depth + 1, felt);
    }
    void add(const HalfLife& algorithm, double, Felt& felt) const {
        felt.response_ms = 2;
        felt.propagation_ms = ms(algorithm.remote_lag);
        felt.state_divergence = felt.propagation_ms / 100;
    }
    void add(const Adaptive&, double interval, Felt& felt) const {
        felt.response_ms = 2;
        felt.state_divergence = felt.corrections = (latency_ + interval) / 200;
    }
    void delayed(double lag, Felt& felt) const {
        felt.response_ms = lag;
        felt.propagation_ms = std::max(felt.propagation_ms, lag);
        felt.corrections = std::max(0.0, felt.propagation_ms - lag) / 100;
        felt.state_divergence = felt.corrections;
    }

    double latency_;
};

inline Network fake_network(Duration latency = 16ms) {
    return {.name = "same-continent", .content = {}, .median_latency = latency};
}

inline Description described(const std::string& body) {
    auto description = parse_description("game = \"Test\"\n" + body, "game.toml");
    if (!description) ADD_FAILURE() << description.error().message;
    return description ? *description : Description{};
}

/// All cells of a description, by the formula.
inline Measured measured_cells(const Description& description, const Network& network) {
    FakeRunner runner{network.median_latency};
    Measured measured;
    for (const Cell& cell : cells_needed(description, network)) {
        const auto result = runner.measure(cell);
        if (result) measured.emplace(cell_key(cell, network.content), *result);
    }
    return measured;
}

inline std::vector<Advice> advised(const Description& description, Duration latency = 16ms) {
    const Network network = fake_network(latency);
    return advise(description, network, measured_cells(description, network));
}

}  // namespace fray::lab::advise
