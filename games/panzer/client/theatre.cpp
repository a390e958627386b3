#include "games/panzer/client/theatre.hpp"

#include "games/panzer/client/watched_game.hpp"
#include "games/panzer/match/swarm_match.hpp"

#include <utility>

namespace fray::panzer::client {

namespace {

/// Effects move in steps of a screen, not of the network.
void advance_screen(Stage& stage, const Moment& moment, double& shown_at) {
    constexpr int kSteps = 3;
    const auto elapsed = static_cast<float>(moment.at - shown_at) / kSteps;
    for (int i = 0; i < kSteps && elapsed > 0; ++i) stage.advance(moment, {}, elapsed);
    shown_at = moment.at;
}

}  // namespace

Result<Scenery> play_until(const Battlefield& field, const NavMesh& mesh, const TheatreOptions& options,
                           Stage& stage) {
    SwarmMatch match{field, mesh, options.match, options.players};
    match.wrap([&](PeerIndex index, std::unique_ptr<PlayerGame> game) -> std::unique_ptr<PlayerGame> {
        if (index != options.watched) return game;
        return std::make_unique<WatchedGame>(std::move(game), options.match, std::string{});
    });
    Scenery scenery;
    std::uint64_t seen = 0;
    double shown_at = 0;
    bool is_there = false;
    match.watch([&](PeerIndex index, PlayerGame& game) {
        auto* watched = dynamic_cast<WatchedGame*>(&game);
        if (index != options.watched || watched == nullptr || watched->frames() == seen || is_there) return;
        seen = watched->frames();
        stage.see(watched->latest());
        advance_screen(stage, watched->latest(), shown_at);
        if (watched->latest().at < options.at) return;
        is_there = true;
        scenery = {watched->latest(), watched->net(), watched->seats()};
    });
    const auto played = match.run(options.network, [&](double) { return !is_there; });
    if (is_there) return scenery;
    if (!played) return played.error();
    return Error{"the match ended before the time of the picture"};
}

}  // namespace fray::panzer::client
