#pragma once
// Snagger: two ships drag a net and catch aliens in its loop, together. The whole game is one plain value,
// and a tick is a pure function: the same value and keys give the same bits with every compiler.

#include "games/snagger/rules/alien.hpp"
#include "games/snagger/rules/net.hpp"
#include "games/snagger/rules/ship.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray::snagger {

inline constexpr std::size_t kAliens = 6;

struct Game {
    Seed seed{};  ///< determines the aliens
    std::uint32_t tick = 0;
    std::uint32_t score = 0;     ///< aliens caught; the players share it
    std::uint32_t arrivals = 0;  ///< aliens that have entered so far
    std::array<Ship, kShips> ships{};
    Net net{};
    std::array<Alien, kAliens> aliens{};  ///< a caught one is replaced by the next

    friend bool operator==(const Game&, const Game&) = default;
};

[[nodiscard]] Game start(Seed seed);
/// 1/60 second later: the ships move, the net follows, the aliens drift; then, if a space bar went down,
/// every alien inside the loop is caught.
[[nodiscard]] Game step(const Game& game, const Inputs& inputs);

[[nodiscard]] bool is_enclosed(const Game& game, const Alien& alien);
/// Hash of the whole game.
[[nodiscard]] std::uint64_t fingerprint(const Game& game);

}  // namespace fray::snagger
