#include "games/panzer/match/player_game.hpp"

#include "games/panzer/match/match_game.hpp"
#include "games/panzer/match/warp_player.hpp"

namespace fray::panzer {

std::unique_ptr<PlayerGame> make_player_game(const Battlefield& field, const NavQuery& query,
                                             const MatchOptions& match, const PlayerOptions& player,
                                             ScreenRecorder* recorder) {
    if (match.time_warp) return std::make_unique<WarpPlayer>(field, query, match, player, recorder);
    return std::make_unique<MatchGame>(field, query, match, player, recorder);
}

}  // namespace fray::panzer
