#pragma once
// Finds the players within a range, among thousands: cells are at least as wide as the range, so at most nine
// are searched. Finds the player nearest to a position: searches rings of cells around it until none can
// contain a nearer one.

#include <fray/geometry.hpp>

#include "lab/metrics/area.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray::lab {

using PlayerIndex = std::uint32_t;

/// One player at one moment.
struct Placed {
    Vec3 position{};
    bool present = false;
    bool settled = false;  ///< present, and joined more than ten rounds ago
};

class NeighbourGrid {
public:
    /// On a torus the range must be at most half of each side.
    NeighbourGrid(const Area& area, float range);

    void place(std::span<const Placed> players);

    struct Neighbour {
        PlayerIndex who = 0;
        float distance = 0;
    };
    /// Present players other than `who` within the range. Valid until the next call.
    [[nodiscard]] std::span<const Neighbour> around(PlayerIndex who);
    /// Of the present players; nothing if there is none.
    [[nodiscard]] std::optional<Neighbour> nearest(const Vec3& place) const;

private:
    struct Axis {
        std::size_t cells = 1;
        float extent = 0;
        [[nodiscard]] std::size_t cell_of(float at) const;
        [[nodiscard]] float cell_width() const { return extent / static_cast<float>(cells); }
    };
    struct Span {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    [[nodiscard]] Span cells_near(const Axis& axis, float at) const;
    [[nodiscard]] std::size_t cell_of(const Vec3& position) const;
    void search(std::size_t cell, PlayerIndex who);
    void search_ring(std::int64_t ring, const Vec3& place, std::optional<Neighbour>& best) const;
    [[nodiscard]] std::optional<std::size_t> cell_at(std::int64_t column, std::int64_t row) const;

    Area area_;
    float range_;
    Axis columns_;
    Axis rows_;
    std::span<const Placed> players_;
    std::vector<std::size_t> begins_;  ///< of each cell in order_, and the end
    std::vector<PlayerIndex> order_;   ///< players by cell
    std::vector<Neighbour> neighbours_;
};

}  // namespace fray::lab
