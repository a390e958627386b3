#pragma once
// A battlefield: a grid of square cells. Walls block movement, sight and shots; so does everything outside
// the grid. Made from a text that people draw in an editor (map_text.hpp, docs/guides/make_a_map.md).

#include "games/panzer/rules/units.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fray::panzer {

enum class Cell : std::uint8_t {
    ground,
    hill,      ///< ground; drawn higher
    concrete,  ///< from here on, walls
    brick,
    hedge,
    door,  ///< solid unless its door is open
};
[[nodiscard]] constexpr bool is_wall(Cell cell) { return cell >= Cell::concrete && cell <= Cell::hedge; }

/// Column and row of a cell; row 0 is in the south. May lie outside the map.
struct CellPlace {
    std::int32_t column = 0;
    std::int32_t row = 0;
    friend constexpr bool operator==(const CellPlace&, const CellPlace&) = default;
};

/// Where a tank may enter.
struct Spawn {
    Vec2 position;
    Angle heading = 0;      ///< towards the middle of the map
    std::uint8_t team = 0;  ///< 0: both; 1 or 2
    friend constexpr bool operator==(const Spawn&, const Spawn&) = default;
};

/// Adjacent door cells in a row or column.
struct DoorPlace {
    Vec2 low;
    Vec2 high;
    friend constexpr bool operator==(const DoorPlace&, const DoorPlace&) = default;
};

/// One tank needs a square with sides of this length to enter: a spawn cell of 8 m takes four.
inline constexpr float kSpawnSide = 4;
inline constexpr float kDoorReach = 6;  ///< metres; a door opens for tanks whose cell is so close to it
inline constexpr std::size_t kMostSpawns = 65'536;
inline constexpr float kLeastCell = 4;  ///< metres; a tank overlaps at most four cells
inline constexpr float kMostCell = 64;
inline constexpr std::size_t kMostSide = 1024;  ///< cells
inline constexpr std::uint16_t kNone = 0xFFFF;

/// Bits of Map::around.
inline constexpr std::uint8_t kSolidAround =
    1;  ///< the cell or one of its eight neighbours is a wall, a door, or outside
inline constexpr std::uint8_t kItemHere = 2;
inline constexpr std::uint8_t kDoorsNear = 4;

class Map {
public:
    std::string name;
    std::string title;        ///< for people; may be empty
    float cell = 4;           ///< side of a cell, metres
    float per_metre = 0.25F;  ///< cells; 1 / cell
    std::int32_t columns = 0;
    std::int32_t rows = 0;
    std::vector<Cell> cells;  ///< row by row, from the south-west corner
    std::vector<Spawn> spawns;
    std::vector<Vec2> items;
    std::vector<DoorPlace> doors;
    std::vector<Vec2> flags;

    /// By cell: what a tank in it may touch, as bits (kSolidAround and so on). Most cells have none, and most
    /// tanks are there.
    std::vector<std::uint8_t> around;
    /// By cell: the number of the item in it, and of the door that the cell belongs to; or kNone.
    std::vector<std::uint16_t> item_in;
    std::vector<std::uint16_t> door_in;
    /// The doors that a tank in cell i opens: those of `doors_near` from doors_near_from[i] to
    /// doors_near_from[i + 1].
    std::vector<std::uint16_t> doors_near;
    std::vector<std::uint32_t> doors_near_from;

    [[nodiscard]] float width() const { return cell * static_cast<float>(columns); }
    [[nodiscard]] float height() const { return cell * static_cast<float>(rows); }
    [[nodiscard]] bool contains(CellPlace at) const {
        return at.column >= 0 && at.row >= 0 && at.column < columns && at.row < rows;
    }
    /// Whether a point lies in a cell of the map. Any float is allowed, as foreign messages hold them.
    [[nodiscard]] bool holds(const Vec2& point) const {
        return point.x >= 0 && point.y >= 0 && point.x < width() && point.y < height() &&
               contains(place_of(point));
    }
    [[nodiscard]] CellPlace place_of(const Vec2& point) const {
        return {floor_of(point.x * per_metre), floor_of(point.y * per_metre)};
    }
    /// Requires contains(at).
    [[nodiscard]] std::size_t index(CellPlace at) const {
        return static_cast<std::size_t>(at.row) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>(at.column);
    }
    /// Concrete outside the map.
    [[nodiscard]] Cell at(CellPlace place) const {
        return contains(place) ? cells[index(place)] : Cell::concrete;
    }
    [[nodiscard]] Vec2 middle_of(CellPlace place) const {
        return {(static_cast<float>(place.column) + 0.5F) * cell,
                (static_cast<float>(place.row) + 0.5F) * cell};
    }
    /// The doors that a tank in this cell opens.
    [[nodiscard]] std::span<const std::uint16_t> doors_near_cell(std::size_t index) const {
        return std::span{doors_near}.subspan(doors_near_from[index],
                                             doors_near_from[index + 1] - doors_near_from[index]);
    }
    /// How many tanks can start, all at once.
    [[nodiscard]] std::size_t most_tanks() const { return spawns.size(); }
    /// A hash of everything that the rules depend on.
    [[nodiscard]] std::uint64_t fingerprint() const;

    friend bool operator==(const Map&, const Map&) = default;
};

}  // namespace fray::panzer
