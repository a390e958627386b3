#pragma once
// The meshes of everything that moves. Where a part is attached stands in TankShape.

#include "games/panzer/client/mesh.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray::panzer::client {

enum class Model : std::uint8_t {
    hull,
    tread,  ///< one of two; its outside is at +y
    wheel,  ///< around the y axis
    turret,
    chevron,  ///< on the player's own turret
    barrel,
    crate,
    shell,
    door,    ///< 1 x 1 x 1, on the ground; scaled to size
    pole,    ///< of the flag
    cloth,   ///< likewise
    bubble,  ///< a shield that was hit
    spark    ///< debris
};
inline constexpr std::size_t kModels = 13;

/// Measures of a tank, in metres.
struct TankShape {
    static constexpr float kTreadY = 1.2F;  ///< middle of a tread
    static constexpr float kWheelY = 1.47F;
    static constexpr float kWheelRadius = 0.33F;
    static constexpr std::array<float, 5> kWheelX{-1.38F, -0.69F, 0.0F, 0.69F, 1.38F};
    static constexpr float kTurretX = -0.12F;
    static constexpr float kTurretZ = 1.12F;
    static constexpr float kBarrelX = 0.62F;  ///< from the turret's axis
    static constexpr float kBarrelZ = 0.36F;  ///< above the turret's foot
    static constexpr float kMuzzleX = 2.85F;  ///< of the barrel's end, from the turret's axis
    static constexpr float kHeight = 2.0F;
};

[[nodiscard]] Mesh make_model(Model model);

}  // namespace fray::panzer::client
