#include "games/panzer/rules/map_builder.hpp"

#include <numeric>
#include <utility>

namespace fray::panzer {

namespace {

Cell cell_of(char c) {
    switch (c) {
        case '^':
            return Cell::hill;
        case '#':
            return Cell::concrete;
        case 'B':
            return Cell::brick;
        case 'H':
            return Cell::hedge;
        case 'D':
            return Cell::door;
        default:
            return Cell::ground;
    }
}

char char_of(Cell cell) {
    constexpr std::string_view kChars = ".^#BHD";
    return kChars[static_cast<std::size_t>(cell)];
}

/// As many tanks as fit side by side enter in one spawn cell.
void add_spawns(Map& map, CellPlace place, std::uint8_t team) {
    if (map.spawns.size() > kMostSpawns) return;  // refused later
    const auto per_side = static_cast<int>(map.cell / kSpawnSide);
    const Vec2 low{static_cast<float>(place.column) * map.cell, static_cast<float>(place.row) * map.cell};
    const Vec2 centre{map.width() / 2, map.height() / 2};
    const float side = map.cell / static_cast<float>(per_side);
    for (int y = 0; y < per_side; ++y) {
        for (int x = 0; x < per_side; ++x) {
            const Vec2 at =
                low + Vec2{(static_cast<float>(x) + 0.5F) * side, (static_cast<float>(y) + 0.5F) * side};
            map.spawns.push_back({at, angle_of(centre - at), team});
        }
    }
}

void add_contents(Map& map, const std::vector<std::string_view>& rows) {
    for (std::int32_t row = 0; row < map.rows; ++row) {
        for (std::int32_t column = 0; column < map.columns; ++column) {
            const CellPlace place{column, row};
            const auto from_north = static_cast<std::size_t>(map.rows - 1 - row);
            const char c = rows[from_north][static_cast<std::size_t>(column)];
            map.cells[map.index(place)] = cell_of(c);
            if (c == 's') add_spawns(map, place, 0);
            if (c == '1' || c == '2') add_spawns(map, place, c == '1' ? 1 : 2);
            if (c == 'F') map.flags.push_back(map.middle_of(place));
            if (c != 'i') continue;
            map.item_in[map.index(place)] = static_cast<std::uint16_t>(map.items.size());
            map.items.push_back(map.middle_of(place));
        }
    }
}

/// The door that begins here and runs in the direction of `step`; its cells are marked.
void add_door(Map& map, CellPlace first, CellPlace step) {
    const auto number = static_cast<std::uint16_t>(map.doors.size());
    CellPlace last = first;
    for (CellPlace at = first; map.at(at) == Cell::door && map.door_in[map.index(at)] == kNone;
         at = {at.column + step.column, at.row + step.row}) {
        map.door_in[map.index(at)] = number;
        last = at;
    }
    const float half = map.cell / 2;
    map.doors.push_back({map.middle_of(first) - Vec2{half, half}, map.middle_of(last) + Vec2{half, half}});
}

void add_doors(Map& map) {
    for (std::int32_t row = 0; row < map.rows; ++row) {
        for (std::int32_t column = 0; column < map.columns; ++column) {
            const CellPlace place{column, row};
            if (map.at(place) != Cell::door || map.door_in[map.index(place)] != kNone) continue;
            const bool is_row = map.at({column + 1, row}) == Cell::door;
            add_door(map, place, is_row ? CellPlace{1, 0} : CellPlace{0, 1});
        }
    }
}

/// Calls visit(cell index) for each cell from which a tank opens the door.
template <class Visit>
void each_cell_in_reach(const Map& map, const DoorPlace& door, Visit&& visit) {
    const CellPlace low = map.place_of(door.low - Vec2{kDoorReach, kDoorReach});
    const CellPlace high = map.place_of(door.high + Vec2{kDoorReach, kDoorReach});
    for (std::int32_t row = low.row; row <= high.row; ++row) {
        for (std::int32_t column = low.column; column <= high.column; ++column) {
            if (map.contains({column, row})) visit(map.index({column, row}));
        }
    }
}

/// First counts the doors of each cell, then writes them: one array for all cells.
void mark_reach(Map& map) {
    std::vector<std::uint32_t>& from = map.doors_near_from;
    from.assign(map.cells.size() + 1, 0);
    for (const DoorPlace& door : map.doors) {
        each_cell_in_reach(map, door, [&](std::size_t cell) { ++from[cell + 1]; });
    }
    std::partial_sum(from.begin(), from.end(), from.begin());
    map.doors_near.resize(from.back());
    std::vector<std::uint32_t> next = from;
    for (std::size_t i = 0; i < map.doors.size(); ++i) {
        each_cell_in_reach(map, map.doors[i], [&](std::size_t cell) {
            map.doors_near[next[cell]++] = static_cast<std::uint16_t>(i);
        });
    }
}

std::uint8_t around_of(const Map& map, CellPlace place) {
    unsigned around = 0;
    for (std::int32_t row = place.row - 1; row <= place.row + 1; ++row) {
        for (std::int32_t column = place.column - 1; column <= place.column + 1; ++column) {
            if (map.at({column, row}) >= Cell::concrete) around |= kSolidAround;
        }
    }
    const std::size_t index = map.index(place);
    if (map.item_in[index] != kNone) around |= kItemHere;
    if (!map.doors_near_cell(index).empty()) around |= kDoorsNear;
    return static_cast<std::uint8_t>(around);
}

void mark_surroundings(Map& map) {
    map.around.resize(map.cells.size());
    for (std::int32_t row = 0; row < map.rows; ++row) {
        for (std::int32_t column = 0; column < map.columns; ++column) {
            map.around[map.index({column, row})] = around_of(map, {column, row});
        }
    }
}

}  // namespace

Result<Map> build_map(Map map, const std::vector<std::string_view>& rows) {
    map.per_metre = 1 / map.cell;
    map.rows = static_cast<std::int32_t>(rows.size());
    map.columns = static_cast<std::int32_t>(rows.front().size());
    const std::size_t size = rows.size() * rows.front().size();
    map.cells.assign(size, Cell::ground);
    map.item_in.assign(size, kNone);
    map.door_in.assign(size, kNone);
    add_contents(map, rows);
    add_doors(map);
    if (map.items.size() >= kNone || map.doors.size() >= kNone)
        return Error{"a map has at most 65,534 items and as many doors"};
    if (map.spawns.size() > kMostSpawns) return Error{"a map has spawn points for at most 65,536 tanks"};
    mark_reach(map);
    mark_surroundings(map);
    if (map.spawns.size() < 2)
        return Error{"the map needs spawn points for at least two tanks (s, 1 or 2), it has " +
                     std::to_string(map.spawns.size())};
    return map;
}

std::vector<std::string> draw_rows(const Map& map) {
    std::vector<std::string> rows(static_cast<std::size_t>(map.rows));
    for (std::int32_t row = 0; row < map.rows; ++row) {
        std::string& text = rows[static_cast<std::size_t>(map.rows - 1 - row)];
        for (std::int32_t column = 0; column < map.columns; ++column) text += char_of(map.at({column, row}));
    }
    const auto put = [&](const Vec2& at, char c) {
        const CellPlace place = map.place_of(at);
        rows[static_cast<std::size_t>(map.rows - 1 - place.row)][static_cast<std::size_t>(place.column)] = c;
    };
    for (const Spawn& s : map.spawns) put(s.position, s.team == 0 ? 's' : static_cast<char>('0' + s.team));
    for (const Vec2& item : map.items) put(item, 'i');
    for (const Vec2& flag : map.flags) put(flag, 'F');
    return rows;
}

}  // namespace fray::panzer
