#include <fray/network_model.hpp>

#include "cli/command.hpp"
#include "cli/snag_window.hpp"
#include "games/snagger/match/snag_swarm.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>

namespace fray::cli {
namespace {

constexpr std::uint32_t kMostDelayMs = 2000;
constexpr double kLeastSeconds = 1, kMostSeconds = 3600;

std::string figure(const std::optional<double>& value) {
    return value ? fmt::format("{:.1f}", *value) : std::string{"-"};
}

/// Means over the seconds of the game, of one screen.
struct Felt {
    double sum = 0;
    int count = 0;
    void add(const std::optional<double>& value) {
        if (!value) return;
        sum += *value;
        ++count;
    }
    [[nodiscard]] std::optional<double> mean() const {
        return count == 0 ? std::nullopt : std::optional{sum / count};
    }
};
struct FeltScreen {
    Felt divergence, propagation, corrections, response, animation;
    void add(const games::Feel& feel) {
        divergence.add(feel.divergence);
        propagation.add(feel.propagation_ms);
        corrections.add(feel.corrections_per_s * feel.correction);
        response.add(feel.response_ms);
        animation.add(feel.animation_ms);
    }
};

void print_felt(const std::array<FeltScreen, snagger::kShips>& felt) {
    fmt::print("screen  divergence %  propagation ms  corrections %/s  response ms  animation ms\n");
    for (std::size_t i = 0; i < felt.size(); ++i) {
        const FeltScreen& f = felt[i];
        const auto corrections = f.corrections.mean();
        fmt::print("{:<6}  {:>12}  {:>14}  {:>15}  {:>11}  {:>12}\n", i + 1,
                   f.divergence.mean() ? fmt::format("{:.2f}", *f.divergence.mean()) : "-",
                   figure(f.propagation.mean()), corrections ? fmt::format("{:.2f}", *corrections) : "-",
                   figure(f.response.mean()), figure(f.animation.mean()));
    }
}

/// Two pilots in the simulated network, in virtual time.
int play_headless(const SnagArguments& arguments, const snagger::Choice& choice) {
    auto swarm = snagger::SnagSwarm::create(network_of(arguments), choice, Seed{arguments.seed});
    if (!swarm) return complain(swarm.error().message);
    std::array<FeltScreen, snagger::kShips> felt;
    const double seconds = arguments.seconds.value_or(25);
    for (double at = 1; at <= seconds; ++at) {
        (*swarm)->run_until(at);
        constexpr double kSettled = 3;  // seconds: clocks and links
        for (std::size_t i = 0; at > kSettled && i < felt.size(); ++i) felt[i].add((*swarm)->game(i).feel());
    }
    (*swarm)->run_until(seconds);
    print_felt(felt);
    fmt::print("caught: {} in {:.0f} s, {}\n", (*swarm)->game(0).screen().score, seconds,
               snagger::describe(choice));
    fmt::print("hash: {:016x}\n", (*swarm)->trace_hash());
    return kDone;
}

int play(const SnagArguments& arguments) {
    const auto algorithm = snagger::parse_algorithm(arguments.consistency);
    if (!algorithm) return complain("--consistency: " + algorithm.error().message);
    const snagger::Choice choice{*algorithm, arguments.algorithm_lag_ms};
    if (!arguments.join.empty() && arguments.host != 0)
        return complain("--join and --host exclude each other: one player hosts, the other one joins");
    if (arguments.headless) return play_headless(arguments, choice);
    if (!arguments.screenshot.empty()) {
        const auto taken = take_snag_picture(arguments, choice);
        return taken ? kDone : complain(taken.error().message);
    }
    const auto played = snag_in_window(arguments, choice);
    return played ? kDone : complain(played.error().message);
}

void add_network(CLI::App& command, SnagArguments& arguments) {
    command
        .add_option("--delay", arguments.delay_ms,
                    "Added to the way between the players in each direction, ms; in the window at the start")
        ->check(CLI::Range(0U, kMostDelayMs));
    command
        .add_option("--jitter", arguments.jitter_ms, "Likewise, drawn anew for each datagram; at most, ms")
        ->check(CLI::Range(0U, kMostDelayMs));
    command.add_option("--loss", arguments.loss_percent, "Likewise: datagrams lost, percent")
        ->check(CLI::Range(0.0, 100.0));
}

void add_without_window(CLI::App& command, SnagArguments& arguments) {
    command.add_flag("--headless", arguments.headless,
                     "Two pilots in a simulated network with this delay: prints the five metrics");
    command
        .add_option("--seconds", arguments.seconds, "With --headless: length of the game; 25 if not given")
        ->check(CLI::Range(kLeastSeconds, kMostSeconds));
    command.add_option("--screenshot", arguments.screenshot,
                       "The same as a picture of the window: PNG, at the time of --at");
    command.add_option("--at", arguments.at, "With --screenshot: seconds of the game")
        ->check(CLI::Range(kLeastSeconds, kMostSeconds))
        ->capture_default_str();
    command.add_flag("--alone", arguments.alone, "With --screenshot: one player's window, as over a network");
}

}  // namespace

NetworkModel network_of(const SnagArguments& arguments) {
    NetworkModel network;
    network.latency = ConstantLatency{std::chrono::milliseconds{arguments.delay_ms}};
    network.jitter.mean = Duration{std::chrono::milliseconds{arguments.jitter_ms}} / 2;
    network.loss = IndependentLoss{arguments.loss_percent / 100};
    return network;
}

void add_snag(CLI::App& app, Action& action) {
    auto run = std::make_shared<SnagArguments>();
    CLI::App* command = app.add_subcommand(
        "snag", "Play Snagger: two players steer two ships and catch aliens with the net between them");
    command->add_flag("--begin", run->begins, "Two players at this keyboard at once, without the menu");
    command->add_option("--host", run->host, "Host a game at this port at once")
        ->check(CLI::Range(1U, 65535U));
    command->add_option("--join", run->join, "Join the game at this address at once");
    command->add_flag("--pilots", run->pilots, "Pilots fly the ships until one of their keys is touched");
    command
        ->add_option("--consistency", run->consistency,
                     "everquest, centralized_serialization, local_lag, bucket_sync, half_life or adaptive; "
                     "can be changed in the window")
        ->capture_default_str();
    command
        ->add_option("--algorithm-lag", run->algorithm_lag_ms, "Of local_lag, bucket_sync and half_life, ms")
        ->check(CLI::Range(0U, unsigned{snagger::Choice::kMostLagMs}))
        ->capture_default_str();
    add_network(*command, *run);
    command->add_option("--seed", run->seed, "Of the aliens and the pilots")
        ->check(not_negative, "")
        ->capture_default_str();
    add_without_window(*command, *run);
    command->add_option("--quit-after", run->quits_after, "Quit after so many seconds")
        ->check(time_in_seconds);
    command->add_option("--width", run->width, "Of the window or picture, pixels")
        ->check(CLI::Range(480, 7680))
        ->capture_default_str();
    command->add_option("--height", run->height, "Likewise")
        ->check(CLI::Range(270, 4320))
        ->capture_default_str();
    command->callback([&action, run] { action = [run] { return play(*run); }; });
}

}  // namespace fray::cli
