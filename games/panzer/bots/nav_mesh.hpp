#pragma once
// The ground that the middle of a tank can be on, as a navigation mesh of Recast and Detour. Doors count as
// open: a tank that comes close opens them.
//
//     const auto mesh = NavMesh::build(map);
//     NavQuery query{*mesh};
//     NavPath path;
//     query.find_path(tank.position, goal, path);
//
// A mesh is immutable, so bots on several threads may share it. A query has scratch memory of its own: one
// per thread is enough, because no result depends on earlier questions.

#include <fray/result.hpp>

#include "games/panzer/rules/map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

class dtNavMesh;
class dtNavMeshQuery;

namespace fray::panzer {

class NavMesh {
public:
    /// Returns an error if the map is too large for a mesh.
    [[nodiscard]] static Result<NavMesh> build(const Map& map);

    [[nodiscard]] const dtNavMesh& detour() const { return *mesh_; }
    [[nodiscard]] std::size_t polygons() const { return polygons_; }
    [[nodiscard]] std::size_t tiles() const { return tiles_; }

private:
    struct Free {
        void operator()(dtNavMesh* mesh) const;
    };
    std::unique_ptr<dtNavMesh, Free> mesh_;
    std::size_t polygons_ = 0;
    std::size_t tiles_ = 0;
};

inline constexpr std::size_t kMostCorners = 24;   ///< of a path; a longer one ends early
inline constexpr std::size_t kMostPolygons = 96;  ///< that a path leads through; likewise
inline constexpr int kMostNodes = 1024;  ///< visited in one search; a goal beyond gets a path towards it

/// The corners of a way, the start left out. Between two of them a tank drives straight.
struct NavPath {
    std::array<Vec2, kMostCorners> corners{};
    std::size_t count = 0;
    bool is_complete = false;  ///< the last corner is the goal, not a place on the way there
};

class NavQuery {
public:
    /// The mesh must outlive the query.
    explicit NavQuery(const NavMesh& mesh);

    /// False, and an empty path, if one of the ends is farther than kOffMesh from the mesh.
    bool find_path(const Vec2& from, const Vec2& to, NavPath& path) const;
    /// The nearest place of the mesh, if one is within kNearby.
    [[nodiscard]] std::optional<Vec2> nearest(const Vec2& point) const;
    /// Whether a tank can drive straight from one place of the mesh to another.
    [[nodiscard]] bool is_straight(const Vec2& from, const Vec2& to) const;

    static constexpr float kNearby = 4;   ///< metres, along each axis
    static constexpr float kOffMesh = 1;  ///< likewise; tanks that were pushed, items beside a wall

private:
    struct Free {
        void operator()(dtNavMeshQuery* query) const;
    };
    std::unique_ptr<dtNavMeshQuery, Free> query_;
};

}  // namespace fray::panzer
