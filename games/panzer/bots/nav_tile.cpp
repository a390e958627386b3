#include "games/panzer/bots/nav_tile.hpp"

#include "games/panzer/rules/tank.hpp"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/Recast.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace fray::panzer {

namespace {

template <auto Free>
struct Freed {
    template <class T>
    void operator()(T* t) const {
        Free(t);
    }
};
using Heightfield = std::unique_ptr<rcHeightfield, Freed<rcFreeHeightField>>;
using Compact = std::unique_ptr<rcCompactHeightfield, Freed<rcFreeCompactHeightfield>>;
using Contours = std::unique_ptr<rcContourSet, Freed<rcFreeContourSet>>;
using Polygons = std::unique_ptr<rcPolyMesh, Freed<rcFreePolyMesh>>;

constexpr float kMostWaste = 0.35F;     // metres that a wall may count as thicker than it is
constexpr float kHeight = 1;            // of a voxel, metres; the ground is flat
constexpr int kClimb = 1;               // voxels
constexpr int kTankHeight = 2;          // voxels
constexpr float kMostDeviation = 0.9F;  // of a simplified outline, voxels; with 1, ways of one voxel vanish
constexpr int kMostSides = 6;           // of a polygon; Detour's limit
constexpr std::uint16_t kWalkable = 1;

std::int32_t border_of(const VoxelSize& size) { return size.radius + 3; }  // as Recast recommends

/// Whether tanks can be in the cell that a voxel lies in.
bool is_free(const Map& map, const VoxelSize& size, std::int32_t x, std::int32_t y) {
    if (x < 0 || y < 0) return false;
    return !is_wall(map.at({x / size.per_cell, y / size.per_cell}));
}

struct TileBounds {
    std::int32_t x;  // of its first voxel, border included
    std::int32_t y;
    std::int32_t side;  // voxels, border included
    float low[3];
    float high[3];
};

TileBounds bounds_of(const VoxelSize& size, std::int32_t column, std::int32_t row) {
    const std::int32_t border = border_of(size);
    TileBounds bounds{
        column * kTileVoxels - border, row * kTileVoxels - border, kTileVoxels + 2 * border, {}, {}};
    bounds.low[0] = static_cast<float>(bounds.x) * size.side;
    bounds.low[2] = static_cast<float>(bounds.y) * size.side;
    bounds.high[0] = static_cast<float>(bounds.x + bounds.side) * size.side;
    bounds.high[1] = 4 * kHeight;
    bounds.high[2] = static_cast<float>(bounds.y + bounds.side) * size.side;
    return bounds;
}

/// The free voxels of the tile and its border, walls thickened by the radius of a tank.
Compact voxels(rcContext& context, const Map& map, const VoxelSize& size, const TileBounds& bounds) {
    const Heightfield field{rcAllocHeightfield()};
    if (!rcCreateHeightfield(&context, *field, bounds.side, bounds.side, bounds.low, bounds.high, size.side,
                             kHeight))
        return nullptr;
    for (std::int32_t y = 0; y < bounds.side; ++y) {
        for (std::int32_t x = 0; x < bounds.side; ++x) {
            if (!is_free(map, size, bounds.x + x, bounds.y + y)) continue;
            if (!rcAddSpan(&context, *field, x, y, 0, 1, RC_WALKABLE_AREA, kClimb)) return nullptr;
        }
    }
    Compact compact{rcAllocCompactHeightfield()};
    if (!rcBuildCompactHeightfield(&context, kTankHeight, kClimb, *field, *compact)) return nullptr;
    if (!rcErodeWalkableArea(&context, size.radius, *compact)) return nullptr;
    return compact;
}

Polygons polygons_of(rcContext& context, rcCompactHeightfield& compact, const VoxelSize& size) {
    // Layers are made for tiles: half the time of watersheds, and fewer polygons.
    if (!rcBuildLayerRegions(&context, compact, border_of(size), 0)) return nullptr;
    const Contours contours{rcAllocContourSet()};
    if (!rcBuildContours(&context, compact, kMostDeviation, 0, *contours)) return nullptr;
    Polygons polygons{rcAllocPolyMesh()};
    if (!rcBuildPolyMesh(&context, *contours, kMostSides, *polygons)) return nullptr;
    std::fill_n(polygons->flags, polygons->npolys, kWalkable);
    return polygons;
}

}  // namespace

VoxelSize voxel_size(const Map& map) {
    for (std::int32_t n = 3;; ++n) {
        const float side = map.cell / static_cast<float>(n);
        const auto radius = floor_of(kTankRadius / side) + 1;
        if (2 * radius < n && static_cast<float>(radius) * side - kTankRadius <= kMostWaste)
            return {n, side, radius};
    }
}

NavTile build_tile(const Map& map, const VoxelSize& size, std::int32_t column, std::int32_t row) {
    rcContext context{false};  // no log, no timers
    const TileBounds bounds = bounds_of(size, column, row);
    const Compact compact = voxels(context, map, size, bounds);
    const Polygons polygons = compact ? polygons_of(context, *compact, size) : nullptr;
    if (!polygons || polygons->npolys == 0) return {};
    dtNavMeshCreateParams params{};
    params.verts = polygons->verts;
    params.vertCount = polygons->nverts;
    params.polys = polygons->polys;
    params.polyAreas = polygons->areas;
    params.polyFlags = polygons->flags;
    params.polyCount = polygons->npolys;
    params.nvp = polygons->nvp;
    params.walkableHeight = kTankHeight * kHeight;
    params.walkableRadius = kTankRadius;
    params.walkableClimb = kClimb * kHeight;
    params.tileX = column;
    params.tileY = row;
    std::copy_n(polygons->bmin, 3, params.bmin);
    std::copy_n(polygons->bmax, 3, params.bmax);
    params.cs = size.side;
    params.ch = kHeight;
    params.buildBvTree = true;
    NavTile tile;
    if (!dtCreateNavMeshData(&params, &tile.data, &tile.bytes)) return {};
    tile.polygons = static_cast<std::size_t>(polygons->npolys);
    return tile;
}

}  // namespace fray::panzer
