#pragma once
// Tanks as Fray's entities: the world they are in, their motion model, and which changes of a tank are
// possible. The pose holds position, velocity and the hull's direction; the payload (TankPayload) what others
// must know besides; the input what the player asks of the tank, so that every peer can drive it on.

#include <fray/state.hpp>
#include <fray/world.hpp>

#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/map.hpp"
#include "games/panzer/rules/tank.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray::panzer {

/// Steps of the rules in one tick of the world: three, 50 ms.
inline constexpr std::uint32_t kStepsPerTick = 3;

/// What the motion model and the validator read. The map must outlive it, and it must outlive every peer
/// whose World was made from it. Doors count as open: they open for a tank that comes close.
class Battlefield {
public:
    explicit Battlefield(const Map& map);
    [[nodiscard]] Ground ground() const { return {*map_, doors_}; }
    [[nodiscard]] const Map& map() const { return *map_; }

private:
    const Map* map_;
    std::vector<Door> doors_;
};

/// A tank without its pose and without the waits that only its owner needs. 37 bits.
struct TankPayload {
    Angle turret = 0;
    std::int16_t armour = 0;
    std::int16_t shield = 0;
    std::uint8_t team = 0;
    std::uint8_t fire_rate = 0;
    std::uint8_t gun_power = 0;
    std::uint8_t engine = 0;
    friend constexpr bool operator==(const TankPayload&, const TankPayload&) = default;
};
template <class Stream>
void serialize(Stream& stream, TankPayload& tank) {
    std::uint16_t turret = tank.turret >> (16U - kAimBits);
    stream.integer(turret, 0, (1U << kAimBits) - 1);
    tank.turret = static_cast<Angle>(turret << (16U - kAimBits));
    stream.integer(tank.armour, 0, kMostArmour);
    stream.integer(tank.shield, 0, kMostShield);
    stream.integer(tank.team, 0, 2);
    stream.integer(tank.fire_rate, 0, kMostLevel);
    stream.integer(tank.gun_power, 0, kMostLevel);
    stream.integer(tank.engine, 0, kMostLevel);
}

/// The world of battles on this map; one entity type, "tank". Peers with other maps or rules are refused.
[[nodiscard]] World world(const Battlefield& field);

/// What an owner publishes, and what a tank's pose and payload stand for: waits are 0. Bytes that do not
/// begin with a payload give a destroyed tank.
[[nodiscard]] State state_of_tank(const Tank& tank, const Input& input, EntityTypeId type = {});
[[nodiscard]] Tank tank_of(const Pose& pose, std::span<const std::uint8_t> payload);
[[nodiscard]] Pose pose_of(const Tank& tank);
/// Input as State::input holds it, and back. No or unreadable bytes: nothing is pressed.
[[nodiscard]] std::vector<std::uint8_t> input_bytes(const Input& input);
[[nodiscard]] Input input_of(std::span<const std::uint8_t> bytes);

/// The motion model of world(): the tank driven on by the rules with this input. Other tanks are not in its
/// way.
[[nodiscard]] Pose advance_tank(const Battlefield& field, const Pose& pose,
                                std::span<const std::uint8_t> payload, std::span<const std::uint8_t> input,
                                std::uint32_t ticks);
/// The validator of world(): false for a tank that is faster, turns faster or carries more than the rules
/// allow, is in a wall, or enters elsewhere than at a spawn point.
[[nodiscard]] bool is_possible(const Battlefield& field, const Pose& before,
                               std::span<const std::uint8_t> payload_before, const Pose& after,
                               std::span<const std::uint8_t> payload_after, Duration elapsed);

}  // namespace fray::panzer
