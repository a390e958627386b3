#pragma once
// The map with its doors as they are at the moment: what is solid, and how far one can see.

#include "games/panzer/rules/map.hpp"

#include <cstdint>
#include <span>

namespace fray::panzer {

inline constexpr std::uint8_t kDoorSteps = 30;  ///< a door takes half a second to open or close
inline constexpr std::uint16_t kDoorHold =
    steps(2.5F);  ///< stays open for this long after the last tank was near

struct Door {
    std::uint8_t opened = 0;  ///< 0: closed; kDoorSteps: open. Solid unless fully open
    std::uint16_t hold = 0;   ///< steps until it starts to close
    friend constexpr bool operator==(const Door&, const Door&) = default;
};

struct Ground {
    const Map& map;
    std::span<const Door> doors;  ///< one per Map::doors

    [[nodiscard]] bool is_solid(CellPlace place) const {
        if (!map.contains(place)) return true;
        const std::size_t index = map.index(place);
        const Cell cell = map.cells[index];
        if (cell != Cell::door) return is_wall(cell);
        return doors[map.door_in[index]].opened != kDoorSteps;
    }
};

/// How far a ray with this unit direction gets before it meets something solid, at most `most` metres.
[[nodiscard]] float free_way(const Ground& ground, const Vec2& from, const Vec2& unit, float most);
/// Whether nothing solid lies between two points.
[[nodiscard]] bool sees(const Ground& ground, const Vec2& from, const Vec2& to);

}  // namespace fray::panzer
