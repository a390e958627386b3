#include "games/panzer/rules/map_report.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {

constexpr std::uint32_t kUnseen = 0;
constexpr std::uint32_t kWall = 0xFFFFFFFF;

/// Numbers the connected parts of the ground from 1. A tank fits through a gap of one cell, not through a
/// diagonal.
class Parts {
public:
    explicit Parts(const Map& map) : map_{map}, part_(map.cells.size(), kUnseen) {
        for (std::size_t i = 0; i < part_.size(); ++i) {
            if (is_wall(map.cells[i])) part_[i] = kWall;
        }
        for (std::int32_t row = 0; row < map.rows; ++row) {
            for (std::int32_t column = 0; column < map.columns; ++column) {
                if (part_[map.index({column, row})] == kUnseen) fill({column, row});
            }
        }
        largest_ = sizes_.empty()
                       ? kWall
                       : static_cast<std::uint32_t>(std::ranges::max_element(sizes_) - sizes_.begin()) + 1;
    }
    [[nodiscard]] bool in_largest(CellPlace place) const { return part_[map_.index(place)] == largest_; }
    [[nodiscard]] std::size_t largest_size() const { return sizes_.empty() ? 0 : sizes_[largest_ - 1]; }

private:
    void fill(CellPlace first) {
        sizes_.push_back(0);
        open_.assign(1, first);
        while (!open_.empty()) {
            const CellPlace at = open_.back();
            open_.pop_back();
            if (!map_.contains(at) || part_[map_.index(at)] != kUnseen) continue;
            part_[map_.index(at)] = static_cast<std::uint32_t>(sizes_.size());
            ++sizes_.back();
            for (const CellPlace step : {CellPlace{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
                open_.push_back({at.column + step.column, at.row + step.row});
        }
    }

    const Map& map_;
    std::vector<std::uint32_t> part_;  // by cell
    std::vector<std::size_t> sizes_;   // by part
    std::vector<CellPlace> open_;
    std::uint32_t largest_ = kWall;
};

}  // namespace

MapReport inspect(const Map& map) {
    MapReport report;
    report.ground_cells =
        static_cast<std::size_t>(std::ranges::count_if(map.cells, [](Cell cell) { return !is_wall(cell); }));
    const Parts parts{map};
    report.reachable_cells = parts.largest_size();
    const auto note = [&](std::vector<CellPlace>& lost, const Vec2& at) {
        const CellPlace place = map.place_of(at);
        // Several tanks enter in one cell.
        if (!parts.in_largest(place) && (lost.empty() || lost.back() != place)) lost.push_back(place);
    };
    for (const Spawn& spawn : map.spawns) {
        ++report.team_spawns[spawn.team];
        note(report.lost_spawns, spawn.position);
    }
    for (const Vec2& item : map.items) note(report.lost_items, item);
    for (const Vec2& flag : map.flags) note(report.lost_flags, flag);
    return report;
}

}  // namespace fray::panzer
