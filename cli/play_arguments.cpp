#include "cli/play_arguments.hpp"

#include "cli/command.hpp"
#include "cli/map_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace fray::cli {
namespace {

constexpr std::uint32_t kMostUploadKbps = 10'000'000;  // of LinkOptions

std::string length_of_match(const std::string& text) {
    constexpr double kMostSeconds = 24 * 3600;
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    // NaN fails both comparisons.
    const bool fits = read.ec == std::errc{} && read.ptr == end && value >= 1 && value <= kMostSeconds;
    return fits ? std::string{} : "must be a number of seconds between 1 and 86400 (24 h), not " + text;
}

constexpr const char* kTimeWarp = "time_warp";
constexpr std::uint32_t kMostLagMs = 5000;
constexpr std::uint32_t kMostDelayMs = 500;
constexpr std::uint32_t kMostWatchers = 64;

panzer::TimeWarpChoice time_warp(const PlayArguments& arguments) {
    panzer::TimeWarpChoice choice;
    choice.lag = std::chrono::milliseconds{arguments.lag_ms};
    choice.lag_changes = arguments.lag_changes;
    choice.input_delay = std::chrono::milliseconds{arguments.input_delay_ms} / panzer::kWarpFrame;
    return choice;
}

Result<panzer::MatchOptions> match_options(const PlayArguments& arguments) {
    const auto mode = panzer::parse_mode(arguments.mode);
    if (!mode) return mode.error();
    const auto overlay = panzer::parse_overlay(arguments.overlay);
    if (!overlay) return overlay.error();
    const bool warps = arguments.consistency == kTimeWarp;
    const bool is_limited = arguments.upload_kbps != 0 && !warps;
    const auto interest = panzer::parse_interest(!arguments.interest.empty() ? arguments.interest
                                                 : is_limited                ? "focus"
                                                                             : "nearest");
    if (!interest) return interest.error();
    if (!warps && (arguments.lag_ms != 0 || arguments.lag_changes || arguments.input_delay_ms != 0))
        return Error{"--lag, --lag-changes and --input-delay need --consistency time_warp"};
    if (!warps && (arguments.watchers != 0 || !arguments.record_inputs.empty()))
        return Error{"--watchers and --record-inputs need --consistency time_warp"};
    const auto consistency = panzer::parse_consistency(warps ? "everquest" : arguments.consistency);
    if (!consistency) return Error{consistency.error().message + "; also " + kTimeWarp};
    return panzer::MatchOptions{
        .mode = *mode,
        .overlay = *overlay,
        .interest = *interest,
        .consistency = *consistency,
        .time_warp = warps ? std::optional{time_warp(arguments)} : std::nullopt,
        .guidance = *interest == panzer::InterestName::focus && !arguments.no_guidance,
        .upload_kbps = arguments.upload_kbps,
        .players = arguments.bots,
        .length = from_seconds(arguments.seconds),
        .seed = Seed{arguments.seed}};
}

Result<std::vector<panzer::PlayerOptions>> bot_players(const PlayArguments& arguments) {
    std::vector<panzer::PlayerOptions> players;
    for (std::uint32_t i = 0; i < arguments.bots; ++i) players.push_back(panzer::bot_player(i));
    for (panzer::PlayerOptions& player : players) {
        if (arguments.level != 0) player.bot.level = static_cast<std::uint8_t>(arguments.level);
        if (arguments.character.empty()) continue;
        const auto character = panzer::parse_character(arguments.character);
        if (!character) return character.error();
        player.bot.character = *character;
        player.name = fmt::format("{}-{}", arguments.character, player.number + 1);
    }
    const auto cheat = panzer::parse_cheat(arguments.cheat);
    if (!cheat) return cheat.error();
    players.back().cheat = *cheat;
    if (arguments.late >= arguments.bots)
        return Error{"--late: the first bot begins the match, it cannot be late"};
    for (std::uint32_t i = arguments.bots - arguments.late; i < arguments.bots; ++i)
        players[i].enters_at = from_seconds(arguments.seconds / 2);
    for (std::uint32_t i = 0; i < arguments.watchers; ++i)
        players.push_back(panzer::watcher(arguments.bots + i, i));
    return players;
}

void add_netcode(CLI::App& command, PlayArguments& arguments) {
    command.add_option("--overlay", arguments.overlay, "mesh or psense")->capture_default_str();
    command.add_option(
        "--interest", arguments.interest,
        "Which updates go first when the upload is short: focus (those to players that look at "
        "the tank), nearest, broadcast or random; not given: focus with --upload, else nearest");
    command.add_flag(
        "--no-guidance", arguments.no_guidance,
        "With interest focus: show tanks that are seldom updated by dead reckoning, not by a guide");
    command
        .add_option("--consistency", arguments.consistency,
                    "everquest, centralized_serialization, local_lag, bucket_sync, half_life or adaptive; or "
                    "time_warp: every peer simulates all tanks, and late messages roll it back")
        ->capture_default_str();
}

void add_time_warp(CLI::App& command, PlayArguments& arguments) {
    command
        .add_option("--lag", arguments.lag_ms,
                    "With time_warp: every peer holds messages back for so many ms, 0 to 5000")
        ->check(CLI::Range(0U, kMostLagMs));
    command.add_flag("--lag-changes", arguments.lag_changes,
                     "With time_warp: the lag changes every second, between 0 and --lag");
    command
        .add_option("--input-delay", arguments.input_delay_ms,
                    "With time_warp: own keys take effect up to so many ms later, as the network needs it")
        ->check(CLI::Range(0U, kMostDelayMs));
    command
        .add_option("--watchers", arguments.watchers,
                    "With time_warp: so many further peers without a tank, which watch")
        ->check(CLI::Range(0U, kMostWatchers));
    command.add_option("--record-inputs", arguments.record_inputs,
                       "With time_warp: record what was said into this file; fray replay executes it again");
}

}  // namespace

