// fray play-peer: some players of a match over UDP, started by fray play --udp (process_match.hpp).

#include "cli/child_processes.hpp"
#include "cli/command.hpp"
#include "cli/match_json.hpp"
#include "cli/play_arguments.hpp"
#include "games/panzer/match/udp_match.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

namespace fray::cli {
namespace {

struct PlayPeerRun {
    PlayArguments match;
    std::uint32_t first = 0;
    std::uint32_t count = 1;
    std::uint16_t port = 0;
};

void tell_parent(const PeerMessage& message) {
    fmt::print("{}\n", to_line(message));
    std::fflush(stdout);
}

int fail(const std::string& message) {
    tell_parent(PeerFailed{message});
    return kBadInput;
}

/// Tells the parent five times a second; false if there is no parent any more.
class ProgressTeller {
public:
    bool operator()(double share) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds{200}) return true;
        last_ = now;
        tell_parent(PeerProgress{share});
        return !parent_has_ended();
    }

private:
    std::chrono::steady_clock::time_point last_{};
};

int play(const PlayPeerRun& run) {
    end_with_parent();
    auto setup = set_up(run.match);
    if (!setup) return fail(setup.error().message);
    const std::uint32_t peers = run.match.peers();
    if (run.first >= peers || run.count > peers - run.first)
        return fail(fmt::format("--first {} --count {}: there are {} peers", run.first, run.count, peers));
    const auto mesh = panzer::NavMesh::build(*setup->map);
    if (!mesh) return fail(mesh.error().message);
    tell_parent(PeerReady{});
    const auto address = line_from_parent();
    if (!address) return kBadInput;
    auto recorder = make_recorder(run.match, *setup);
    const auto from = setup->players.begin() + run.first;
    auto match =
        panzer::UdpMatch::open(*setup->field, *mesh, setup->match, {from, from + run.count},
                               {.port = run.port, .join = *address}, recorder ? &*recorder : nullptr);
    if (!match) return fail(match.error().message);
    tell_parent(PeerAddress{to_string(match->address())});
    if (const auto played = match->run(ProgressTeller{}); !played) return fail(played.error().message);
    for (panzer::MatchReport& report : match->reports()) tell_parent(std::move(report));
    if (const auto saved = save(recorder, *setup, run.match); !saved) return fail(saved.error().message);
    return kDone;
}

}  // namespace

void add_play_peer(CLI::App& app, Action& action) {
    auto run = std::make_shared<PlayPeerRun>();
    CLI::App* command = app.add_subcommand("play-peer",
                                           "Some players of a match over UDP. Prints {\"ready\":true}, reads "
                                           "a line (the address to join, or nothing "
                                           "to begin a match), and reports in lines of JSON");
    command->group("");  // hidden: for fray play --udp
    add_play_arguments(*command, run->match);
    command->add_option("--first", run->first, "Number of the first player");
    command->add_option("--count", run->count, "Players of this process")->check(CLI::Range(1U, 2048U));
    command->add_option("--port", run->port, "Of the first player; 0: any free port");
    command->callback([&action, run] { action = [run] { return play(*run); }; });
}

}  // namespace fray::cli
