#pragma once
// One square tile of a navigation mesh, made by Recast from the cells of a map.

#include "games/panzer/rules/map.hpp"

#include <cstddef>
#include <cstdint>

namespace fray::panzer {

inline constexpr std::int32_t kTileVoxels = 80;  ///< along one side of a tile

/// Recast works on voxels. Their size divides the cell, and the radius of a tank is little less than a whole
/// number of them: a tank still fits through a gap of one cell.
struct VoxelSize {
    std::int32_t per_cell = 0;
    float side = 0;           ///< metres
    std::int32_t radius = 0;  ///< of a tank, voxels
};
[[nodiscard]] VoxelSize voxel_size(const Map& map);

/// Data for dtNavMesh::addTile(), to be freed by it; nullptr if no tank can be there.
struct NavTile {
    unsigned char* data = nullptr;
    int bytes = 0;
    std::size_t polygons = 0;
};
[[nodiscard]] NavTile build_tile(const Map& map, const VoxelSize& size, std::int32_t column,
                                 std::int32_t row);

}  // namespace fray::panzer
