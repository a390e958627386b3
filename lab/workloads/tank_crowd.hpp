#pragma once
// Tanks that drive about on one open field, all in sight of each other: driven by Panzer's rules, published
// as Panzer's entities, but without bots, guns and collisions, so that 2,048 of them cost little.

#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include "games/panzer/rules/entity.hpp"
#include "games/panzer/rules/map.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fray::lab {

/// A square of open ground with a hedge around it, and Panzer's world on it. Stays where it is: peers refer
/// to it.
class OpenField {
public:
    OpenField();
    OpenField(const OpenField&) = delete;
    OpenField& operator=(const OpenField&) = delete;

    [[nodiscard]] World world() const { return panzer::world(field_); }
    [[nodiscard]] panzer::Ground ground() const { return field_.ground(); }
    [[nodiscard]] float width() const { return map_.width(); }

private:
    panzer::Map map_;
    panzer::Battlefield field_;
};

/// What the players look at.
enum class Gaze : std::uint8_t {
    ahead,    ///< where they drive to
    carrier,  ///< all others at the tank of peer 0, which drives in circles in the middle
};

class TankCrowd final : public Workload {
public:
    TankCrowd(const OpenField& field, Gaze gaze, Seed seed) : field_{field}, gaze_{gaze}, seed_{seed} {}

    void started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;
    void frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) override;

    [[nodiscard]] std::optional<EntityId> entity(PeerIndex index) const;
    /// Where the peer's tank is at this true time: it has driven on since its last frame.
    [[nodiscard]] std::optional<Vec3> truth(PeerIndex index, Duration at) const;

private:
    struct Driver {
        panzer::Tank tank;
        panzer::Input keys;
        panzer::Vec2 goal;
        RandomStream choice;
        EntityId entity{};
        Duration framed{};  // true time of its last frame
    };
    Driver& driver(PeerIndex index);
    void steer(PeerIndex index, Driver& who) const;
    void look(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) const;

    const OpenField& field_;
    Gaze gaze_;
    Seed seed_;
    std::vector<std::optional<Driver>> drivers_;
};

}  // namespace fray::lab
