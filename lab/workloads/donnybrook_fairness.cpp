#include "lab/workloads/donnybrook_fairness.hpp"

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/workloads/donnybrook_match.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
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
        // Measured with donnybrook_match: four of 15 others get every frame, the rest at least one update per
        // second (4 x 20 + 11 updates in a second, at the bytes per update of such a match).
        ParameterSpec::integer("upload_kbps_cap", 66, 1, 1'000'000,
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

struct FairnessArena {
    const panzer::Battlefield& field;
    const panzer::NavMesh& mesh;
};

/// One long match; `go_on` is told its share and may stop it.
Result<PlayedHours> play_hours(const FairnessArena& arena, const MatchOptions& options,
                               std::vector<panzer::PlayerOptions> bots, std::int64_t hours,
                               const std::function<bool(double)>& go_on) {
    NetworkModel network;
    network.latency = ConstantLatency{kOneWay};
    PlayedHours played;
    PlayedHours::Scores now(bots.size());
    PlayedHours::Scores before(bots.size());
    panzer::SwarmMatch match{arena.field, arena.mesh, options, std::move(bots)};
    match.watch([&](PeerIndex i, panzer::PlayerGame& game) { now[i] = game.screen().records[0].score; });
    const auto result = match.run(network, [&](double share_done) {
        // The last hour ends with the match.
        const auto full = static_cast<std::size_t>(share_done * static_cast<double>(hours));
        while (played.hours.size() < full) {
            PlayedHours::Scores gained(now.size());
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

MatchOptions fairness_match(const std::string& condition, const Parameters& parameters, Seed seed) {
    MatchOptions match =
        match_under(condition, static_cast<std::uint32_t>(parameters.integer("upload_kbps_cap")));
    match.players = static_cast<std::uint32_t>(parameters.integer("players"));
    const double minutes =
        parameters.number("hour_minutes") * static_cast<double>(parameters.integer("hours"));
    match.length = from_seconds(minutes * 60);
    match.seed = derive(seed, condition, 0);
    return match;
}

RunOutput conclude_fairness(const PlayedHours::Scores& expected, const PlayedHours& played) {
    std::vector<double> spearman;
    std::vector<double> pearson;
    for (const PlayedHours::Scores& hour : played.hours) {
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

/// The conditions of a plan share the expected scores of one seed, which take as long as a condition itself.
class DonnybrookFairness::ExpectedScores {
public:
    /// What makes one match differ from another: seed, bots, players, hours, minutes of an hour.
    using Key = std::tuple<std::uint64_t, std::string, std::int64_t, std::int64_t, double>;

    [[nodiscard]] bool has(const Key& key) {
        const std::scoped_lock lock{mutex_};
        return played_.contains(key);
    }
    /// Plays the match unless it was played. A run that needs a match under way waits for it.
    [[nodiscard]] Result<PlayedHours> find(const Key& key, RunContext& context,
                                           const std::function<Result<PlayedHours>()>& play) {
        const std::scoped_lock lock{mutex_};
        if (const auto found = played_.find(key); found != played_.end()) return found->second;
        auto played = play();
        if (played && !context.was_stopped()) played_.emplace(key, *played);
        return played;
    }

private:
    std::mutex mutex_;
    std::map<Key, PlayedHours> played_;
};

DonnybrookFairness::DonnybrookFairness()
    : TabledExperiment{"donnybrook_fairness", parameters_of_fairness(), columns_of_fairness()},
      yardstick_{std::make_shared<ExpectedScores>()} {}

Result<RunOutput> DonnybrookFairness::run(const Parameters& parameters, Seed seed,
                                          RunContext& context) const {
    const auto map = panzer::shipped_map("arena");
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const panzer::Battlefield field{*map};
    const std::vector<panzer::PlayerOptions> bots = bots_of(parameters, seed);
    const auto play_under = [&](const std::string& condition, double begin, double end) {
        return play_hours({field, *mesh}, fairness_match(condition, parameters, seed), bots,
                          parameters.integer("hours"), [&context, begin, end](double done) {
                              context.progress(begin + (end - begin) * done);
                              return !context.stop_requested();
                          });
    };
    const ExpectedScores::Key key{seed.value, parameters.text("bots"), parameters.integer("players"),
                                  parameters.integer("hours"), parameters.number("hour_minutes")};
    const std::string condition = parameters.text("condition");
    const bool is_yardstick = condition == "hibw";
    const double half = yardstick_->has(key) ? 1 : 0.5;
    Result<PlayedHours> played = PlayedHours{};
    if (!is_yardstick) played = play_under(condition, 0, half);
    if (context.was_stopped()) return RunOutput{};
    if (!played) return played.error();
    const auto expected =
        yardstick_->find(key, context, [&] { return play_under("hibw", is_yardstick ? 0 : half, 1); });
    if (context.was_stopped()) return RunOutput{};
    if (!expected) return expected.error();
    return conclude_fairness(expected->total(), is_yardstick ? *expected : *played);
}

}  // namespace fray::lab
