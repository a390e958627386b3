#pragma once
// What one peer knows of the battle: its own tank (number 0), the tanks of others as their replicas show
// them, and things. Rules and bots work on it as on any battle.

#include <fray/game.hpp>
#include <fray/ids.hpp>

#include "games/panzer/match/tank_watch.hpp"
#include "games/panzer/rules/battle.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fray::panzer {

inline constexpr std::uint16_t kOwnTank = 0;

class Screen {
public:
    /// The field must outlive the screen.
    Screen(const Battlefield& field, const PeerId& self, Mode mode, Seed seed);

    /// Sets the tanks of others to their replicas; those without a replica are not alive.
    void take_replicas(std::span<const Replica> replicas);

    /// News of one tank between two frames.
    void see(const Replica& replica);

    [[nodiscard]] Battle& battle() { return battle_; }
    [[nodiscard]] const Battle& battle() const { return battle_; }
    [[nodiscard]] Tank& own() { return battle_.tanks[kOwnTank]; }
    [[nodiscard]] const Tank& own() const { return battle_.tanks[kOwnTank]; }
    [[nodiscard]] const TankWatch& watch() const { return watch_; }

    /// The number of this player's tank; kNone if it was never seen.
    [[nodiscard]] std::uint16_t slot_of(const PeerId& player) const;
    [[nodiscard]] const PeerId& player_of(std::uint16_t slot) const { return players_[slot].id; }
    [[nodiscard]] std::size_t players() const { return players_.size(); }
    /// The entity of a tank that is among the replicas.
    [[nodiscard]] std::optional<EntityId> entity_of(std::uint16_t slot) const;

private:
    struct Player {
        PeerId id;
        std::optional<EntityId> entity;
    };
    /// A new number for a player that was not seen before; kNone if there is no room.
    std::uint16_t slot_for(const PeerId& player);

    const Battlefield* field_;
    Battle battle_;
    TankWatch watch_;
    std::vector<Player> players_;  // by slot
    std::map<PeerId, std::uint16_t> slots_;
};

}  // namespace fray::panzer
