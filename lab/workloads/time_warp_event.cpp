#include "lab/workloads/time_warp_event.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/event_warp/event_swarm.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/workloads/time_warp_shared.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray::lab {

namespace {

using panzer::EventMatchOptions;
using panzer::EventReport;
using panzer::EventSwarmResult;

constexpr std::array kStepLags{0, 200, 400, 600};  // ms, of lag_steps
constexpr double kLatenessBin = 10;                // ms

std::vector<ParameterSpec> parameters_of_events() {
    return {
        {.name = "lag_steps",
         .fallback = false,
         .meaning = "instead of lag_ms: 0, 200, 400 and 600 ms, a quarter of the match each"},
        ParameterSpec::number("render_pass_ms", 20, 0, 1000, "mean pass of the render loop; fitted"),
        ParameterSpec::number("clock_error_ms", 10, 0, 1000, "largest error of a peer's clock; fitted"),
        ParameterSpec::choice("rule", {"state", "message"}, "state",
                              "a message is late if a later state was saved or a later message executed, or "
                              "only by a message"),
        ParameterSpec::choice("loop", {"network_first", "keys_first"}, "network_first",
                              "what a frame does first: empty the outer queue, or read the keys"),
        ParameterSpec::number("told_angle", 10, 1, 180, "degrees: a turret at rest that is so wrong is told"),
        ParameterSpec::number("told_turning", 45, 1, 180, "the same while it turns")};
}

std::vector<ColumnSpec> event_rollback_columns() {
    using enum Aggregate;
    return {{"rollbacks_per_peer", "", mean, "late messages of one pass cause one"},
            {"rollback_depth_ms_p50", "ms", mean, "from the saved state or the late message to the present"},
            {"rollback_depth_ms_p99", "ms", mean, "the same"},
            {"late_below_50ms_pct", "%", mean, "rollbacks whose latest message was late by less"},
            {"late_below_100ms_pct", "%", mean, "the same"},
            {"late_messages", "", sum, "of all peers: messages that needed a rollback"},
            {"late_nulls", "", sum, "of all peers: null-messages that did"},
            {"visible_rollbacks", "", sum,
             "of all peers: frames with a rollback in which a tank on the screen moved farther than it can "
             "drive, by more than a tenth of its diameter"},
            {"reversed_deaths", "", sum, "of all peers: shown, and then shown alive in the same life"},
            {"null_messages", "", sum, "of all peers: for messages that should not have been sent"},
            {"entity_ticks_reexecuted_per_tick", "", mean,
             "messages that a peer executes again, per tick of the match: each moves one tank"},
            {"desyncs", "", sum, "of all peers: differences of final states"},
            {"stalled_ticks", "", sum, "none: no frame waits for another peer"},
            {"response_ms", "ms", max, "one frame: the screen of a frame shows the keys read in it"}};
}

std::vector<ColumnSpec> event_match_columns() {
    using enum Aggregate;
    std::vector<ColumnSpec> columns{
        {"upload_kbps_mean", "kbit/s", mean, "of a peer during the match, headers included"},
        {"messages_per_s_moving", "", mean, "of a player whose tank moves, or holds a key of motion"},
        {"messages_per_s_standing", "", mean, "of a player otherwise; the answers to hits are not counted"},
        {"hits", "", sum, "of all guns"},
        {"deaths", "", sum, "of all tanks"},
        {"states_equal", "", mean,
         "share of runs after which all peers have the state that all messages give, executed in order"},
        {"dynamic_pct", "%", mean, "of a living tank's time with a key of motion held down"}};
    for (const int lag : kStepLags)
        columns.push_back({"dynamic_" + std::to_string(lag) + "ms_pct", "%", mean,
                           "lag_steps: the same in the quarter with this lag"});
    columns.push_back({"trace_hash", "", hash, "of every datagram"});
    return columns;
}

EventMatchOptions event_options(const Parameters& parameters, Seed seed) {
    const auto ms = [&](const char* name) { return from_milliseconds(parameters.number(name)); };
    EventMatchOptions options;
    options.players = static_cast<std::uint32_t>(parameters.integer("players"));
    options.length = from_seconds(parameters.number("seconds"));
    options.lags = {std::chrono::milliseconds{parameters.integer("lag_ms")}};
    if (parameters.flag("lag_steps")) {
        options.lags.clear();
        for (const int lag : kStepLags) options.lags.emplace_back(std::chrono::milliseconds{lag});
    }
    using Behaviour = EventMatchOptions::Behaviour;
    const std::string& behaviour = parameters.text("behaviour");
    options.behaviour = behaviour == "adapting"    ? Behaviour::adapting
                        : behaviour == "unchanged" ? Behaviour::unchanged
                                                   : Behaviour::free;
    options.lag_changes = parameters.flag("lag_changes");
    options.late_joiners = static_cast<std::uint32_t>(parameters.integer("late_joiners"));
    options.render_pass = ms("render_pass_ms");
    options.clock_error = ms("clock_error_ms");
    options.late_by_state = parameters.text("rule") == "state";
    options.keys_first = parameters.text("loop") == "keys_first";
    options.told_angle = static_cast<float>(parameters.number("told_angle"));
    options.told_turning = static_cast<float>(parameters.number("told_turning"));
    options.seed = seed;
    return options;
}

/// Figures 7 to 9: rollbacks of all peers by how late their latest message was.
Curve lateness_curve(const std::vector<double>& lateness) {
    Curve curve{.name = "lateness", .columns = {"late_ms", "rollbacks"}, .rows = {}};
    for (const double late : lateness) {
        const auto bin = static_cast<std::size_t>(std::max(0.0, late) / kLatenessBin);
        while (curve.rows.size() <= bin)
            curve.rows.push_back({static_cast<double>(curve.rows.size()) * kLatenessBin, 0});
        ++curve.rows[bin][1];
    }
    return curve;
}

void conclude_event_rollbacks(RunOutput& output, const std::vector<EventReport>& reports) {
    std::vector<double> lateness;
    std::vector<double> depths;
    for (const EventReport& report : reports) {
        for (const Rollback& rollback : report.rollbacks) {
            lateness.push_back(millis(rollback.lateness));
            depths.push_back(millis(rollback.depth));
        }
    }
    const auto below = [&](double limit) {
        const auto count = std::ranges::count_if(lateness, [&](double late) { return late < limit; });
        return 100 * share(static_cast<std::uint64_t>(count), lateness.size());
    };
    output.set("rollbacks_per_peer", share(std::uint64_t{lateness.size()}, reports.size()));
    output.set("rollback_depth_ms_p50", quantile(depths, 0.5));
    output.set("rollback_depth_ms_p99", quantile(depths, 0.99));
    output.set("late_below_50ms_pct", below(50));
    output.set("late_below_100ms_pct", below(100));
    output.curves.push_back(lateness_curve(lateness));
}

void conclude_event_counts(RunOutput& output, const std::vector<EventReport>& reports) {
    EventReport sum;
    for (const EventReport& report : reports) {
        sum.counts.late_messages += report.counts.late_messages;
        sum.counts.late_nulls += report.counts.late_nulls;
        sum.counts.null_messages += report.counts.null_messages;
        sum.counts.executed_again += report.counts.executed_again;
        sum.frames += report.frames;
        sum.desyncs += report.desyncs;
        sum.visible_rollbacks += report.visible_rollbacks;
        sum.reversed_deaths += report.reversed_deaths;
    }
    output.set("late_messages", sum.counts.late_messages);
    output.set("late_nulls", sum.counts.late_nulls);
    output.set("null_messages", sum.counts.null_messages);
    output.set("entity_ticks_reexecuted_per_tick", share(sum.counts.executed_again, sum.frames));
    output.set("desyncs", sum.desyncs);
    output.set("visible_rollbacks", sum.visible_rollbacks);
    output.set("reversed_deaths", sum.reversed_deaths);
    output.set("stalled_ticks", std::uint64_t{0});
    output.set("response_ms", millis(panzer::kStepTime));
}

void conclude_event_players(RunOutput& output, const std::vector<EventReport>& reports, bool has_steps) {
    std::uint64_t moving = 0;
    std::uint64_t standing = 0;
    std::uint64_t moving_frames = 0;
    std::uint64_t frames = 0;
    std::vector<double> upload;
    std::vector<EventReport::Phase> phases(reports.front().phases.size());
    EventReport::Phase all;
    for (const EventReport& report : reports) {
        moving += report.sent_moving;
        standing += report.sent_standing;
        moving_frames += report.moving_frames;
        frames += report.frames;
        upload.push_back(report.upload_kbps);
        for (std::size_t i = 0; i < phases.size(); ++i) {
            phases[i].living_frames += report.phases[i].living_frames;
            phases[i].dynamic_frames += report.phases[i].dynamic_frames;
            all.living_frames += report.phases[i].living_frames;
            all.dynamic_frames += report.phases[i].dynamic_frames;
        }
    }
    const auto per_second = [](std::uint64_t count, std::uint64_t in_frames) {
        return share(count, in_frames) / seconds(panzer::kStepTime);
    };
    output.set("upload_kbps_mean", summarize(upload).mean);
    output.set("messages_per_s_moving", per_second(moving, moving_frames));
    output.set("messages_per_s_standing", per_second(standing, frames - moving_frames));
    output.set("dynamic_pct", 100 * share(all.dynamic_frames, all.living_frames));
    if (!has_steps) return;
    for (std::size_t i = 0; i < phases.size(); ++i)
        output.set("dynamic_" + std::to_string(kStepLags[i]) + "ms_pct",
                   100 * share(phases[i].dynamic_frames, phases[i].living_frames));
}

RunOutput conclude_events(const EventSwarmResult& result, const EventMatchOptions& options) {
    RunOutput output;
    conclude_event_rollbacks(output, result.reports);
    conclude_event_counts(output, result.reports);
    conclude_event_players(output, result.reports, options.lags.size() > 1);
    std::uint64_t hits = 0;
    std::uint64_t deaths = 0;
    for (const panzer::EventTank& tank : result.reports.front().tanks) {
        hits += tank.hits;
        deaths += tank.deaths;
    }
    output.set("hits", hits);
    output.set("deaths", deaths);
    output.set("states_equal", result.as_oracle ? 1.0 : 0.0);
    output.set("trace_hash", Fingerprint{}.add(result.trace_hash).hex());
    output.work = {.peers = options.players,
                   .rounds = static_cast<std::uint64_t>(options.length / panzer::kStepTime),
                   .messages = result.datagrams};
    return output;
}

}  // namespace

