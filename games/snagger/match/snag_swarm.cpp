#include "games/snagger/match/snag_swarm.hpp"

#include <algorithm>
#include <utility>

namespace fray::snagger {

SnagSwarm::SnagSwarm(Swarm swarm, const Choice& choice, Seed seed)
    : pilots_{Pilot{0, seed}, Pilot{1, seed}},
      workload_{[this, choice, seed](PeerIndex i) {
          auto game = std::make_unique<SnagGame>(
              SnagOptions{.ship = i, .seed = seed, .choice = choice},
              [this, i](const snagger::Game& screen) { return pilots_[i].play(screen); });
          games_[i] = game.get();
          return game;
      }},
      swarm_{std::move(swarm)} {
    swarm_.set_workload(&workload_);
}

Result<std::unique_ptr<SnagSwarm>> SnagSwarm::create(const NetworkModel& network, const Choice& choice,
                                                     Seed seed) {
    auto swarm = Swarm::create({.network = network}, seed);
    if (!swarm) return swarm.error();
    std::unique_ptr<SnagSwarm> made{new SnagSwarm{std::move(*swarm), choice, seed}};
    for (std::size_t i = 0; i < kShips; ++i) {
        if (auto added = made->swarm_.add_peer(peer_options({.ship = i, .seed = seed, .choice = choice}));
            !added)
            return added.error();
    }
    return made;
}

void SnagSwarm::run_until(double seconds, const std::function<void()>& tick) {
    const Duration end = from_seconds(seconds);
    while (swarm_.now() < end) {
        swarm_.run_until(std::min(end, swarm_.now() + table_world().tick));
        if (tick) tick();
    }
}

}  // namespace fray::snagger
