#include "lab/workloads/panzer_match.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/workloads/network_choice.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fray::lab {

namespace {

using panzer::MatchOptions;
using panzer::MatchReport;
using panzer::Refusal;
using panzer::SwarmMatchResult;

constexpr double kNoCrash = 0;  // of crash_at_s

std::vector<ParameterSpec> parameters_of_match() {
    ParameterSpec network = profile_parameter();
    network.name = "network";
    return {ParameterSpec::integer("players", 16, 2, 2048, "bots, each with a peer of its own"),
            ParameterSpec::choice("map", {"duel", "arena", "ruins", "plains"}, "arena", "where they fight"),
            ParameterSpec::choice("mode", {"ffa", "teams", "flag"}, "ffa", "what the match is about"),
            std::move(network),
            ParameterSpec::choice("overlay", {"mesh", "psense"}, "mesh", "which peers are linked"),
            ParameterSpec::number("seconds", 60, 1, 86'400, "of the match"),
            ParameterSpec::integer("upload_kbps", 0, 0, 1'000'000, "limit of each peer; 0: none"),
            ParameterSpec::number("crash_at_s", kNoCrash, 0, 86'400,
                                  "when the first player, the owner of the items, crashes; 0: never"),
            ParameterSpec::number("away_s", 15, 0.1, 86'400, "until it comes back")};
}

std::vector<ColumnSpec> score_columns() {
    using enum Aggregate;
    return {{"kills", "", sum, "of all players, as their own cards say"},
            {"deaths", "", sum, "the same"},
            {"accidents", "", sum, "deaths by a trap or an own shell"},
            {"kills_accidents", "", sum, "kills and accidents: deaths that a card explains"},
            {"pickups", "", sum, "items taken"},
            {"doors", "", sum, "times that a door opened on request (mesh)"},
            {"flags", "", sum, "times that the flag was taken"},
            {"taken_over", "", sum, "items, doors and flags whose owner was lost"},
            {"hit_pct", "%", mean, "of the gun's shots"},
            {"active_pct", "%", mean, "players that killed or took an item"},
            {"everyone_seen", "", mean, "share of runs in which every player saw every other"},
            {"pairs_seen_pct", "%", mean, "ordered pairs of players of which one saw the other"},
            {"scoreboards_equal", "", mean,
             "share of runs at whose end all players were there, with the same cards of all of them"}};
}

std::vector<ColumnSpec> judged_columns() {
    using enum Aggregate;
    return {{"hits_claimed", "", sum, "shots that hit on the shooter's screen"},
            {"hits_refused_pct", "%", mean, "of them, by their targets"},
            {"refused_dead_target", "", sum, "claims refused: the target was destroyed before"},
            {"refused_other", "", sum, "claims of shots, shells and things refused for another reason"},
            {"impossible_moves", "", sum, "of other tanks, that players noticed"}};
}

std::vector<ColumnSpec> traffic_columns() {
    using enum Aggregate;
    return {{"upload_kbps_mean", "kbit/s", mean, "of a peer during the match, headers included"},
            {"upload_kbps_most", "kbit/s", max, "of any peer in any second"},
            {"update_age_ms_p95", "ms", mean, "of tanks in sight; mean of the peers that saw any"},
            {"update_age_ms_p95_worst", "ms", max, "the same of the peer with the oldest ones"},
            {"rtt_ms", "ms", mean, "of a peer's links"},
            {"closing_kbps", "kbit/s", mean, "of a peer from the end of the match until all have all cards"},
            {"corrections_per_s", "", mean, "of a tank in sight"},
            {"correction_m", "m", mean, "length of a correction"},
            {"trace_hash", "", hash, "of every datagram"}};
}

Result<MatchOptions> match_options(const Parameters& parameters, Seed seed) {
    const auto mode = panzer::parse_mode(parameters.text("mode"));
    if (!mode) return mode.error();
    const auto overlay = panzer::parse_overlay(parameters.text("overlay"));
    if (!overlay) return overlay.error();
    MatchOptions match;
    match.mode = *mode;
    match.overlay = *overlay;
    match.upload_kbps = static_cast<std::uint32_t>(parameters.integer("upload_kbps"));
    match.players = static_cast<std::uint32_t>(parameters.integer("players"));
    match.length = from_seconds(parameters.number("seconds"));
    match.seed = seed;
    return match;
}

std::vector<panzer::PlayerOptions> bots(std::uint32_t players) {
    std::vector<panzer::PlayerOptions> all;
    for (std::uint32_t i = 0; i < players; ++i) all.push_back(panzer::bot_player(i));
    return all;
}

/// The first player crashes, and comes back as a new incarnation.
Result<void> schedule_crash(Swarm& swarm, const Parameters& parameters) {
    const Duration at = from_seconds(parameters.number("crash_at_s"));
    if (at == Duration{}) return {};
    auto crash = swarm.schedule({.at = at, .kind = ActionKind::crash, .peer = 0, .through = {}});
    if (!crash) return crash;
    return swarm.schedule({.at = at + from_seconds(parameters.number("away_s")),
                           .kind = ActionKind::rejoin,
                           .peer = 0,
                           .through = {}});
}

void conclude_cards(RunOutput& output, std::span<const MatchReport> reports) {
    panzer::Record total;
    std::uint64_t active = 0;
    std::uint64_t doors = 0;
    std::uint64_t flags = 0;
    std::uint64_t taken_over = 0;
    for (const MatchReport& report : reports) {
        doors += report.doors_opened;
        flags += report.flags_taken;
        taken_over += report.taken_over;
        const panzer::Card* own = report.standings.find(report.player);
        if (own == nullptr) continue;  // scoreboards_equal is 0 then
        const panzer::Record& record = own->record;
        total.kills += record.kills;
        total.deaths += record.deaths;
        total.accidents += record.accidents;
        total.pickups += record.pickups;
        total.shots += record.shots;
        total.hits += record.hits;
        if (record.kills + record.pickups != 0) ++active;
    }
    output.set("kills", std::uint64_t{total.kills});
    output.set("deaths", std::uint64_t{total.deaths});
    output.set("accidents", std::uint64_t{total.accidents});
    output.set("kills_accidents", std::uint64_t{total.kills} + total.accidents);
    output.set("pickups", std::uint64_t{total.pickups});
    output.set("doors", doors);
    output.set("flags", flags);
    output.set("taken_over", taken_over);
    output.set("hit_pct", 100 * share(std::uint64_t{total.hits}, total.shots));
    output.set("active_pct", 100 * share(active, reports.size()));
}

void conclude_sight(RunOutput& output, const SwarmMatchResult& result, std::size_t players) {
    std::uint64_t seen = 0;
    bool has_all_cards = result.reports.size() == players;
    for (const MatchReport& report : result.reports) {
        seen += report.players_seen;
        has_all_cards = has_all_cards && report.standings.cards().size() == players;
    }
    const std::uint64_t pairs = std::uint64_t{players} * (players - 1);
    output.set("everyone_seen", seen == pairs ? 1.0 : 0.0);
    output.set("pairs_seen_pct", 100 * share(seen, pairs));
    output.set("scoreboards_equal", result.scoreboards_equal && has_all_cards ? 1.0 : 0.0);
}

void conclude_judged(RunOutput& output, std::span<const MatchReport> reports) {
    std::uint64_t claimed = 0;
    std::uint64_t refused = 0;
    std::uint64_t dead_target = 0;
    std::uint64_t all_reasons = 0;
    std::uint64_t impossible = 0;
    for (const MatchReport& report : reports) {
        claimed += report.hits_claimed;
        refused += report.hits_refused;
        impossible += report.impossible_moves;
        dead_target += report.refused[static_cast<std::size_t>(Refusal::dead_target)];
        for (const std::uint64_t count : report.refused) all_reasons += count;
    }
    output.set("hits_claimed", claimed);
    output.set("hits_refused_pct", 100 * share(refused, claimed));
    output.set("refused_dead_target", dead_target);
    output.set("refused_other", all_reasons - dead_target);
    output.set("impossible_moves", impossible);
}

void conclude_traffic(RunOutput& output, std::span<const MatchReport> reports) {
    std::vector<double> upload;
    std::vector<double> ages;
    std::vector<double> rtts;
    std::vector<double> corrections;
    std::vector<double> lengths;
    double most = 0;
    for (const MatchReport& report : reports) {
        const panzer::NetworkReport& network = report.network;
        upload.push_back(network.upload_kbps_mean);
        most = std::max(most, network.upload_kbps_most);
        rtts.push_back(network.rtt_ms);
        if (network.update_age_ms_p95 == 0) continue;  // no tank was in its sight
        ages.push_back(network.update_age_ms_p95);
        corrections.push_back(network.corrections_per_s);
        lengths.push_back(network.correction_m);
    }
    output.set("upload_kbps_mean", summarize(upload).mean);
    output.set("upload_kbps_most", most);
    output.set("rtt_ms", summarize(rtts).mean);
    if (ages.empty()) return;
    output.set("update_age_ms_p95", summarize(ages).mean);
    output.set("update_age_ms_p95_worst", *std::max_element(ages.begin(), ages.end()));
    output.set("corrections_per_s", summarize(corrections).mean);
    output.set("correction_m", summarize(lengths).mean);
}

/// What the network carried, looked at from outside.
struct Carried {
    SwarmCounts counts{};
    Duration at{};
    std::uint64_t bytes_at_end = 0;  // of the match
    std::optional<Duration> end{};

    void see(const Swarm& swarm, bool is_closing) {
        counts = swarm.counts();
        at = swarm.now();
        if (end || !is_closing) return;
        end = at;
        bytes_at_end = counts.sent_bytes;
    }
    /// Upload of one of this many peers since the end of the match.
    [[nodiscard]] std::optional<double> closing_kbps(std::uint32_t peers) const {
        if (!end || at == *end) return std::nullopt;
        constexpr double kBitsPerByte = 8.0 / 1000;  // in kbit
        return static_cast<double>(counts.sent_bytes - bytes_at_end) * kBitsPerByte / peers /
               seconds(at - *end);
    }
};

RunOutput conclude_match(const SwarmMatchResult& result, const MatchOptions& match, const Carried& carried) {
    RunOutput output;
    if (const auto closing = carried.closing_kbps(match.players)) output.set("closing_kbps", *closing);
    conclude_cards(output, result.reports);
    conclude_sight(output, result, match.players);
    conclude_judged(output, result.reports);
    conclude_traffic(output, result.reports);
    output.set("trace_hash", Fingerprint{}.add(result.trace_hash).hex());
    constexpr double kFramesPerSecond = 20;
    output.work = {.peers = match.players,
                   .rounds = static_cast<std::uint64_t>(seconds(match.length) * kFramesPerSecond),
                   .messages = carried.counts.sent};
    return output;
}

}  // namespace

PanzerMatch::PanzerMatch()
    : TabledExperiment{"panzer_match", parameters_of_match(),
                       joined({score_columns(), judged_columns(), traffic_columns()})} {}

Result<void> PanzerMatch::check(const Parameters& parameters) const {
    if (parameters.text("mode") == "flag" && parameters.text("overlay") == "psense")
        return Error{"mode flag needs the overlay mesh"};
    const double crash = parameters.number("crash_at_s");
    if (crash != kNoCrash && crash + parameters.number("away_s") >= parameters.number("seconds"))
        return Error{"crash_at_s and away_s together must be less than seconds"};
    return {};
}

Result<void> PanzerMatch::check_files(const Parameters& parameters) const {
    const auto network = network_named(parameters.text("network"));
    if (!network) return network.error();
    if (auto checked = network->check(); !checked) return checked;
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto match = match_options(parameters, {});
    return match ? match->check(*map) : Result<void>{match.error()};
}

Result<RunOutput> PanzerMatch::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto network = network_named(parameters.text("network"));
    if (!network) return network.error();
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const auto options = match_options(parameters, seed);
    if (!options) return options.error();
    const panzer::Battlefield field{*map};
    panzer::SwarmMatch match{field, *mesh, *options, bots(options->players)};
    Result<void> scheduled;
    const Swarm* swarm = nullptr;  // lives as long as match.run()
    match.prepare([&](Swarm& prepared) {
        scheduled = schedule_crash(prepared, parameters);
        swarm = &prepared;
    });
    Carried carried;
    const auto result = match.run(*network, [&](double share_done) {
        context.progress(share_done);
        carried.see(*swarm, share_done >= 1);
        return scheduled && !context.stop_requested();
    });
    if (!scheduled) return scheduled.error();
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    return conclude_match(*result, *options, carried);
}

}  // namespace fray::lab
