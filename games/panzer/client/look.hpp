#pragma once
// The one palette of the game. Everything that is drawn takes its colours from here.

#include <glm/glm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray::panzer::client {

/// Red, green and blue, 0 to 1, of 0xRRGGBB.
[[nodiscard]] constexpr glm::vec3 rgb(std::uint32_t hex) {
    return {static_cast<float>(hex >> 16U & 255U) / 255.0F, static_cast<float>(hex >> 8U & 255U) / 255.0F,
            static_cast<float>(hex & 255U) / 255.0F};
}

namespace look {
inline constexpr std::uint32_t kSand = 0xD9C9A3;
inline constexpr std::uint32_t kSandDark = 0xC7B48A;
inline constexpr std::uint32_t kConcrete = 0x8A8F94;
inline constexpr std::uint32_t kBrick = 0xB5654A;
inline constexpr std::uint32_t kGreen = 0x6E8B4E;
inline constexpr std::uint32_t kSkyTop = 0x9CC4E4;
inline constexpr std::uint32_t kHorizon = 0xF2E9D8;
inline constexpr std::uint32_t kRubber = 0x3A3D42;
inline constexpr std::uint32_t kSteel = 0x5B6168;
inline constexpr std::uint32_t kCrate = 0xA9814F;
inline constexpr std::uint32_t kFlash = 0xFFF3C4;
inline constexpr std::uint32_t kFire = 0xFF9F1C;
inline constexpr std::uint32_t kSmoke = 0x6B4F3A;
inline constexpr std::uint32_t kPanel = 0x1E2227;
inline constexpr std::uint32_t kText = 0xF5F2EA;
inline constexpr std::uint32_t kAccent = 0xFFB000;
inline constexpr std::uint32_t kDanger = 0xE5484D;
inline constexpr std::uint32_t kShield = 0x5CC8FF;
// The network overlay (F2).
inline constexpr std::uint32_t kFocus = 0xFFB000;
inline constexpr std::uint32_t kGuided = 0x2BD9E8;
inline constexpr std::uint32_t kReceived = 0xE83FC8;
inline constexpr std::uint32_t kNear = 0x46C35F;
inline constexpr std::uint32_t kSensor = 0x4F83FF;
inline constexpr std::uint32_t kRollback = 0xFF3B30;

/// Of equal brightness.
inline constexpr std::array<std::uint32_t, 12> kPlayers{0xE5645A, 0xE07F2E, 0xC79A00, 0x8EAA1F,
                                                        0x3FAE5A, 0x00AE9A, 0x00A5C8, 0x5B92E5,
                                                        0x9B7BE6, 0xCF68C6, 0xE05F97, 0x7B8794};
inline constexpr std::array<std::uint32_t, 2> kTeams{0xE5645A, 0x5B92E5};
}  // namespace look

/// The colour of player `number`; neighbours in number are far apart in colour.
[[nodiscard]] constexpr std::uint32_t player_colour(std::size_t number) {
    return look::kPlayers[number * 5 % look::kPlayers.size()];
}

}  // namespace fray::panzer::client
