#pragma once
// Snagger: two ships drag a net and catch aliens in its loop, together. The whole game is one plain value,
// and one tick of it a pure function: same value and keys, same next value, to the bit, with every compiler.

#include "games/snagger/rules/alien.hpp"
#include "games/snagger/rules/net.hpp"
#include "games/snagger/rules/ship.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fray::snagger {

inline constexpr std::size_t kAliens = 6;

struct Game {
    Seed seed{};  ///< which aliens come
    std::uint32_t tick = 0;
    std::uint32_t score = 0;     ///< aliens caught; the players share it
    std::uint32_t arrivals = 0;  ///< aliens that ever came in
    std::array<Ship, kShips> ships{};
    Net net{};
    std::array<Alien, kAliens> aliens{};  ///< one that is caught makes place for the next

    friend bool operator==(const Game&, const Game&) = default;
};

[[nodiscard]] Game start(Seed seed);
/// 1/60 second later: the ships move, the net follows, the aliens drift; then, where a space bar went down,
/// every alien inside the loop is caught.
[[nodiscard]] Game step(const Game& game, const Inputs& inputs);

[[nodiscard]] bool is_enclosed(const Game& game, const Alien& alien);
/// Of everything in it.
[[nodiscard]] std::uint64_t fingerprint(const Game& game);

}  // namespace fray::snagger
