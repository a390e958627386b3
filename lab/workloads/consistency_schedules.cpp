#include "lab/workloads/consistency_schedules.hpp"

#include "lab/workloads/consistency_setup.hpp"
#include "lab/workloads/network_schedule.hpp"
#include "lab/workloads/recorded_pair.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace fray::lab {

namespace {

constexpr Duration kLength{60s};  // longer than the game

Consistency adaptive(const Parameters& p, Duration least, Duration most) {
    return {.algorithm = Adaptive{.most_lag = most, .least_lag = least, .lag = least},
            .interval = rounded_ms(p.number("interval_ms"))};
}

NetworkModel network(Seed seed) {
    NetworkModel model;
    model.latency = random_schedule(seed, kLength);
    model.keep_order = false;
    return model;
}

/// The best of all fixed lags.
struct Hindsight {
    double cost = std::numeric_limits<double>::infinity();
    Duration lag{};
};

/// Nothing if the user wanted to stop.
Result<std::optional<Hindsight>> hindsight(const Parameters& p, std::uint64_t recording, Seed seed,
                                           RunContext& context, Work& work) {
    Hindsight best;
    const Duration most = rounded_ms(p.number("most_lag_ms"));
    const Duration step = rounded_ms(p.number("step_ms"));
    for (Duration next{}; next < most + step; next += step) {
        const Duration lag = std::min(next, most);
        const auto fixed = play_recorded(adaptive(p, lag, lag), network(seed), recording, seed, context);
        if (!fixed) return fixed.error();
        if (!fixed->has_value()) return std::optional<Hindsight>{};
        work += (*fixed)->work;
        if ((*fixed)->cost < best.cost) best = {(*fixed)->cost, lag};
    }
    return std::optional{best};
}

std::vector<ParameterSpec> schedule_parameters() {
    return {ParameterSpec::number("interval_ms", 50, 0, 2000, "between two updates of a ship"),
            ParameterSpec::number("most_lag_ms", 50, 0, 1000, "that the algorithm may choose"),
            ParameterSpec::number("step_ms", 10, 1, 1000, "between two fixed lags"),
            ParameterSpec::integer("first_recording", 1, 1, 1000,
                                   "seed of the recording that the first run plays; the next ones follow")};
}

std::vector<ColumnSpec> schedule_columns() {
    using enum Aggregate;
    return {{"cost", "", mean, "of following the network: what the algorithm minimises, as on the screens"},
            {"best_fixed_cost", "", mean, "of the lag that hindsight would have chosen for this schedule"},
            {"best_fixed_lag_ms", "ms", mean, "that lag"},
            {"cost_ratio", "", mean, "the first to the second, schedule by schedule"},
            {"cost_ratio_max", "", max, "in the worst schedule"},
            {"within_tenth_pct", "%", mean, "of the schedules: following costs at most a tenth more"},
            {"response_ms", "ms", mean, "from an input to its effect on the own screen"},
            {"state_divergence_pct", "%", mean, "of the screen, between the two screens"},
            {"visible_jump_pct", "%", mean, "99th percentile: farther than the owner moves in a frame"},
            {"inputs", "", sum, "of both players"}};
}

}  // namespace

ConsistencySchedules::ConsistencySchedules()
    : TabledExperiment{"consistency_schedules", schedule_parameters(), schedule_columns()} {}

Result<void> ConsistencySchedules::check(const Parameters& p) const {
    return adaptive(p, Duration{0}, rounded_ms(p.number("most_lag_ms"))).check();
}

Result<RunOutput> ConsistencySchedules::run(const Parameters& p, Seed seed, RunContext& context) const {
    RunOutput output;
    const auto recording = static_cast<std::uint64_t>(p.integer("first_recording")) + context.replication();
    const Consistency follows = adaptive(p, Duration{0}, rounded_ms(p.number("most_lag_ms")));
    const auto played = play_recorded(follows, network(seed), recording, seed, context);
    if (!played) return played.error();
    if (!played->has_value()) return output;
    const PairFigures& figures = **played;
    output.work = figures.work;
    const auto best = hindsight(p, recording, seed, context, output.work);
    if (!best) return best.error();
    if (!best->has_value()) return output;
    const double ratio = figures.cost / (*best)->cost;
    output.set("cost", figures.cost);
    output.set("best_fixed_cost", (*best)->cost);
    output.set("best_fixed_lag_ms", millis((*best)->lag));
    output.set("cost_ratio", ratio);
    output.set("cost_ratio_max", ratio);
    output.set("within_tenth_pct", ratio <= 1.1 ? 100.0 : 0.0);
    output.set("response_ms", figures.felt.response_ms);
    output.set("state_divergence_pct", figures.felt.state_divergence);
    output.set("visible_jump_pct", figures.felt.visible_jump);
    output.set("inputs", figures.felt.inputs);
    return output;
}

}  // namespace fray::lab
