#include "games/panzer/bots/nav_mesh.hpp"

#include <recastnavigation/DetourNavMeshQuery.h>

#include <array>

namespace fray::panzer {

namespace {

using Point = std::array<float, 3>;  // Detour's: x, height, y

Point point_of(const Vec2& v) { return {v.x, 0, v.y}; }

struct OnMesh {
    dtPolyRef polygon = 0;  // 0: none
    Point point{};
};

OnMesh on_mesh(const dtNavMeshQuery& query, const Vec2& at, float within) {
    const dtQueryFilter filter;
    OnMesh found;
    const Point point = point_of(at);
    const Point half_extents{within, 8, within};
    query.findNearestPoly(point.data(), half_extents.data(), &filter, &found.polygon, found.point.data());
    return found;
}

}  // namespace

void NavQuery::Free::operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }

NavQuery::NavQuery(const NavMesh& mesh) : query_{dtAllocNavMeshQuery()} {
    query_->init(&mesh.detour(), kMostNodes);
}

bool NavQuery::find_path(const Vec2& from, const Vec2& to, NavPath& path) const {
    path.count = 0;
    path.is_complete = false;
    const OnMesh start = on_mesh(*query_, from, kOffMesh);
    const OnMesh goal = on_mesh(*query_, to, kOffMesh);
    if (start.polygon == 0 || goal.polygon == 0) return false;
    const dtQueryFilter filter;
    std::array<dtPolyRef, kMostPolygons> polygons{};
    int polygon_count = 0;
    query_->findPath(start.polygon, goal.polygon, start.point.data(), goal.point.data(), &filter,
                     polygons.data(), &polygon_count, static_cast<int>(polygons.size()));
    if (polygon_count == 0) return false;
    const dtPolyRef last = polygons[static_cast<std::size_t>(polygon_count - 1)];
    Point end = goal.point;
    if (last != goal.polygon) query_->closestPointOnPoly(last, goal.point.data(), end.data(), nullptr);
    std::array<Point, kMostCorners + 1> corners{};
    int corner_count = 0;
    query_->findStraightPath(start.point.data(), end.data(), polygons.data(), polygon_count,
                             corners[0].data(), nullptr, nullptr, &corner_count,
                             static_cast<int>(corners.size()));
    for (int i = 1; i < corner_count; ++i) {
        const Point& corner = corners[static_cast<std::size_t>(i)];
        path.corners[path.count++] = {corner[0], corner[2]};
    }
    path.is_complete = last == goal.polygon && path.count > 0 &&
                       path.corners[path.count - 1] == Vec2{goal.point[0], goal.point[2]};
    return path.count > 0;
}

std::optional<Vec2> NavQuery::nearest(const Vec2& point) const {
    const OnMesh found = on_mesh(*query_, point, kNearby);
    if (found.polygon == 0) return std::nullopt;
    return Vec2{found.point[0], found.point[2]};
}

bool NavQuery::is_straight(const Vec2& from, const Vec2& to) const {
    const OnMesh start = on_mesh(*query_, from, kOffMesh);
    if (start.polygon == 0) return false;
    const dtQueryFilter filter;
    const Point end = point_of(to);
    float reached = 0;
    Point normal{};
    int count = 0;
    query_->raycast(start.polygon, start.point.data(), end.data(), &filter, &reached, normal.data(), nullptr,
                    &count, 0);
    return reached > 1;  // Detour: no wall on the whole way
}

}  // namespace fray::panzer
