#include "games/panzer/match/screen.hpp"

#include "games/panzer/match/match_options.hpp"

namespace fray::panzer {

Screen::Screen(const Battlefield& field, const PeerId& self, Mode mode, Seed seed)
    : field_{&field}, watch_{field} {
    battle_.seed = seed;
    battle_.mode = mode;
    battle_.items.resize(field.map().items.size());
    battle_.doors.resize(field.map().doors.size());
    slot_for(self);
}

std::uint16_t Screen::slot_of(const PeerId& player) const {
    const auto found = slots_.find(player);
    return found == slots_.end() ? kNone : found->second;
}

std::uint16_t Screen::slot_for(const PeerId& player) {
    const auto next = static_cast<std::uint16_t>(players_.size());
    const auto [at, added] = slots_.try_emplace(player, next);
    if (!added) return at->second;
    if (players_.size() >= kMostTanks) {
        slots_.erase(at);
        return kNone;
    }
    players_.push_back({player, {}});
    battle_.tanks.emplace_back();
    battle_.records.emplace_back();
    return next;
}

std::optional<EntityId> Screen::entity_of(std::uint16_t slot) const {
    return slot < players_.size() ? players_[slot].entity : std::nullopt;
}

void Screen::see(const Replica& replica) {
    const std::uint16_t slot = replica.type == kTankType ? slot_for(replica.id.owner) : kNone;
    if (slot != kNone && slot != kOwnTank) watch_.see(slot, replica);
}

void Screen::take_replicas(std::span<const Replica> replicas) {
    for (Player& player : players_) player.entity.reset();
    for (const Replica& replica : replicas) {
        if (replica.type != kTankType) continue;
        const std::uint16_t slot = slot_for(replica.id.owner);
        // A player has one tank; a second one is ignored.
        if (slot == kNone || slot == kOwnTank || players_[slot].entity) continue;
        players_[slot].entity = replica.id;
        watch_.see(slot, replica);
        Tank& tank = battle_.tanks[slot];
        tank = tank_of(replica.pose, replica.payload);
        // A pose may lie on the very edge of the world, where there is no cell.
        if (!field_->map().holds(tank.position)) tank.armour = 0;
    }
    for (std::size_t slot = 1; slot < players_.size(); ++slot) {
        if (players_[slot].entity) continue;
        watch_.lose(slot);
        battle_.tanks[slot].armour = 0;  // stays where it was seen last
    }
}

}  // namespace fray::panzer
