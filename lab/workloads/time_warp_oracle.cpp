#include "lab/workloads/time_warp_oracle.hpp"

#include "games/panzer/event_warp/event_swarm.hpp"
#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/match/warp_oracle.hpp"
#include "games/panzer/match/warp_player.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <utility>
#include <vector>

namespace fray::lab {

namespace {

constexpr std::uint64_t kTicksPerCheckpoint = 60;  // the default of both modes
constexpr Duration kBetweenCrashes{40s};
constexpr Duration kAway{16s};  // longer than the others need to agree on what the lost player said

std::vector<ParameterSpec> parameters_of_oracle() {
    return {
        ParameterSpec::choice("engine", {"event", "input"}, "input",
                              "what peers send: the events of Panzer Battalion's Table 1, or inputs"),
        ParameterSpec::integer("players", 8, 3, 64, "bots, each with a peer of its own"),
        ParameterSpec::choice("map", {"arena", "ruins", "plains"}, "arena", "where they fight"),
        ParameterSpec::choice("mode", {"ffa", "teams", "flag"}, "ffa",
                              "what the match is about; events know ffa only"),
        ParameterSpec::number("seconds", 600, 10, 86'400, "of the match"),
        ParameterSpec::integer("lag_ms", 300, 0, 5000, "the lag of each peer changes every second up to it"),
        ParameterSpec::number("loss_pct", 10, 0, 90, "datagrams lost"),
        ParameterSpec::integer("late_joiners", 2, 0, 63, "players that join at half-time")};
}

std::vector<ColumnSpec> columns_of_oracle() {
    using enum Aggregate;
    return {{"peer_ticks", "", sum, "ticks of all peers up to a state that was compared with the witness's"},
            {"checkpoints_compared", "", sum, "states of all peers, one per second"},
            {"checkpoints_different", "", sum, "of them, from the witness's"},
            {"reversed_deaths", "", sum, "of all peers"},
            {"desyncs", "", sum, "of all peers"},
            {"states_equal", "", mean, "share of runs in which all last states are equal"},
            {"crashes", "", sum, "players that crashed and came back"},
            {"rollbacks", "", sum, "of all peers"},
            {"hits", "", sum, "that the witness saw"},
            {"deaths", "", sum, "the same"},
            {"pickups", "", sum, "the same; events have none, as Table 1 has none"},
            {"null_messages", "", sum, "events: that the witness saw"}};
}

NetworkModel rough_network(double loss) {
    NetworkModel network = network_profile("same-continent").value();
    network.loss = IndependentLoss{loss};
    network.reordering = {.chance = 0.1, .extra = 60ms};
    network.duplication = {.chance = 0.05, .extra = 10ms};
    return network;
}

/// One player after the other crashes and comes back, the first one too.
std::uint64_t schedule_crashes(Swarm& swarm, const panzer::MatchOptions& match) {
    std::uint64_t crashes = 0;
    for (Duration at = kBetweenCrashes; at + kAway + 10s < match.length; at += kBetweenCrashes) {
        const auto peer = static_cast<PeerIndex>(crashes % match.players);
        const bool both =
            swarm.schedule({.at = at, .kind = ActionKind::crash, .peer = peer, .through = {}}) &&
            swarm.schedule({.at = at + kAway, .kind = ActionKind::rejoin, .peer = peer, .through = {}});
        crashes += both ? 1U : 0U;
    }
    return crashes;
}

panzer::MatchOptions oracle_match(const Parameters& parameters, Seed seed) {
    panzer::MatchOptions match;
    match.mode = panzer::parse_mode(parameters.text("mode")).value();
    match.players = static_cast<std::uint32_t>(parameters.integer("players"));
    match.length = from_seconds(parameters.number("seconds"));
    match.seed = seed;
    match.time_warp = panzer::TimeWarpChoice{.lag = std::chrono::milliseconds{parameters.integer("lag_ms")},
                                             .lag_changes = true,
                                             .keeps_lines = true};
    return match;
}

std::vector<panzer::PlayerOptions> oracle_players(const Parameters& parameters) {
    std::vector<panzer::PlayerOptions> players;
    const auto count = static_cast<std::uint32_t>(parameters.integer("players"));
    const auto late = static_cast<std::uint32_t>(parameters.integer("late_joiners"));
    for (std::uint32_t i = 0; i < count; ++i) {
        players.push_back(panzer::bot_player(i));
        if (i > 0 && i + late >= count)
            players.back().enters_at = from_seconds(parameters.number("seconds") / 2);
    }
    return players;
}

RunOutput conclude_oracle(const panzer::SwarmMatchResult& result, const panzer::WarpOracle::Verdict& verdict,
                          std::uint64_t crashes) {
    std::uint64_t ticks = 0;
    std::uint64_t rollbacks = 0;
    std::uint64_t reversed = 0;
    std::uint64_t desyncs = 0;
    bool are_equal = result.scoreboards_equal;
    for (const panzer::MatchReport& report : result.reports) {
        const panzer::WarpReport warp = report.warp.value_or(panzer::WarpReport{});
        ticks += warp.ticks;
        rollbacks += warp.rollbacks;
        reversed += warp.reversed_deaths;
        desyncs += warp.desyncs;
        are_equal = are_equal && warp.state_hash == result.reports.front().warp->state_hash;
    }
    RunOutput output;
    output.set("peer_ticks", verdict.compared * kTicksPerCheckpoint);
    output.set("checkpoints_compared", verdict.compared);
    output.set("checkpoints_different", verdict.different);
    output.set("reversed_deaths", reversed);
    output.set("desyncs", desyncs);
    output.set("states_equal", are_equal ? 1.0 : 0.0);
    output.set("crashes", crashes);
    output.set("rollbacks", rollbacks);
    output.set("hits", verdict.hits);
    output.set("deaths", verdict.deaths);
    output.set("pickups", verdict.pickups);
    output.work = {
        .peers = static_cast<std::uint32_t>(result.reports.size()), .rounds = ticks, .messages = 0};
    return output;
}

/// The same crashes for a match of events.
std::vector<panzer::Crash> crashes_of(std::uint32_t players, Duration length) {
    std::vector<panzer::Crash> crashes;
    for (Duration at = kBetweenCrashes; at + kAway + 10s < length; at += kBetweenCrashes)
        crashes.push_back({static_cast<std::uint32_t>(crashes.size()) % players, at, kAway});
    return crashes;
}

panzer::EventMatchOptions oracle_events(const Parameters& parameters, Seed seed) {
    panzer::EventMatchOptions options;
    options.players = static_cast<std::uint32_t>(parameters.integer("players"));
    options.length = from_seconds(parameters.number("seconds"));
    options.lags = {std::chrono::milliseconds{parameters.integer("lag_ms")}};
    options.lag_changes = true;
    options.late_joiners = static_cast<std::uint32_t>(parameters.integer("late_joiners"));
    options.behaviour = panzer::EventMatchOptions::Behaviour::free;
    options.seed = seed;
    return options;
}

RunOutput conclude_event_oracle(const panzer::EventSwarmResult& result) {
    std::uint64_t rollbacks = 0;
    std::uint64_t desyncs = 0;
    for (const panzer::EventReport& report : result.reports) {
        rollbacks += report.counts.rollbacks;
        desyncs += report.desyncs;
    }
    RunOutput output;
    output.set("peer_ticks", result.verdict.compared * kTicksPerCheckpoint);
    output.set("checkpoints_compared", result.verdict.compared);
    output.set("checkpoints_different", result.verdict.different);
    output.set("desyncs", desyncs);
    output.set("states_equal", result.as_oracle ? 1.0 : 0.0);
    output.set("crashes", result.crashes);
    output.set("rollbacks", rollbacks);
    output.set("hits", result.verdict.hits);
    output.set("deaths", result.verdict.deaths);
    output.set("null_messages", result.verdict.voided);
    output.work = {.peers = static_cast<std::uint32_t>(result.reports.size()),
                   .rounds = result.peer_ticks,
                   .messages = result.datagrams};
    return output;
}

Result<RunOutput> run_event_oracle(const panzer::Battlefield& field, const panzer::NavMesh& mesh,
                                   const Parameters& parameters, Seed seed, RunContext& context) {
    const panzer::EventMatchOptions options = oracle_events(parameters, seed);
    const auto result = panzer::play_event_match(
        field, mesh, options, rough_network(parameters.number("loss_pct") / 100),
        [&](double done) {
            context.progress(done);
            return !context.stop_requested();
        },
        crashes_of(options.players, options.length));
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    return conclude_event_oracle(*result);
}

}  // namespace

TimeWarpOracle::TimeWarpOracle()
    : TabledExperiment{"time_warp_oracle", parameters_of_oracle(), columns_of_oracle()} {}

Result<void> TimeWarpOracle::check(const Parameters& parameters) const {
    if (parameters.text("engine") == "event" && parameters.text("mode") != "ffa")
        return Error{"engine event knows mode ffa only"};
    if (parameters.integer("late_joiners") >= parameters.integer("players"))
        return Error{"late_joiners must be less than players"};
    return {};
}

Result<RunOutput> TimeWarpOracle::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const panzer::Battlefield field{*map};
    if (parameters.text("engine") == "event")
        return run_event_oracle(field, *mesh, parameters, seed, context);
    const panzer::MatchOptions options = oracle_match(parameters, seed);
    auto battle = panzer::PartBattle::start(
        *map, {.tanks = options.players, .mode = options.mode, .seed = options.seed},
        panzer::PartBattle::Players::absent);
    if (!battle) return battle.error();
    panzer::WarpOracle oracle{panzer::WarpBattle{std::move(*battle)}};
    panzer::SwarmMatch match{field, *mesh, options, oracle_players(parameters)};
    match.watch([&](PeerIndex index, panzer::PlayerGame& game) {
        auto* warp = dynamic_cast<panzer::WarpPlayer&>(game).match();
        if (warp != nullptr) oracle.see(PeerId::from_number(index + std::uint64_t{1}), *warp);
    });
    std::uint64_t crashes = 0;
    match.prepare([&](Swarm& swarm) { crashes = schedule_crashes(swarm, options); });
    const auto result = match.run(rough_network(parameters.number("loss_pct") / 100), [&](double share_done) {
        context.progress(share_done);
        return !context.stop_requested();
    });
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    return conclude_oracle(*result, oracle.judge(), crashes);
}

}  // namespace fray::lab
