#include "games/panzer/match/swarm_match.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace fray::panzer {

namespace {

constexpr Duration kSlice{50ms};
constexpr Duration kMostAfter{30s};  // joining and closing
constexpr Duration kClockOffset{10s};
constexpr std::uint32_t kClockDriftPpm = 50;  // of an ordinary computer

PlayerGame* player_of(const GameWorkload& games, PeerIndex index) {
    return dynamic_cast<PlayerGame*>(games.game(index));
}

/// Whether every living player's match is over.
bool is_over(const Swarm& swarm, const GameWorkload& games) {
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (swarm.alive(i) && !player_of(games, i)->is_over()) return false;
    }
    return true;
}

double progress_of(const Swarm& swarm, const GameWorkload& games) {
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (swarm.alive(i)) return player_of(games, i)->progress();
    }
    return 0;
}

SwarmMatchResult conclude(const Swarm& swarm, const GameWorkload& games) {
    SwarmMatchResult result;
    result.trace_hash = swarm.trace_hash();
    bool is_finished = true;
    std::set<std::uint64_t> scoreboards;
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (!swarm.alive(i)) continue;
        result.reports.push_back(player_of(games, i)->report());
        is_finished = is_finished && result.reports.back().finished;
        scoreboards.insert(result.reports.back().standings.fingerprint());
    }
    result.scoreboards_equal = is_finished && scoreboards.size() == 1;
    return result;
}

}  // namespace

SwarmMatch::SwarmMatch(const Battlefield& field, const NavMesh& mesh, const MatchOptions& match,
                       std::vector<PlayerOptions> players)
    : field_{&field}, mesh_{&mesh}, match_{match}, players_{std::move(players)} {
    const auto plays = [](const PlayerOptions& player) { return !player.watches; };
    match_.players = static_cast<std::uint32_t>(std::ranges::count_if(players_, plays));
}

void SwarmMatch::record(std::uint32_t player, ScreenRecorder& recorder) {
    recorded_ = player;
    recorder_ = &recorder;
}

Result<SwarmMatchResult> SwarmMatch::run(const NetworkModel& network,
                                         const std::function<bool(double)>& progress) {
    if (auto checked = match_.check(field_->map()); !checked) return checked.error();
    const NavQuery query{*mesh_};
    const TankGuide guide{field_, &query};
    auto swarm = Swarm::create(
        {.network = network, .clock_offset_most = kClockOffset, .clock_drift_most_ppm = kClockDriftPpm},
        match_.seed);
    if (!swarm) return swarm.error();
    bool has_begun = false;
    GameWorkload games{[&](PeerIndex index) {
        PlayerOptions player = players_[index];
        // The first player begins the match; if it comes back later, it joins like the others.
        player.begins = index == 0 && !std::exchange(has_begun, true);
        auto game = make_player_game(*field_, query, match_, player,
                                     recorder_ != nullptr && recorded_ == index ? recorder_ : nullptr);
        return wrap_ ? wrap_(index, std::move(game)) : std::move(game);
    }};
    swarm->set_workload(&games);
    for (const PlayerOptions& player : players_) {
        PeerPlan plan;
        plan.start = player.enters_at;
        if (auto added = swarm->add_peer(peer_options(*field_, match_, player, &guide), plan); !added)
            return added.error();
    }
    if (prepare_) prepare_(*swarm);
    const Duration most = match_.length + kMostAfter;
    do {
        swarm->run_for(kSlice);
        for (PeerIndex i = 0; watch_ && i < swarm->size(); ++i) {
            if (swarm->alive(i)) watch_(i, *player_of(games, i));
        }
        if (progress && !progress(progress_of(*swarm, games))) return Error{"the match was stopped"};
    } while (!is_over(*swarm, games) && swarm->now() < most);
    return conclude(*swarm, games);
}

}  // namespace fray::panzer