TimeWarpEvent::TimeWarpEvent()
    : TabledExperiment{"time_warp_event", joined({parameters_of_time_warp(), parameters_of_events()}),
                       joined({event_rollback_columns(), event_match_columns()})} {}

Result<void> TimeWarpEvent::check(const Parameters& parameters) const {
    if (parameters.flag("lag_steps") && parameters.integer("lag_ms") != 0)
        return Error{"lag_steps excludes lag_ms: set lag_ms = 0"};
    return check_time_warp(parameters);
}

Result<void> TimeWarpEvent::check_files(const Parameters& parameters) const {
    const auto network = time_warp_network(parameters);
    if (!network) return network.error();
    if (auto checked = network->check(); !checked) return checked;
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto players = static_cast<std::size_t>(parameters.integer("players"));
    if (players > map->most_tanks())
        return Error{"map " + map->name + " has room for " + std::to_string(map->most_tanks()) + " tanks"};
    return {};
}

Result<RunOutput> TimeWarpEvent::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto network = time_warp_network(parameters);
    if (!network) return network.error();
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const panzer::Battlefield field{*map};
    const EventMatchOptions options = event_options(parameters, seed);
    const auto result = panzer::play_event_match(field, *mesh, options, *network, [&](double done) {
        context.progress(done);
        return !context.stop_requested();
    });
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    return conclude_events(*result, options);
}

}  // namespace fray::lab
