#include "games/panzer/match/player_game.hpp"

#include "games/panzer/match/match_game.hpp"
#include "games/panzer/match/warp_player.hpp"

namespace fray::panzer {

std::optional<EntityId> tank_of(const Peer& peer) {
    constexpr std::uint32_t kFirst = 4;
    for (std::uint32_t number = 0; number < kFirst; ++number) {
        const EntityId tank{peer.id(), number};
        if (peer.owns(tank)) return tank;
    }
    return std::nullopt;
}

std::unique_ptr<PlayerGame> make_player_game(const Battlefield& field, const NavQuery& query,
                                             const MatchOptions& match, const PlayerOptions& player,
                                             ScreenRecorder* recorder) {
    if (match.time_warp) return std::make_unique<WarpPlayer>(field, query, match, player, recorder);
    return std::make_unique<MatchGame>(field, query, match, player, recorder);
}

}  // namespace fray::panzer
