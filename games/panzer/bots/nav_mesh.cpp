#include "games/panzer/bots/nav_mesh.hpp"

#include "games/panzer/bots/nav_tile.hpp"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <bit>
#include <string>

namespace fray::panzer {

namespace {

/// Bits of a reference to a polygon that number its tile and its place there; Detour keeps the other ten.
constexpr unsigned kReferenceBits = 22;
constexpr unsigned kPolygonBits = 10;  // a tile of kTileVoxels has far fewer
constexpr std::size_t kMostTiles = std::size_t{1} << (kReferenceBits - kPolygonBits);

}  // namespace

void NavMesh::Free::operator()(dtNavMesh* mesh) const { dtFreeNavMesh(mesh); }

Result<NavMesh> NavMesh::build(const Map& map) {
    const VoxelSize size = voxel_size(map);
    const auto tiles_along = [&](std::int32_t cells) {
        return (cells * size.per_cell + kTileVoxels - 1) / kTileVoxels;
    };
    const std::int32_t columns = tiles_along(map.columns);
    const std::int32_t rows = tiles_along(map.rows);
    const auto all = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
    const Error too_large{"map " + map.name + " is too large for a navigation mesh: " + std::to_string(all) +
                          " tiles, at most " + std::to_string(kMostTiles)};
    if (all > kMostTiles) return too_large;
    NavMesh made;
    made.mesh_.reset(dtAllocNavMesh());
    const float side = size.side * static_cast<float>(kTileVoxels);
    dtNavMeshParams params{};
    params.tileWidth = params.tileHeight = side;
    params.maxTiles = static_cast<int>(std::bit_ceil(all));
    params.maxPolys = 1 << kPolygonBits;
    if (dtStatusFailed(made.mesh_->init(&params))) return too_large;
    for (std::int32_t row = 0; row < rows; ++row) {
        for (std::int32_t column = 0; column < columns; ++column) {
            const NavTile tile = build_tile(map, size, column, row);
            if (tile.data == nullptr) continue;  // nothing but walls
            if (dtStatusFailed(made.mesh_->addTile(tile.data, tile.bytes, DT_TILE_FREE_DATA, 0, nullptr))) {
                dtFree(tile.data);
                return too_large;
            }
            made.polygons_ += tile.polygons;
            ++made.tiles_;
        }
    }
    return made;
}

}  // namespace fray::panzer
