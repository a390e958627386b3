#include "games/panzer/event_warp/event_swarm.hpp"

#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace fray::panzer {

namespace {

constexpr Duration kSlice{50ms};
constexpr Duration kMostAfter{60s};  // joining and settling
constexpr Duration kClockOffset{10s};
constexpr std::uint32_t kClockDriftPpm = 50;  // of an ordinary computer

const EventMatch& game_of(const GameWorkload& games, PeerIndex index) {
    return dynamic_cast<const EventMatch&>(*games.game(index));
}

bool is_over(const Swarm& swarm, const GameWorkload& games) {
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (games.game(i) == nullptr || !game_of(games, i).is_over()) return false;
    }
    return true;
}

bool has_state(const EventReport& report) { return !report.tanks.empty(); }

/// One match in a swarm, watched by an oracle.
class EventSwarm {
public:
    EventSwarm(const Battlefield& field, const NavMesh& mesh, const EventMatchOptions& options, Swarm swarm)
        : field_{field},
          query_{mesh},
          options_{options},
          swarm_{std::move(swarm)},
          games_{[this](PeerIndex index) { return make(index); }},
          oracle_{event_battle(field, options)} {
        options_.keeps_lines = true;
        swarm_.set_workload(&games_);
    }

    Result<void> add_players() {
        const std::uint32_t early = options_.players - options_.late_joiners;
        for (std::uint32_t i = 0; i < options_.players; ++i) {
            PeerPlan plan;
            if (i >= early) plan.start = options_.length / 2;
            if (auto added = swarm_.add_peer(event_peer_options(field_, i), plan); !added)
                return added.error();
        }
        return {};
    }
    void schedule(std::span<const Crash> crashes) {
        for (const Crash& crash : crashes) {
            const bool both =
                swarm_.schedule(
                    {.at = crash.at, .kind = ActionKind::crash, .peer = crash.player, .through = {}}) &&
                swarm_.schedule({.at = crash.at + crash.away,
                                 .kind = ActionKind::rejoin,
                                 .peer = crash.player,
                                 .through = {}});
            crashes_ += both ? 1U : 0U;
        }
    }
    void run_slice() {
        swarm_.run_for(kSlice);
        for (PeerIndex i = 0; i < swarm_.size(); ++i) {
            if (games_.game(i) == nullptr) continue;
            if (auto* match = game_of(games_, i).match())
                oracle_.see(PeerId::from_number(i + std::uint64_t{1}), stays_[i], *match);
        }
    }
    [[nodiscard]] Duration now() const { return swarm_.now(); }
    [[nodiscard]] bool is_over() const { return panzer::is_over(swarm_, games_); }
    [[nodiscard]] double progress() const {
        double most = 0;
        for (PeerIndex i = 0; i < swarm_.size(); ++i) {
            if (games_.game(i) != nullptr) most = std::max(most, game_of(games_, i).progress());
        }
        return most;
    }
    [[nodiscard]] EventSwarmResult conclude() {
        EventSwarmResult result;
        result.trace_hash = swarm_.trace_hash();
        result.datagrams = swarm_.counts().sent;
        result.crashes = crashes_;
        result.peer_ticks = frames_before_;
        for (PeerIndex i = 0; i < swarm_.size(); ++i) {
            result.reports.push_back(game_of(games_, i).report());
            result.peer_ticks += result.reports.back().frames;
        }
        const auto& first = result.reports.front();
        result.states_equal = std::ranges::all_of(result.reports, [&](const EventReport& report) {
            return has_state(report) && report.tanks == first.tanks;
        });
        result.verdict = oracle_.judge(game_of(games_, 0).match()->times()->start + options_.length);
        result.as_oracle =
            result.states_equal && result.verdict.different == 0 && first.tanks == result.verdict.last;
        return result;
    }

private:
    std::unique_ptr<EventMatch> make(PeerIndex index) {
        const bool is_first_stay = games_.game(index) == nullptr;
        if (!is_first_stay) frames_before_ += game_of(games_, index).report().frames;
        ++stays_[index];
        return std::make_unique<EventMatch>(field_, query_, options_, index, index == 0 && is_first_stay);
    }

    const Battlefield& field_;
    NavQuery query_;
    EventMatchOptions options_;
    Swarm swarm_;
    GameWorkload games_;
    EventOracle oracle_;
    std::map<PeerIndex, std::uint64_t> stays_;
    std::uint64_t crashes_ = 0;
    std::uint64_t frames_before_ = 0;  // of stays that ended in a crash
};

}  // namespace

Result<EventSwarmResult> play_event_match(const Battlefield& field, const NavMesh& mesh,
                                          const EventMatchOptions& options, const NetworkModel& network,
                                          const std::function<bool(double)>& progress,
                                          std::span<const Crash> crashes) {
    if (const auto started = Rules{field.map()}.start({options.players, {}, options.seed}); !started)
        return started.error();
    auto swarm = Swarm::create(
        {.network = network, .clock_offset_most = kClockOffset, .clock_drift_most_ppm = kClockDriftPpm},
        options.seed);
    if (!swarm) return swarm.error();
    EventSwarm match{field, mesh, options, std::move(*swarm)};
    if (auto added = match.add_players(); !added) return added.error();
    match.schedule(crashes);
    const Duration most = options.length + kMostAfter;
    do {
        match.run_slice();
        if (progress && !progress(match.progress())) return Error{"the match was stopped"};
    } while (!match.is_over() && match.now() < most);
    if (!match.is_over()) return Error{"the match did not end in time"};
    return match.conclude();
}

}  // namespace fray::panzer
