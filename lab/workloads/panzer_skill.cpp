#include "lab/workloads/panzer_skill.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/rules/shipped_maps.hpp"
#include "lab/metrics/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace fray::lab {

namespace {

using panzer::BotBattle;
using panzer::BotOptions;
using panzer::CharacterName;
using panzer::Happening;
using panzer::Mode;
using panzer::Record;
using panzer::Tank;

constexpr std::uint8_t kMiddleLevel = 3;
constexpr double kNotImposed = -1;     // of lag_ms
constexpr float kPushingSpeed = 0.3F;  // metres per second; a tank that drives slower is held by something

Mode mode_named(const std::string& name) {
    for (const Mode mode : {Mode::free_for_all, Mode::teams}) {
        if (to_string(mode) == name) return mode;
    }
    return Mode::flag;
}

std::string score_column(CharacterName name) { return "score_" + std::string{to_string(name)}; }
std::string score_column(std::uint8_t level) { return "score_level_" + std::to_string(level); }

std::vector<ParameterSpec> parameters_of_skill() {
    return {ParameterSpec::choice("map", {"duel", "arena", "ruins", "plains"}, "arena", "where they fight"),
            ParameterSpec::choice("mode", {"ffa", "teams", "flag"}, "ffa", "what the battle is about"),
            ParameterSpec::choice("lineup", {"expert_beginner", "levels", "characters", "mixed"}, "mixed",
                                  "levels and characters of the bots"),
            ParameterSpec::integer("players", 16, 2, 2048, "bots"),
            ParameterSpec::number("seconds", 600, 1, 86'400, "of the battle"),
            ParameterSpec::number(
                "lag_ms", kNotImposed, kNotImposed, 10'000,
                "players move as much as with this lag (Panzer Battalion, Table 3); -1: as they like")};
}

std::vector<ColumnSpec> columns_of_skill() {
    using enum Aggregate;
    std::vector<ColumnSpec> columns{
        {"kills", "", sum, "of all bots"},
        {"deaths", "", sum, "the same"},
        {"pickups", "", sum, "items taken"},
        {"shells", "", sum, "fired"},
        {"doors", "", sum, "times that a door opened"},
        {"flags", "", sum, "times that the flag was taken"},
        {"kill_ratio", "", min,
         "kills of the highest level per kill of the lowest (or per run, if it had none)"},
        {"rank_correlation", "", mean, "Spearman's, of level and score"},
        {"rank_correlation_min", "", min, "the lowest of a run"},
        {"hit_pct", "%", mean, "of the gun's shots"},
        {"dynamic_pct", "%", mean, "of a living tank's time with throttle or steering"},
        {"pushing_s_max", "s", max, "longest time that a tank drove without getting anywhere"},
        {"idle_bots", "", sum, "that never killed and never took an item"}};
    for (std::uint8_t level = 1; level <= panzer::kLevels; ++level)
        columns.push_back({score_column(level), "", mean, "mean score of the bots of this level"});
    for (std::size_t i = 0; i < panzer::kCharacters; ++i)
        columns.push_back({score_column(static_cast<CharacterName>(i)), "", mean, "of this character"});
    columns.push_back({"trace_hash", "", hash, "of the battle at the end"});
    return columns;
}

/// What is measured while a battle runs.
struct Watch {
    std::uint64_t moving = 0;  // tank-steps
    std::uint64_t living = 0;
    std::uint64_t doors = 0;
    std::uint64_t flags = 0;
    std::uint32_t most_pushing = 0;  // steps
    std::vector<std::uint32_t> pushing;

    void see(const BotBattle& battle) {
        pushing.resize(battle.inputs().size());
        for (std::size_t i = 0; i < pushing.size(); ++i) {
            const Tank& tank = battle.battle().tanks[i];
            const panzer::Input& input = battle.inputs()[i];
            if (!tank.alive()) continue;
            ++living;
            if (input.throttle != 0 || input.steer != 0) ++moving;
            const bool is_held = input.throttle != 0 && std::abs(tank.speed) < kPushingSpeed;
            pushing[i] = is_held ? pushing[i] + 1 : 0;
            most_pushing = std::max(most_pushing, pushing[i]);
        }
        for (const Happening& happening : battle.happenings()) {
            if (happening.kind == Happening::Kind::door) ++doors;
            if (happening.kind == Happening::Kind::flag) ++flags;
        }
    }
};

void set_mean_score(RunOutput& output, const std::string& column, const std::vector<double>& scores) {
    if (!scores.empty()) output.set(column, summarize(scores).mean);
}

void conclude_scores(RunOutput& output, std::span<const BotOptions> players,
                     std::span<const Record> records) {
    std::vector<double> levels;
    std::vector<double> scores;
    std::vector<std::vector<double>> by_level(panzer::kLevels + 1U);
    std::vector<std::vector<double>> by_character(panzer::kCharacters);
    std::vector<double> kills(panzer::kLevels + 1U);
    for (std::size_t i = 0; i < players.size(); ++i) {
        levels.push_back(players[i].level);
        scores.push_back(records[i].score);
        by_level[players[i].level].push_back(records[i].score);
        by_character[static_cast<std::size_t>(players[i].character)].push_back(records[i].score);
        kills[players[i].level] += records[i].kills;
    }
    const auto [low, high] = std::minmax_element(levels.begin(), levels.end());
    if (*low != *high) {
        const double correlation = rank_correlation(levels, scores);
        output.set("rank_correlation", correlation);
        output.set("rank_correlation_min", correlation);
        const auto of = [&](double level) {
            const auto i = static_cast<std::size_t>(level);
            return kills[i] / static_cast<double>(by_level[i].size());
        };
        output.set("kill_ratio", of(*high) / std::max(1.0, of(*low)));
    }
    for (std::uint8_t level = 1; level <= panzer::kLevels; ++level)
        set_mean_score(output, score_column(level), by_level[level]);
    for (std::size_t i = 0; i < panzer::kCharacters; ++i)
        set_mean_score(output, score_column(static_cast<CharacterName>(i)), by_character[i]);
}

void conclude(RunOutput& output, const BotBattle& battle, const Watch& watch) {
    Record total;
    std::uint64_t idle = 0;
    for (const Record& record : battle.battle().records) {
        total.kills += record.kills;
        total.deaths += record.deaths;
        total.pickups += record.pickups;
        total.shells += record.shells;
        total.shots += record.shots;
        total.hits += record.hits;
        if (record.kills == 0 && record.pickups == 0) ++idle;
    }
    output.set("kills", std::uint64_t{total.kills});
    output.set("deaths", std::uint64_t{total.deaths});
    output.set("pickups", std::uint64_t{total.pickups});
    output.set("shells", std::uint64_t{total.shells});
    output.set("doors", watch.doors);
    output.set("flags", watch.flags);
    output.set("idle_bots", idle);
    output.set("hit_pct", 100.0 * total.hits / std::max(1.0, static_cast<double>(total.shots)));
    output.set("dynamic_pct", 100.0 * static_cast<double>(watch.moving) / static_cast<double>(watch.living));
    output.set("pushing_s_max", watch.most_pushing / static_cast<double>(panzer::kStepsPerSecond));
    output.set("trace_hash", Fingerprint{}.add(fingerprint(battle.battle())).hex());
    output.work = {.peers = battle.inputs().size(), .rounds = battle.battle().step};
}

}  // namespace

std::vector<BotOptions> lineup_named(const std::string& lineup, std::size_t players) {
    std::vector<BotOptions> bots(players);
    for (std::size_t i = 0; i < players; ++i) {
        BotOptions& bot = bots[i];
        bot.level = kMiddleLevel;
        if (lineup == "expert_beginner") bot.level = i % 2 == 0 ? panzer::kLevels : 1;
        if (lineup == "levels" || lineup == "mixed")
            bot.level = static_cast<std::uint8_t>(1 + i % panzer::kLevels);
        if (lineup == "characters" || lineup == "mixed")
            bot.character = static_cast<CharacterName>(i % panzer::kCharacters);
    }
    return bots;
}

PanzerSkill::PanzerSkill() : TabledExperiment{"panzer_skill", parameters_of_skill(), columns_of_skill()} {}

Result<void> PanzerSkill::check(const Parameters& parameters) const {
    if (parameters.text("map") == "duel" && parameters.integer("players") != 2)
        return Error{"map duel is for 2 players, not for " + std::to_string(parameters.integer("players"))};
    return {};
}

Result<void> PanzerSkill::check_files(const Parameters& parameters) const {
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto players = static_cast<std::size_t>(parameters.integer("players"));
    const auto started = panzer::Rules{*map}.start(
        {.tanks = players, .mode = mode_named(parameters.text("mode")), .seed = {}});
    return started ? Result<void>{} : Result<void>{started.error()};
}

Result<RunOutput> PanzerSkill::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    auto players =
        lineup_named(parameters.text("lineup"), static_cast<std::size_t>(parameters.integer("players")));
    const double lag = parameters.number("lag_ms");
    for (BotOptions& player : players) {
        if (lag >= 0) player.dynamic_share = panzer::dynamic_share(lag);
    }
    auto battle = BotBattle::start(*map, *mesh, players, mode_named(parameters.text("mode")), seed);
    if (!battle) return battle.error();
    RunOutput output;
    Watch watch;
    const auto steps = static_cast<std::uint32_t>(parameters.number("seconds") * panzer::kStepsPerSecond);
    for (std::uint32_t i = 0; i < steps; ++i) {
        battle->step();
        watch.see(*battle);
        if (i % panzer::kStepsPerSecond != 0) continue;
        if (context.stop_requested()) return output;
        context.progress(static_cast<double>(i) / steps);
    }
    conclude(output, *battle, watch);
    conclude_scores(output, players, battle->battle().records);
    return output;
}

}  // namespace fray::lab
