#pragma once
// The map as it is drawn: ground, hills, walls, hedges, and the land around. Rules are flat; hills are drawn
// higher, and everything that stands on them is lifted.

#include "games/panzer/client/mesh.hpp"
#include "games/panzer/rules/map.hpp"

#include <vector>

namespace fray::panzer::client {

inline constexpr float kWallHeight = 3.2F;  ///< metres
inline constexpr float kHedgeHeight = 2.6F;

/// How high the ground is.
class Heights {
public:
    explicit Heights(const Map& map);
    [[nodiscard]] float at(const Vec2& place) const;
    /// Upwards, of length 1.
    [[nodiscard]] glm::vec3 normal(const Vec2& place) const;

private:
    [[nodiscard]] float corner(std::int32_t column, std::int32_t row) const;
    const Map* map_;
    std::vector<float> corners_;
    bool has_hills_ = false;
};

/// A part of the map that is drawn or left out as a whole.
struct Chunk {
    Mesh mesh;
    glm::vec3 middle;
    float radius = 0;
};
/// Chunks of 24 x 24 cells.
[[nodiscard]] std::vector<Chunk> make_terrain(const Map& map, const Heights& heights);
/// Sand and far hills around the map.
[[nodiscard]] Mesh make_surroundings(const Map& map);

}  // namespace fray::panzer::client
