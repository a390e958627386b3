#include <fray/network_model.hpp>

#include "cli/command.hpp"
#include "cli/match_tables.hpp"
#include "cli/play_arguments.hpp"
#include "cli/play_progress.hpp"
#include "cli/play_window.hpp"
#include "cli/process_match.hpp"
#include "games/panzer/match/swarm_match.hpp"
#include "lab/runner/file_io.hpp"
#include "lab/runner/interrupt.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace fray::cli {
namespace {

constexpr const char* kDefaultNetwork = "same-continent";
constexpr std::uint32_t kMostProcesses = 256;
constexpr double kWindowSeconds = 600;  // of a battle in the window

struct PlayRun {
    PlayArguments match;
    bool headless = false;
    bool udp = false;
    std::optional<std::string> network;
    std::optional<std::uint32_t> processes;
    std::optional<std::uint16_t> port;
    WindowArguments window;
};

std::string known_networks() {
    std::string names;
    for (const std::string_view name : network_profile_names())
        names += (names.empty() ? "" : ", ") + std::string{name};
    return names;
}

/// Options that are wrong in themselves or do not fit each other.
Result<void> check_options(const PlayRun& run) {
    if (const auto network = network_profile(run.network.value_or(kDefaultNetwork)); !network)
        return network.error();
    if (run.udp && run.network)
        return Error{"--network is simulated, and --udp uses real sockets: give one of them"};
    if (!run.udp && run.processes) return Error{"--processes needs --udp: the simulation is one process"};
    if (!run.udp && run.port) return Error{"--port needs --udp: the simulation opens no socket"};
    const std::uint32_t processes = run.processes.value_or(run.match.peers());
    if (processes > run.match.peers())
        return Error{fmt::format("--processes {}: there are only {} bots{}", processes, run.match.bots,
                                 run.match.watchers > 0 ? " and their watchers" : "")};
    if (run.udp && processes > kMostProcesses)
        return Error{fmt::format("{} bots need --processes N, at most {}: each bot would be a process",
                                 run.match.peers(), kMostProcesses)};
    return {};
}

/// Before a long match: the recording can be written, and overwrites nothing.
Result<void> check_recording(std::string_view option, const std::string& file, bool force) {
    if (file.empty()) return {};
    std::error_code ignored;
    if (!force && std::filesystem::exists(file, ignored))
        return Error{fmt::format("{}: {} exists (--force overwrites it)", option, file)};
    if (const auto writable = lab::check_writable(file); !writable)
        return Error{fmt::format("{}: {}", option, writable.error().message)};
    return {};
}

Result<void> check_recordings(const PlayArguments& match) {
    if (!match.record.empty() && match.record == match.record_inputs)
        return Error{"--record and --record-inputs name the same file"};
    if (auto writable = check_recording("--record", match.record, match.force); !writable) return writable;
    return check_recording("--record-inputs", match.record_inputs, match.force);
}

/// Counts as a broken promise: a peer that sends more than it may.
std::string upload_beyond(std::span<const panzer::MatchReport> reports, const panzer::MatchOptions& match) {
    constexpr double kTolerance = 1.02;
    // A second may hold one datagram more than the rate allows; the measurement begins and ends in one.
    constexpr double kTwoDatagramsKbit = 2 * 1228 * 8 / 1000.0;
    const double most = kTolerance * match.upload_kbps + kTwoDatagramsKbit / seconds(match.length);
    for (const panzer::MatchReport& report : reports) {
        const double mean = report.network.upload_kbps_mean;
        if (match.upload_kbps > 0 && mean > most)
            return fmt::format("a peer sent {:.1f} kbit/s, beyond --upload {}", mean, match.upload_kbps);
    }
    return {};
}

void print_lost(const MatchSetup& setup, const LostPlayers& lost) {
    std::string names;
    for (std::uint32_t i = lost.first; i < lost.first + lost.count; ++i)
        names += (names.empty() ? "" : ", ") + setup.players[i].name;
    fmt::print("gone: {} ({})\n", names, lost.end);
}

/// Prints the outcome; returns the exit code.
int print_match(const MatchSetup& setup, const GatheredMatch& match) {
    const auto& reports = match.reports;
    if (reports.empty()) {
        fmt::print(stderr, "fray: no player finished the match\n");
        return kPromiseBroken;
    }
    fmt::print("{}\n{}\n{}", scoreboard(reports), network_table(reports), refusal_line(reports));
    if (const std::string focus = focus_table(reports); !focus.empty()) fmt::print("\n{}\n", focus);
    if (const std::string rollbacks = rollback_table(reports); !rollbacks.empty())
        fmt::print("{}\n", rollbacks);
    bool failed = false;
    for (const LostPlayers& lost : match.lost) {
        print_lost(setup, lost);
        failed = failed || !lost.was_killed;
    }
    const Agreement agreement = agreement_of(reports, setup.match.players);
    fmt::print("{}", agreement_line(agreement));
    if (agreement.warps && agreement.states == 1)
        fmt::print("last state: {:016x}\n", reports.front().warp->state_hash);
    const std::string beyond = upload_beyond(reports, setup.match);
    if (!beyond.empty()) fmt::print("{}\n", beyond);
    return agreement.holds() && !failed && beyond.empty() ? kDone : kPromiseBroken;
}

/// What is shown and asked while a match runs: false stops it.
bool go_on(PlayProgress& progress, double share) {
    progress.show(share);
    return !lab::InterruptGuard::stop().load();
}

int stopped() {
    fmt::print(stderr, "fray: the match was stopped\n");
    return lab::InterruptGuard::exit_code();
}

void print_recording(const PlayRun& run) {
    for (const std::string& file : {run.match.record, run.match.record_inputs}) {
        if (!file.empty()) fmt::print("recorded: {}\n", file);
    }
}

int play_udp(const PlayRun& run, const MatchSetup& setup) {
    const ProcessMatchOptions options{.match = run.match,
                                      .processes = run.processes.value_or(run.match.peers()),
                                      .port = run.port.value_or(std::uint16_t{0})};
    std::optional<PlayProgress> progress{run.match.seconds};
    const auto match = play_in_processes(options, [&](double share) { return go_on(*progress, share); });
    progress.reset();
    if (lab::InterruptGuard::stop().load()) return stopped();
    if (!match) return complain(match.error().message);
    const int code = print_match(setup, *match);
    for (const std::string& failure : match->failures) complain(failure);
    if (!match->failures.empty()) return kBadInput;
    const auto has_first = [](const LostPlayers& lost) { return lost.first == 0; };
    const bool records = !run.match.record.empty() || !run.match.record_inputs.empty();
    if (records && std::any_of(match->lost.begin(), match->lost.end(), has_first))
        fmt::print(stderr, "fray: nothing is recorded: the process of the first player is gone\n");
    else
        print_recording(run);
    return code;
}

int play_swarm(const PlayRun& run, const MatchSetup& setup) {
    const auto network = network_profile(run.network.value_or(kDefaultNetwork));
    if (!network) return complain(network.error().message);
    const auto mesh = panzer::NavMesh::build(*setup.map);
    if (!mesh) return complain(mesh.error().message);
    panzer::SwarmMatch match{*setup.field, *mesh, setup.match, setup.players};
    auto recorder = make_recorder(run.match, setup);
    if (recorder) match.record(0, *recorder);
    std::optional<PlayProgress> progress{run.match.seconds};
    auto result = match.run(*network, [&](double share) { return go_on(*progress, share); });
    progress.reset();
    if (lab::InterruptGuard::stop().load()) return stopped();
    if (!result) return complain(result.error().message);
    const int code = print_match(setup, {.reports = std::move(result->reports), .lost = {}, .failures = {}});
    const auto saved = save(recorder, setup, run.match);
    if (saved) print_recording(run);
    fmt::print("hash: {:016x}\n", result->trace_hash);
    return saved ? code : complain(saved.error().message);
}

int take_picture(const PlayRun& run, const MatchSetup& setup) {
    const auto network = network_profile(run.network.value_or(kDefaultNetwork));
    const bool of_menu = std::ranges::find(run.window.show, "menu") != run.window.show.end();
    const auto taken = of_menu                      ? take_menu_screenshot(run.window)
                       : !run.window.replay.empty() ? take_replay_screenshot(run.window)
                                                    : take_screenshot(setup, *network, run.window);
    return taken ? kDone : complain(taken.error().message);
}

/// What only a window can do; empty: nothing was asked for.
std::string needs_window(const WindowArguments& window) {
    if (!window.study.empty()) return "--study";
    if (!window.join.empty()) return "--join";
    if (window.host != 0) return "--host";
    return !window.replay.empty() ? "--replay" : std::string{};
}

bool opens_window(const PlayRun& run) {
    return run.window.screenshot.empty() && !run.headless && !run.udp && !run.network && has_display();
}

/// In the window, as many bots play as the map has room for, unless the player asked for a number.
PlayArguments match_of(const PlayRun& run) {
    PlayArguments match = run.match;
    if (opens_window(run) && !run.window.given.contains("--bots")) match.bots = 2;
    return match;
}

int play(const PlayRun& run) {
    if (const auto fits = check_options(run); !fits) return complain(fits.error().message);
    const auto setup = set_up(match_of(run));
    if (!setup) return complain(setup.error().message);
    if (const auto writable = check_recordings(run.match); !writable)
        return complain(writable.error().message);
    if (!run.window.screenshot.empty()) return take_picture(run, *setup);
    if (opens_window(run)) {
        const auto played = play_in_window(run.match, run.window);
        return played ? kDone : complain(played.error().message);
    }
    if (const std::string option = needs_window(run.window); !option.empty())
        return complain(option + (run.headless || run.udp || run.network
                                      ? " needs the window: leave --headless, --udp and --network out"
                                      : " needs the window, and there is no display here"));
    if (!run.headless) fmt::print(stderr, "fray: there is no display; the match is played headless\n");
    const lab::InterruptGuard guard;
    return run.udp ? play_udp(run, *setup) : play_swarm(run, *setup);
}

void add_window_options(CLI::App& command, WindowArguments& window) {
    command.add_option(
        "--screenshot", window.screenshot,
        "Play in the simulated network, and write what the first player's screen shows as PNG");
    command.add_option("--at", window.at, "With --screenshot: seconds of the match")->check(time_in_seconds);
    command.add_option("--replay", window.replay,
                       "Show a recording of --record in the window, with a timeline");
    command.add_option("--join", window.join, "In the window: join the battle at this address at once");
    command.add_option("--host", window.host, "In the window: host a battle at this port at once")
        ->check(CLI::Range(1U, 65535U));
    command.add_option("--study", window.study,
                       "In the window: the user study of Donnybrook, for two people (--host, --join) and 30 "
                       "bots: donnybrook-low or donnybrook-high");
    command.add_option("--study-times", window.study_times,
                       "With --study: seconds of practice, of the trial and of the last game; 480,900,300 if "
                       "not given, shorter ones for a rehearsal");
    command.add_option(
        "--study-results", window.study_results,
        "With --study and --host: CSV file that gets a line; it also balances the version that "
        "begins; study.csv if not given");
    command.add_flag("--attract", window.attract, "In the window: a bot drives until a key is touched");
    command.add_flag("--begin", window.begins, "In the window: a battle with bots at once, without the menu");
    command.add_option("--quit-after", window.quits_after, "In the window: quit after so many seconds")
        ->check(time_in_seconds);
    command.add_option("--width", window.width, "Of the window or picture, pixels; 1280 x 720 if not given")
        ->check(CLI::Range(480U, 7680U));
    command.add_option("--height", window.height, "Likewise")->check(CLI::Range(270U, 4320U));
    command.add_option("--show", window.show, "With --screenshot: scores, network (F1), overlay (F2), menu")
        ->check(CLI::IsMember({"menu", "scores", "network", "overlay"}));
}

}  // namespace

