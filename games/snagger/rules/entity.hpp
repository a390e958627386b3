#pragma once
// Ships as Fray's entities: the world they are in, and their motion model. A ship is a pose and the keys
// held; it has no payload.

#include <fray/world.hpp>

#include "games/snagger/rules/ship.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fray::snagger {

/// One tick of the world is one tick of the game; poses are on the grid of serialize().
[[nodiscard]] World world();

/// The motion model of world(): the ship with these keys held. No or unreadable input: no keys.
[[nodiscard]] Pose advance_pose(const Pose& pose, std::span<const std::uint8_t> payload,
                                std::span<const std::uint8_t> input, std::uint32_t ticks);

/// Keys as State::input holds them, and back.
[[nodiscard]] std::vector<std::uint8_t> input_bytes(const Input& input);
[[nodiscard]] Input input_of(std::span<const std::uint8_t> bytes);
/// The bits that are keys: all four.
inline constexpr std::array<std::uint8_t, 1> kKeys{0x0f};

}  // namespace fray::snagger
