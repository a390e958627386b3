#include "games/panzer/event_warp/event_swarm.hpp"

#include "games/panzer/rules/rules.hpp"

#include <algorithm>
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

/// The state after all messages that were not voided, each executed once in the order of their stamps.
EventBattle::State oracle(const Swarm& swarm, const GameWorkload& games) {
    std::map<Stamp, EventMessage> all;
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        const auto& own = game_of(games, i).history();
        all.insert(own.begin(), own.end());
    }
    EventBattle battle = game_of(games, 0).beginning();
    for (const auto& [stamp, message] : all) (void)battle.execute(stamp, message);
    return battle.save();
}

EventSwarmResult conclude(const Swarm& swarm, const GameWorkload& games) {
    EventSwarmResult result;
    result.trace_hash = swarm.trace_hash();
    result.datagrams = swarm.counts().sent;
    for (PeerIndex i = 0; i < swarm.size(); ++i) result.reports.push_back(game_of(games, i).report());
    result.states_equal = std::ranges::all_of(
        result.reports, [&](const EventReport& report) { return report.tanks == result.reports[0].tanks; });
    result.as_oracle = result.states_equal && result.reports[0].tanks == oracle(swarm, games);
    return result;
}

}  // namespace

Result<EventSwarmResult> play_event_match(const Battlefield& field, const NavMesh& mesh,
                                          const EventMatchOptions& options, const NetworkModel& network,
                                          const std::function<bool(double)>& progress) {
    if (const auto started = Rules{field.map()}.start({options.players, {}, options.seed}); !started)
        return started.error();
    auto swarm = Swarm::create(
        {.network = network, .clock_offset_most = kClockOffset, .clock_drift_most_ppm = kClockDriftPpm},
        options.seed);
    if (!swarm) return swarm.error();
    const NavQuery query{mesh};
    GameWorkload games{
        [&](PeerIndex index) { return std::make_unique<EventMatch>(field, query, options, index); }};
    swarm->set_workload(&games);
    for (std::uint32_t i = 0; i < options.players; ++i) {
        if (auto added = swarm->add_peer(event_peer_options(field, i)); !added) return added.error();
    }
    const Duration most = options.length + kMostAfter;
    do {
        swarm->run_for(kSlice);
        const double done = games.game(0) == nullptr ? 0 : game_of(games, 0).progress();
        if (progress && !progress(done)) return Error{"the match was stopped"};
    } while (!is_over(*swarm, games) && swarm->now() < most);
    if (!is_over(*swarm, games)) return Error{"the match did not end in time"};
    return conclude(*swarm, games);
}

}  // namespace fray::panzer