void add_play(CLI::App& app, Action& action) {
    auto run = std::make_shared<PlayRun>();
    CLI::App* command = app.add_subcommand("play", "Play a match of the tank game Panzer with bots");
    command->add_flag("--headless", run->headless, "Without a window, even if there is a display");
    add_play_arguments(*command, run->match);
    command->add_option(
        "--network", run->network,
        fmt::format("The simulated network: {}; {} if not given", known_networks(), kDefaultNetwork));
    command->add_flag("--udp", run->udp,
                      "Real sockets of this machine (loopback) instead; a process per bot");
    command
        ->add_option("--processes", run->processes, "With --udp: share the bots out over so many processes")
        ->check(CLI::Range(1U, kMostProcesses));
    command->add_option("--port", run->port, "With --udp: of the first player; any free port if not given")
        ->check(CLI::Range(0U, 65535U));
    add_window_options(*command, run->window);
    command->footer(
        "Without --udp the match runs in a simulated network in virtual time: the same options and seed give "
        "the\n"
        "same hash. Exit codes: 0 all scoreboards are equal, 1 they differ or another promise is broken, 2 "
        "invalid\n"
        "usage or input, 130 stopped by Ctrl-C.");
    command->callback([&action, run, command] {
        run->window.seconds = command->count("--seconds") > 0 ? run->match.seconds : kWindowSeconds;
        for (const char* option : {"--map", "--mode", "--bots", "--consistency", "--overlay", "--upload"}) {
            if (command->count(option) > 0) run->window.given.insert(option);
        }
        action = [run] { return play(*run); };
    });
}

}  // namespace fray::cli
