#include "lab/workloads/time_warp_input.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/bots/pace.hpp"
#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/workloads/time_warp_shared.hpp"
#include "sim/network.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {

namespace {

using panzer::MatchReport;
using panzer::SwarmMatchResult;
using panzer::WarpReport;

std::vector<ParameterSpec> parameters_of_inputs() {
    return {
        ParameterSpec::choice("mode", {"ffa", "teams", "flag"}, "ffa", "what the match is about"),
        ParameterSpec::choice("reexecution", {"causal", "whole"}, "causal", "what a rollback executes again"),
        ParameterSpec::choice("store", {"undo_log", "full_copy"}, "undo_log", "how the past is kept"),
        ParameterSpec::integer("budget", 20'000, 1, 1'000'000'000,
                               "entity-ticks that a peer executes again in a frame; the rest later"),
        ParameterSpec::choice("picture", {"gliding", "simulated"}, "gliding",
                              "where a rollback has moved a tank, its picture glides there; or it jumps, as "
                              "in event mode"),
        ParameterSpec::number("input_delay_ms", 0, 0, 1000,
                              "most that an own input is delayed; follows the network")};
}

std::vector<ColumnSpec> rollback_columns() {
    using enum Aggregate;
    return {
        {"rollbacks_per_peer", "", mean, "late messages between two frames cause one"},
        {"rollback_depth_ms_p50", "ms", mean, "from the earliest late message to the present; mean of peers"},
        {"rollback_depth_ms_p99", "ms", mean, "the same"},
        {"late_below_50ms_pct", "%", mean, "rollbacks by messages that were late by less; mean of peers"},
        {"late_below_100ms_pct", "%", mean, "the same"},
        {"visible_rollbacks", "", sum,
         "of all peers: frames with a rollback in which a tank on the screen moved farther than it can "
         "drive, by more than a tenth of its diameter"},
        {"shown_error_m_p95", "m", max, "between a tank on the screen and in the simulation; worst peer"},
        {"null_messages", "", sum, "none in input mode"},
        {"entity_ticks_reexecuted_per_tick", "", mean,
         "tanks, items, doors and flags that a peer executes again, per tick of the match"},
        {"stalled_ticks", "", sum, "of all peers: not executed when due"}};
}

std::vector<ColumnSpec> outcome_columns() {
    using enum Aggregate;
    return {{"response_ms", "ms", max, "from a key to its effect on the own screen; mean of the worst peer"},
            {"death_final_ms_p95", "ms", max, "from a death until it is announced as final; worst peer"},
            {"largest_one_way_ms", "ms", max, "delay of a datagram that is not lost, and lag_ms"},
            {"death_final_beyond_ms_p95", "ms", max, "death_final_ms_p95 less largest_one_way_ms"},
            {"reversed_deaths", "", sum, "of all peers: announced, and not in the last state"},
            {"desyncs", "", sum, "of all peers: differences of states"},
            {"states_equal", "", mean,
             "share of runs at whose end all players were there, with the same last state and scoreboard"},
            {"upload_kbps_mean", "kbit/s", mean, "of a peer during the match, headers included"},
            {"inputs_per_s", "", mean, "that a player sends"},
            {"hits", "", sum, "of all guns"},
            {"deaths", "", sum, "of all tanks"},
            {"pickups", "", sum, "items taken"},
            {"state_hash", "", hash, "of the last state"},
            {"trace_hash", "", hash, "of every datagram"}};
}

/// Of datagrams between all pairs of these peers.
Duration largest_latency(const NetworkModel& model, std::uint32_t peers) {
    constexpr int kPerPair = 100;
    constexpr sim::Micros kInterval = 200'000;
    constexpr std::uint32_t kBytes = 100;
    sim::Network network{model, Seed{1}, 0};
    for (PeerIndex peer = 0; peer < peers; ++peer) network.add_peer({});
    sim::Micros largest = 0;
    for (int i = 0; i < kPerPair; ++i) {
        const sim::Micros now = i * kInterval;
        for (PeerIndex from = 0; from < peers; ++from) {
            for (PeerIndex to = 0; to < peers; ++to) {
                if (from == to) continue;
                const auto verdict = network.transmit(now, from, to, kBytes);
                if (!verdict.dropped) largest = std::max(largest, verdict.arrival - now);
            }
        }
    }
    return Duration{largest};
}

Result<panzer::MatchOptions> warp_match_options(const Parameters& parameters, Seed seed) {
    const auto mode = panzer::parse_mode(parameters.text("mode"));
    if (!mode) return mode.error();
    panzer::MatchOptions match;
    match.mode = *mode;
    match.players = static_cast<std::uint32_t>(parameters.integer("players"));
    match.length = from_seconds(parameters.number("seconds"));
    match.seed = seed;
    panzer::TimeWarpChoice& warp = match.time_warp.emplace();
    warp.lag = std::chrono::milliseconds{parameters.integer("lag_ms")};
    warp.lag_changes = parameters.flag("lag_changes");
    warp.input_delay = from_milliseconds(parameters.number("input_delay_ms")) / panzer::kWarpFrame;
    warp.reexecution = parameters.text("reexecution") == "whole" ? Reexecution::whole : Reexecution::causal;
    warp.store = parameters.text("store") == "full_copy" ? Store::full_copy : Store::undo_log;
    warp.glides = parameters.text("picture") == "gliding";
    warp.budget = static_cast<std::uint64_t>(parameters.integer("budget"));
    return match;
}

std::vector<panzer::PlayerOptions> warp_bots(const Parameters& parameters) {
    const std::string& behaviour = parameters.text("behaviour");
    const std::int64_t lag = behaviour == "adapting" ? parameters.integer("lag_ms") : 0;
    const std::int64_t players = parameters.integer("players");
    const std::int64_t punctual = players - parameters.integer("late_joiners");
    std::vector<panzer::PlayerOptions> all;
    for (std::uint32_t i = 0; i < players; ++i) {
        all.push_back(panzer::bot_player(i));
        if (i >= punctual) all.back().enters_at = from_seconds(parameters.number("seconds") / 2);
        if (behaviour != "free")
            all.back().bot.dynamic_share = panzer::dynamic_share(static_cast<double>(lag));
    }
    return all;
}

template <class Measure>
std::vector<double> values_of_peers(const std::vector<WarpReport>& reports, Measure measure) {
    std::vector<double> values;
    for (const WarpReport& report : reports) values.push_back(static_cast<double>(measure(report)));
    return values;
}
template <class Measure>
double mean_of_peers(const std::vector<WarpReport>& reports, Measure measure) {
    return summarize(values_of_peers(reports, measure)).mean;
}
template <class Measure>
double worst_of_peers(const std::vector<WarpReport>& reports, Measure measure) {
    const auto values = values_of_peers(reports, measure);
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}
template <class Measure>
std::uint64_t sum_of_peers(const std::vector<WarpReport>& reports, Measure measure) {
    std::uint64_t sum = 0;
    for (const WarpReport& report : reports) sum += measure(report);
    return sum;
}

void conclude_rollbacks(RunOutput& output, const std::vector<WarpReport>& reports) {
    using Report = const WarpReport&;
    output.set("rollbacks_per_peer", mean_of_peers(reports, [](Report r) { return r.rollbacks; }));
    output.set("rollback_depth_ms_p50", mean_of_peers(reports, [](Report r) { return r.depth_ms_p50; }));
    output.set("rollback_depth_ms_p99", mean_of_peers(reports, [](Report r) { return r.depth_ms_p99; }));
    output.set("late_below_50ms_pct",
               mean_of_peers(reports, [](Report r) { return 100 * r.late_below_50ms; }));
    output.set("late_below_100ms_pct",
               mean_of_peers(reports, [](Report r) { return 100 * r.late_below_100ms; }));
    output.set("visible_rollbacks", sum_of_peers(reports, [](Report r) { return r.visible; }));
    output.set("shown_error_m_p95", worst_of_peers(reports, [](Report r) { return r.shown_error_m_p95; }));
    output.set("null_messages", std::uint64_t{0});
    output.set("entity_ticks_reexecuted_per_tick",
               mean_of_peers(reports, [](Report r) { return share(r.tank_ticks_again, r.ticks); }));
    output.set("stalled_ticks", sum_of_peers(reports, [](Report r) { return r.stalled_ticks; }));
}

void conclude_outcomes(RunOutput& output, const std::vector<WarpReport>& reports, double largest_one_way_ms) {
    using Report = const WarpReport&;
    const double death_final = worst_of_peers(reports, [](Report r) { return r.death_final_ms_p95; });
    output.set("response_ms", worst_of_peers(reports, [](Report r) { return r.response_ms; }));
    output.set("death_final_ms_p95", death_final);
    output.set("largest_one_way_ms", largest_one_way_ms);
    output.set("death_final_beyond_ms_p95", death_final - largest_one_way_ms);
    output.set("reversed_deaths", sum_of_peers(reports, [](Report r) { return r.reversed_deaths; }));
    output.set("desyncs", sum_of_peers(reports, [](Report r) { return r.desyncs; }));
}

/// Of the first peer. If the last states are equal, all others have the same.
void conclude_last_state(RunOutput& output, const MatchReport& report) {
    panzer::Record total;
    for (const auto& [player, card] : report.standings.cards()) {
        total.hits += card.record.hits;
        total.deaths += card.record.deaths;
        total.pickups += card.record.pickups;
    }
    output.set("hits", std::uint64_t{total.hits});
    output.set("deaths", std::uint64_t{total.deaths});
    output.set("pickups", std::uint64_t{total.pickups});
    output.set("state_hash", Fingerprint{}.add(report.warp ? report.warp->state_hash : 0).hex());
}

bool are_states_equal(const SwarmMatchResult& result, std::size_t players) {
    return result.scoreboards_equal && result.reports.size() == players &&
           std::ranges::all_of(result.reports, [&](const MatchReport& report) {
               return report.standings.cards().size() == players && report.warp &&
                      report.warp->state_hash == result.reports.front().warp->state_hash;
           });
}

RunOutput conclude_warp_match(const SwarmMatchResult& result, const panzer::MatchOptions& match,
                              double largest_one_way_ms) {
    std::vector<WarpReport> reports;
    std::vector<double> uploads;
    for (const MatchReport& report : result.reports) {
        if (report.warp) reports.push_back(*report.warp);
        uploads.push_back(report.network.upload_kbps_mean);
    }
    RunOutput output;
    conclude_rollbacks(output, reports);
    conclude_outcomes(output, reports, largest_one_way_ms);
    conclude_last_state(output, result.reports.front());
    output.set("states_equal", are_states_equal(result, match.players) ? 1.0 : 0.0);
    output.set("upload_kbps_mean", summarize(uploads).mean);
    output.set("inputs_per_s", mean_of_peers(reports, [](const WarpReport& r) { return r.messages; }) /
                                   seconds(match.length));
    output.set("trace_hash", Fingerprint{}.add(result.trace_hash).hex());
    output.work.peers = match.players;
    output.work.rounds = static_cast<std::uint64_t>(match.length / panzer::kWarpFrame);
    return output;
}

}  // namespace

