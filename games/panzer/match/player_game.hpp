#pragma once
// The game of one player of a match, whatever keeps its peers consistent: replicas (match_game.hpp) or Time
// Warp (warp_player.hpp).

#include <fray/game.hpp>

#include "games/panzer/match/match_options.hpp"
#include "games/panzer/match/match_report.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fray::panzer {

class ScreenRecorder;

class PlayerGame : public Game {
public:
    /// The match has ended, and everything final is here or cannot come any more. The peer may leave.
    [[nodiscard]] virtual bool is_over() const = 0;
    /// The share of the match that has passed, 0 to 1.
    [[nodiscard]] virtual double progress() const = 0;
    /// Why this peer could not join, if so.
    [[nodiscard]] virtual const std::optional<Refused>& refused() const = 0;
    [[nodiscard]] virtual MatchReport report() const = 0;
    /// What this player's screen shows.
    [[nodiscard]] virtual const Battle& screen() const = 0;
    /// The number of the player's own tank on the screen; kNone before it has one.
    [[nodiscard]] virtual std::uint16_t own_tank() const = 0;
    /// The player of a tank on the screen, and its line of the scoreboard as far as it is known.
    struct Seat {
        PeerId player;
        std::string name;
        Record record;
    };
    /// By tank. Reuses the memory of `seats`.
    virtual void list_seats(std::vector<Seat>& seats) const = 0;
};

/// The tank that this peer owns: the first entity that its game has published. Nothing before that.
[[nodiscard]] std::optional<EntityId> tank_of(const Peer& peer);

/// As MatchOptions::time_warp says. Field and query must outlive the game; so must the recorder, if there is
/// one. Games of one thread may share a query.
[[nodiscard]] std::unique_ptr<PlayerGame> make_player_game(const Battlefield& field, const NavQuery& query,
                                                           const MatchOptions& match,
                                                           const PlayerOptions& player,
                                                           ScreenRecorder* recorder = nullptr);

}  // namespace fray::panzer
