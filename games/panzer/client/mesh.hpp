#pragma once
// Flat-shaded meshes that the game builds by itself; there are no asset files. x is ahead, y left, z up.

#include <glm/glm.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace fray::panzer::client {

/// How the colour of a vertex is used.
enum class Paint : std::uint8_t {
    own,    ///< as it is
    tint,   ///< multiplied with the colour of the instance
    glow,   ///< as it is, without light and shadow
    tread,  ///< as it is, with cross bars that the instance's scroll moves along x
    ground  ///< as it is, with the faint tiles of the ground
};

struct Vertex {
    glm::vec3 position;
    glm::vec3 normal;
    glm::vec3 smooth;          ///< mean normal of all vertices at this place: where the outline goes
    std::uint32_t colour = 0;  ///< red in the lowest byte, Paint in the highest
};

struct Mesh {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
};

class MeshBuilder {
public:
    void set_colour(std::uint32_t hex, Paint paint = Paint::own) {
        hex_ = hex;
        paint_ = paint;
    }
    /// The colour is multiplied with `low` at height 0, and rises to full strength at height `top`.
    void darken_corners(float low, float top) {
        low_ = low;
        top_ = top;
    }
    void triangle(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
    /// Corners counter-clockwise as seen from outside.
    void quad(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d);
    void box(const glm::vec3& low, const glm::vec3& high);
    /// A box whose upper face is smaller on each side by `inset` (x, y).
    void taper(const glm::vec3& low, const glm::vec3& high, const glm::vec2& inset);
    /// A box with its upper edges cut off.
    void bevelled_box(const glm::vec3& low, const glm::vec3& high, float bevel);
    /// A convex outline in the x-z plane, counter-clockwise as seen from -y, from y0 to y1.
    void extrude(std::span<const glm::vec2> outline, float y0, float y1);
    /// Around the line from a to b; radii at both ends.
    void cylinder(const glm::vec3& a, const glm::vec3& b, float radius_a, float radius_b, int sides);
    /// A rough ball; `seed` makes each one different.
    void rock(const glm::vec3& middle, const glm::vec3& radii, std::uint32_t seed);

    /// Computes the outline normals. The builder is empty afterwards.
    [[nodiscard]] Mesh finish();

private:
    std::uint32_t push(const glm::vec3& position, const glm::vec3& normal);

    Mesh mesh_;
    std::uint32_t hex_ = 0xFFFFFF;
    Paint paint_ = Paint::own;
    float low_ = 1;
    float top_ = 1;
};

}  // namespace fray::panzer::client