void add_play_arguments(CLI::App& command, PlayArguments& arguments) {
    command.add_option("--map", arguments.map, kMapHelp)->capture_default_str();
    command.add_option("--bots", arguments.bots, "Players")
        ->check(CLI::Range(std::size_t{2}, panzer::kMostTanks))
        ->capture_default_str();
    command.add_option("--seconds", arguments.seconds, "Length of the match, 1 to 86400")
        ->check(length_of_match, "")
        ->capture_default_str();
    command.add_option("--seed", arguments.seed, "Of bots, items and the simulated network")
        ->check(not_negative, "")
        ->capture_default_str();
    command.add_option("--mode", arguments.mode, "ffa (free for all), teams or flag")->capture_default_str();
    command.add_option("--level", arguments.level, "Skill of all bots, 1 to 5; not given: levels alternate")
        ->check(CLI::Range(1U, unsigned{panzer::kLevels}));
    command.add_option("--character", arguments.character,
                       "Of all bots: soldier, hunter, sniper, bomber, collector, camper or survivor; not "
                       "given: characters alternate");
    command.add_option("--cheat", arguments.cheat,
                       "The last bot cheats: walls (claims hits through walls), speed or fire");
    command.add_option("--upload", arguments.upload_kbps, "Upload limit of each peer, kbit/s; 0: none")
        ->check(CLI::Range(0U, kMostUploadKbps))
        ->capture_default_str();
    add_netcode(command, arguments);
    add_time_warp(command, arguments);
    command.add_option("--late", arguments.late, "So many of the bots, the last ones, join at half-time")
        ->check(CLI::Range(std::size_t{0}, panzer::kMostTanks));
    command.add_option("--record", arguments.record,
                       "Record the screen of the first player into this file, for fray replay");
    command.add_flag("--force", arguments.force, "Overwrite existing recordings");
}

std::vector<std::string> words_of(const PlayArguments& arguments) {
    std::vector<std::string> words;
    const auto add = [&words](const char* name, std::string value) {
        words.emplace_back(name);
        words.push_back(std::move(value));
    };
    add("--map", arguments.map);
    add("--bots", fmt::format("{}", arguments.bots));
    add("--seconds", fmt::format("{}", arguments.seconds));
    add("--seed", fmt::format("{}", arguments.seed));
    add("--mode", arguments.mode);
    if (arguments.level != 0) add("--level", fmt::format("{}", arguments.level));
    if (!arguments.character.empty()) add("--character", arguments.character);
    add("--cheat", arguments.cheat);
    add("--upload", fmt::format("{}", arguments.upload_kbps));
    add("--overlay", arguments.overlay);
    if (!arguments.interest.empty()) add("--interest", arguments.interest);
    if (arguments.no_guidance) words.emplace_back("--no-guidance");
    add("--consistency", arguments.consistency);
    if (arguments.lag_ms != 0) add("--lag", fmt::format("{}", arguments.lag_ms));
    if (arguments.lag_changes) words.emplace_back("--lag-changes");
    if (arguments.input_delay_ms != 0) add("--input-delay", fmt::format("{}", arguments.input_delay_ms));
    if (arguments.late != 0) add("--late", fmt::format("{}", arguments.late));
    if (!arguments.record.empty()) add("--record", arguments.record);
    if (arguments.watchers != 0) add("--watchers", fmt::format("{}", arguments.watchers));
    if (!arguments.record_inputs.empty()) add("--record-inputs", arguments.record_inputs);
    if (arguments.force) words.emplace_back("--force");
    return words;
}

Result<MatchSetup> set_up(const PlayArguments& arguments) {
    auto match = match_options(arguments);
    if (!match) return match.error();
    auto players = bot_players(arguments);
    if (!players) return players.error();
    auto loaded = load_map(arguments.map);
    if (!loaded) return loaded.error();
    if (const auto playable = check_playable(*loaded, panzer::inspect(loaded->map)); !playable)
        return playable.error();
    MatchSetup setup{.map = std::make_unique<const panzer::Map>(std::move(loaded->map)),
                     .field = nullptr,
                     .match = std::move(*match),
                     .players = std::move(*players)};
    if (const auto fits = setup.match.check(*setup.map); !fits) return fits.error();
    setup.field = std::make_unique<const panzer::Battlefield>(*setup.map);
    if (!arguments.record_inputs.empty()) {
        setup.inputs = std::make_unique<panzer::InputRecording>();
        setup.players.front().inputs = setup.inputs.get();
    }
    return setup;
}

std::optional<panzer::ScreenRecorder> make_recorder(const PlayArguments& arguments, const MatchSetup& setup) {
    if (arguments.record.empty()) return std::nullopt;
    const panzer::PlayerOptions& player = setup.players.front();
    return panzer::ScreenRecorder{
        panzer::screen_header(*setup.map, setup.match.mode, setup.match.seed, player.number, player.name)};
}

Result<void> save(const std::optional<panzer::ScreenRecorder>& recorder, const MatchSetup& setup,
                  const PlayArguments& arguments) {
    const auto overwrite = arguments.force ? sim::Overwrite::yes : sim::Overwrite::no;
    if (recorder) {
        if (const auto saved = recorder->save(arguments.record, overwrite); !saved)
            return Error{"--record: " + saved.error().message};
    }
    if (setup.inputs) {
        if (const auto saved = setup.inputs->save(arguments.record_inputs, overwrite); !saved)
            return Error{"--record-inputs: " + saved.error().message};
    }
    return {};
}

}  // namespace fray::cli