TimeWarpInput::TimeWarpInput()
    : TabledExperiment{"time_warp_input", joined({parameters_of_time_warp(), parameters_of_inputs()}),
                       joined({rollback_columns(), outcome_columns()})} {}

Result<void> TimeWarpInput::check(const Parameters& parameters) const { return check_time_warp(parameters); }

Result<void> TimeWarpInput::check_files(const Parameters& parameters) const {
    const auto network = time_warp_network(parameters);
    if (!network) return network.error();
    if (auto checked = network->check(); !checked) return checked;
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto match = warp_match_options(parameters, {});
    return match ? match->check(*map) : Result<void>{match.error()};
}

Result<RunOutput> TimeWarpInput::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto network = time_warp_network(parameters);
    if (!network) return network.error();
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const auto options = warp_match_options(parameters, seed);
    if (!options) return options.error();
    const panzer::Battlefield field{*map};
    panzer::SwarmMatch match{field, *mesh, *options, warp_bots(parameters)};
    const Swarm* swarm = nullptr;  // lives as long as match.run()
    match.prepare([&](Swarm& prepared) { swarm = &prepared; });
    std::uint64_t datagrams = 0;
    const auto result = match.run(*network, [&](double share_done) {
        context.progress(share_done);
        datagrams = swarm->counts().sent;
        return !context.stop_requested();
    });
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    const Duration largest = largest_latency(*network, options->players) + options->time_warp->lag;
    RunOutput output = conclude_warp_match(*result, *options, millis(largest));
    output.work.messages = datagrams;
    return output;
}

}  // namespace fray::lab
