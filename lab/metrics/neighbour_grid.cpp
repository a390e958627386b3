#include "lab/metrics/neighbour_grid.hpp"

#include <algorithm>

namespace fray::lab {
namespace {

// Per axis: a large world with a short range would consist of empty cells.
constexpr std::size_t kMostCells = 4096;

std::size_t cells_along(float extent, float range) {
    const float fitting = range > 0 ? extent / range : 1;
    return std::clamp(static_cast<std::size_t>(std::max(fitting, 1.0F)), std::size_t{1}, kMostCells);
}

}  // namespace

NeighbourGrid::NeighbourGrid(const Area& area, float range)
    : area_{area},
      range_{range},
      columns_{.cells = cells_along(area.width, range), .extent = area.width},
      rows_{.cells = cells_along(area.height, range), .extent = area.height} {}

std::size_t NeighbourGrid::Axis::cell_of(float at) const {
    const float cell = at / extent * static_cast<float>(cells);
    return std::min(static_cast<std::size_t>(std::max(cell, 0.0F)), cells - 1);
}

std::size_t NeighbourGrid::cell_of(const Vec3& position) const {
    return rows_.cell_of(position.y) * columns_.cells + columns_.cell_of(position.x);
}

void NeighbourGrid::place(std::span<const Placed> players) {
    players_ = players;
    begins_.assign(columns_.cells * rows_.cells + 1, 0);
    for (const Placed& player : players) {
        if (player.present) ++begins_[cell_of(player.position) + 1];
    }
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    order_.resize(begins_.back());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (PlayerIndex i = 0; i < players.size(); ++i) {
        if (players[i].present) order_[next[cell_of(players[i].position)]++] = i;
    }
}

/// The cell of this position and its neighbours, each once. On a torus they wrap around.
NeighbourGrid::Span NeighbourGrid::cells_near(const Axis& axis, float at) const {
    const std::size_t cell = axis.cell_of(at);
    if (axis.cells <= 3) return {.first = 0, .count = axis.cells};
    if (area_.wraps) return {.first = cell + axis.cells - 1, .count = 3};
    const std::size_t first = cell == 0 ? 0 : cell - 1;
    return {.first = first, .count = std::min(cell + 2, axis.cells) - first};
}

std::span<const NeighbourGrid::Neighbour> NeighbourGrid::around(PlayerIndex who) {
    neighbours_.clear();
    const Vec3& position = players_[who].position;
    const Span rows = cells_near(rows_, position.y);
    const Span columns = cells_near(columns_, position.x);
    for (std::size_t y = rows.first; y < rows.first + rows.count; ++y) {
        for (std::size_t x = columns.first; x < columns.first + columns.count; ++x)
            search((y % rows_.cells) * columns_.cells + x % columns_.cells, who);
    }
    return neighbours_;
}

void NeighbourGrid::search(std::size_t cell, PlayerIndex who) {
    const Vec3& position = players_[who].position;
    for (std::size_t i = begins_[cell]; i < begins_[cell + 1]; ++i) {
        const PlayerIndex other = order_[i];
        if (other == who) continue;
        const Vec3 way = area_.between(position, players_[other].position);
        if (dot(way, way) > range_ * range_) continue;
        neighbours_.push_back({.who = other, .distance = length(way)});
    }
}

std::optional<NeighbourGrid::Neighbour> NeighbourGrid::nearest(const Vec3& place) const {
    std::optional<Neighbour> best;
    const float width = std::min(columns_.cell_width(), rows_.cell_width());
    const auto rings = static_cast<std::int64_t>(std::max(columns_.cells, rows_.cells));
    for (std::int64_t ring = 0; ring < rings; ++ring) {
        // Players in this ring are at least as far away as the width of the cells inside it.
        if (best && best->distance <= width * static_cast<float>(ring - 1)) break;
        search_ring(ring, place, best);
    }
    return best;
}

void NeighbourGrid::search_ring(std::int64_t ring, const Vec3& place, std::optional<Neighbour>& best) const {
    const auto column = static_cast<std::int64_t>(columns_.cell_of(place.x));
    const auto row = static_cast<std::int64_t>(rows_.cell_of(place.y));
    for (std::int64_t y = -ring; y <= ring; ++y) {
        const bool whole_row = y == -ring || y == ring;
        for (std::int64_t x = -ring; x <= ring; x += whole_row ? 1 : 2 * ring) {
            const auto cell = cell_at(column + x, row + y);
            if (!cell) continue;
            for (std::size_t i = begins_[*cell]; i < begins_[*cell + 1]; ++i) {
                const float distance = area_.distance(place, players_[order_[i]].position);
                if (!best || distance < best->distance) best = {.who = order_[i], .distance = distance};
            }
        }
    }
}

/// A cell that may lie beyond the border: wrapped on a torus, otherwise none.
std::optional<std::size_t> NeighbourGrid::cell_at(std::int64_t column, std::int64_t row) const {
    const auto width = static_cast<std::int64_t>(columns_.cells);
    const auto height = static_cast<std::int64_t>(rows_.cells);
    const bool inside = column >= 0 && column < width && row >= 0 && row < height;
    if (!inside && !area_.wraps) return std::nullopt;
    const std::int64_t x = (column % width + width) % width;
    const std::int64_t y = (row % height + height) % height;
    return static_cast<std::size_t>(y * width + x);
}

}  // namespace fray::lab
