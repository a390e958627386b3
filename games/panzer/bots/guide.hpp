#pragma once
// Panzer's guide: replicas of tanks that are updated seldom drive like bots to where their owners predict
// them, by the rules: no tank passes a wall, slides aside or turns faster than a tank can. The turret follows
// the target that the owner aims at. Shots are counted in the payload and replayed one by one; they are
// blanks.

#include <fray/guide.hpp>
#include <fray/world.hpp>

#include "games/panzer/bots/nav_mesh.hpp"
#include "games/panzer/rules/entity.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray::panzer {

/// A tank of a match with guidance: its payload, and the number of shots that its gun fired so far, modulo
/// 256.
struct CountedTank {
    TankPayload tank;
    std::uint8_t shots = 0;
    friend constexpr bool operator==(const CountedTank&, const CountedTank&) = default;
};
template <class Stream>
void serialize(Stream& stream, CountedTank& counted) {
    stream.object(counted.tank);
    stream.whole(counted.shots);
}
[[nodiscard]] State counted_state_of_tank(const Tank& tank, const Input& input, std::uint8_t shots,
                                          EntityTypeId type = {});

/// What the guide reads. Both must outlive every peer whose World has the guide.
struct TankGuide {
    const Battlefield* field = nullptr;
    const NavQuery* query = nullptr;
};

/// Makes type 0 of a Panzer world a counted tank with this guide. The guide must outlive every copy.
void add_guide(World& world, const TankGuide& guide);

/// The guide. A destroyed tank stops; one that entered again, or was placed elsewhere, reappears there.
[[nodiscard]] Guided guide_tank(const TankGuide& guide, const GuideStep& step, const ShownWorld& world,
                                std::vector<std::uint8_t>& payload);

/// What the driver asks of the tank to be in this pose one step of the rules later, or as near as it can.
[[nodiscard]] Input keys_towards(const TankGuide& guide, const Tank& tank, const Pose& goal);

}  // namespace fray::panzer
