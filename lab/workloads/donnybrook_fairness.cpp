#include "lab/workloads/donnybrook_fairness.hpp"

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/workloads/donnybrook_match.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace fray::lab {

namespace {

using panzer::MatchOptions;

constexpr Duration kOneWay{10ms};

std::vector<ParameterSpec> parameters_of_fairness() {
    return {
        condition_parameter(),
        ParameterSpec::choice("bots", {"random", "level_5"}, "random",
                              "random: random characters and levels; level_5: random characters, all of "
                              "the highest level"),
        ParameterSpec::integer("players", 16, 2, 64, "bots, each with a peer of its own"),
        ParameterSpec::integer("upload_kbps_cap", 54, 1, 1'000'000,
                               "of each peer, unless the condition is hibw"),
        ParameterSpec::integer("hours", 24, 2, 24, "of play under each condition"),
        ParameterSpec::number("hour_minutes", 60, 0.5, 60, "length of an hour, shortened for a rehearsal")};
}

std::vector<ColumnSpec> columns_of_fairness() {
    using enum Aggregate;
    return {{"spearman", "", mean, "mean over the hours: ranks against expected scores"},
            {"spearman_hours_ci95", "", mean, "half the 95 % interval over the hours of the run"},
            {"pearson", "", mean, "mean over the hours: scores against expected scores"},
            {"pearson_hours_ci95", "", mean, "half the 95 % interval over the hours of the run"},
            {"hours_played", "", sum, "under the condition"},
            {"kills", "", sum, "in these hours"}};
}

/// The same bots under every condition.
std::vector<panzer::PlayerOptions> bots_of(const Parameters& parameters, Seed seed) {
    RandomStream draw{seed, "bots"};
    std::vector<panzer::PlayerOptions> players;
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(parameters.integer("players")); ++i) {
        panzer::PlayerOptions player = panzer::bot_player(i);
        player.bot.character = static_cast<panzer::CharacterName>(draw.below(panzer::kCharacters));
        player.bot.level = static_cast<std::uint8_t>(1 + draw.below(panzer::kLevels));
        if (parameters.text("bots") == "level_5") player.bot.level = panzer::kLevels;
        players.push_back(std::move(player));
    }
    return players;
}

using Scores = std::vector<double>;  // by player

struct Played {
    std::vector<Scores> hours;  // gained in each of them
    std::uint64_t kills = 0;

    [[nodiscard]] Scores total() const {
        Scores sum(hours.empty() ? 0 : hours.front().size());
        for (const Scores& hour : hours) {
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += hour[i];
        }
        return sum;
    }
};

struct Arena {
    const panzer::Battlefield& field;
    const panzer::NavMesh& mesh;
};

/// One long match; `go_on` is told its share and may stop it.
Result<Played> play(const Arena& arena, const MatchOptions& options, std::vector<panzer::PlayerOptions> bots,
                    std::int64_t hours, const std::function<bool(double)>& go_on) {
    NetworkModel network;
    network.latency = ConstantLatency{kOneWay};
    Played played;
    Scores now(bots.size());
    Scores before(bots.size());
    panzer::SwarmMatch match{arena.field, arena.mesh, options, std::move(bots)};
    match.watch([&](PeerIndex i, panzer::PlayerGame& game) { now[i] = game.screen().records[0].score; });
    const auto result = match.run(network, [&](double share_done) {
        // The last hour ends with the match.
        const auto full = static_cast<std::size_t>(share_done * static_cast<double>(hours));
        while (played.hours.size() < full) {
            Scores gained(now.size());
            for (std::size_t i = 0; i < now.size(); ++i) gained[i] = now[i] - before[i];
            played.hours.push_back(std::move(gained));
            before = now;
        }
        return go_on(share_done);
    });
    if (!result) return result.error();
    for (const panzer::MatchReport& report : result->reports) {
        const panzer::Card* own = report.standings.find(report.player);
        played.kills += own == nullptr ? 0 : own->record.kills;
    }
    return played;
}

MatchOptions match_of(const std::string& condition, const Parameters& parameters, Seed seed) {
    MatchOptions match =
        match_under(condition, static_cast<std::uint32_t>(parameters.integer("upload_kbps_cap")));
    match.players = static_cast<std::uint32_t>(parameters.integer("players"));
    const double minutes =
        parameters.number("hour_minutes") * static_cast<double>(parameters.integer("hours"));
    match.length = from_seconds(minutes * 60);
    match.seed = derive(seed, condition, 0);
    return match;
}

RunOutput conclude(const Scores& expected, const Played& played) {
    std::vector<double> spearman;
    std::vector<double> pearson;
    for (const Scores& hour : played.hours) {
        spearman.push_back(rank_correlation(expected, hour));
        pearson.push_back(linear_correlation(expected, hour));
    }
    RunOutput output;
    output.set("spearman", summarize(spearman).mean);
    output.set("spearman_hours_ci95", summarize(spearman).ci95());
    output.set("pearson", summarize(pearson).mean);
    output.set("pearson_hours_ci95", summarize(pearson).ci95());
    output.set("hours_played", std::uint64_t{played.hours.size()});
    output.set("kills", played.kills);
    output.work = {.peers = expected.size(), .rounds = 0, .messages = 0};
    return output;
}

}  // namespace

DonnybrookFairness::DonnybrookFairness()
    : TabledExperiment{"donnybrook_fairness", parameters_of_fairness(), columns_of_fairness()} {}

Result<RunOutput> DonnybrookFairness::run(const Parameters& parameters, Seed seed,
                                          RunContext& context) const {
    const auto map = panzer::shipped_map("arena");
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const panzer::Battlefield field{*map};
    const auto hours = parameters.integer("hours");
    const auto part = [&](double begin, double end) {
        return [&context, begin, end](double done) {
            context.progress(begin + (end - begin) * done);
            return !context.stop_requested();
        };
    };
    const std::vector<panzer::PlayerOptions> bots = bots_of(parameters, seed);
    const bool is_yardstick = parameters.text("condition") == "hibw";
    const auto expected = play({field, *mesh}, match_of("hibw", parameters, seed), bots, hours,
                               part(0, is_yardstick ? 1 : 0.5));
    if (context.was_stopped()) return RunOutput{};
    if (!expected) return expected.error();
    Result<Played> played = *expected;
    if (!is_yardstick)
        played = play({field, *mesh}, match_of(parameters.text("condition"), parameters, seed), bots, hours,
                      part(0.5, 1));
    if (context.was_stopped()) return RunOutput{};
    if (!played) return played.error();

    return conclude(expected->total(), *played);
}

}  // namespace fray::lab
