#pragma once
// One player's peer in a match. The owner of a tank simulates it among the replicas of the others:
//
//     gun shots   the shooter asks the target's owner (interact), which judges by what the shooter saw
//     shells      are announced; each target decides whether its own tank is hit, and tells the shooter
//     items, doors, the flag
//                 are shared entities: their owner of the moment decides, and a deputy takes over
//     score       each player keeps its own card (standings.hpp)
//
// With pSense there are no shared entities, because their owner and deputy must stay linked: every player has
// items of its own, and doors open for the tanks that a peer sees. Mode flag needs the full mesh.
//
// Sans-IO like every Game: runs in a Swarm and over UDP.

#include "games/panzer/match/player_game.hpp"

#include <memory>
#include <optional>

namespace fray::panzer {

class MatchGame final : public PlayerGame {
public:
    /// Field and query must outlive the game; so must the recorder, if there is one. Games of one thread may
    /// share a query.
    MatchGame(const Battlefield& field, const NavQuery& query, const MatchOptions& match,
              const PlayerOptions& player, ScreenRecorder* recorder = nullptr);
    ~MatchGame() override;

    void started(Commands& peer) override;
    void frame(Commands& peer) override;
    void event(Commands& peer, const Event& event) override;

    [[nodiscard]] bool is_over() const override;
    [[nodiscard]] double progress() const override;
    [[nodiscard]] const std::optional<Refused>& refused() const override;
    [[nodiscard]] MatchReport report() const override;
    /// Its own tank is number 0.
    [[nodiscard]] const Battle& screen() const override;
    [[nodiscard]] std::uint16_t own_tank() const override { return 0; }
    void list_seats(std::vector<Seat>& seats) const override;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace fray::panzer
