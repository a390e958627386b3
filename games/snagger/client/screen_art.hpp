#pragma once
// How one screen of Snagger looks: dark, two bright ships, the net as a glowing rope, round aliens.

#include "games/panzer/client/paint.hpp"
#include "games/snagger/match/snag_game.hpp"

#include <array>
#include <cstdint>
#include <deque>

namespace fray::snagger::client {

namespace look {
inline constexpr std::uint32_t kSpace = 0x0B0E14;
inline constexpr std::uint32_t kFrame = 0x2A3340;
inline constexpr std::uint32_t kStar = 0x8FA3BF;
inline constexpr std::uint32_t kNet = 0x8FF0C0;
inline constexpr std::uint32_t kAlien = 0xE85FC8;
inline constexpr std::uint32_t kInside = 0xFFF3C4;
inline constexpr std::array<std::uint32_t, kShips> kShip{0xFFB000, 0x2BD9E8};
}  // namespace look

/// Where a screen is painted, in pixels. 4:3 as the game's.
struct Area {
    float x = 0, y = 0, wide = 0;
    [[nodiscard]] float high() const { return wide * kHeight / kWidth; }
    [[nodiscard]] ImVec2 at(const Vec3& place) const {
        return {x + place.x / kWidth * wide, y + (kHeight - place.y) / kWidth * wide};
    }
    [[nodiscard]] float length(float units) const { return units / kWidth * wide; }
};

/// Paints what one player's screen shows, and remembers its trails.
class ScreenArt {
public:
    /// Once per frame of the game.
    void see(const snagger::Game& screen);
    void paint(const panzer::client::Painter& p, const Area& area, const SnagGame& game) const;

private:
    std::array<std::deque<Vec3>, kShips> trails_;
    std::uint32_t seen_ = 0;
};

}  // namespace fray::snagger::client
