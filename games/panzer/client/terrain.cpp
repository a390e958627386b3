#include "games/panzer/client/terrain.hpp"

#include "games/panzer/client/look.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::panzer::client {

namespace {

constexpr float kHillHeight = 1.5F;
constexpr std::int32_t kChunk = 24;  // cells

/// 0 to 1, the same for the same cell.
float chance(std::int32_t x, std::int32_t y, std::uint32_t salt) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 73856093U ^ static_cast<std::uint32_t>(y) * 19349663U ^
                      salt * 83492791U;
    h = (h ^ (h >> 13U)) * 0x5bd1e995U;
    return static_cast<float>((h ^ (h >> 15U)) & 0xFFFFU) / 65535.0F;
}

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, float share) {
    const glm::vec3 c = glm::mix(rgb(a), rgb(b), share) * 255.0F + 0.5F;
    return static_cast<std::uint32_t>(c.r) << 16U | static_cast<std::uint32_t>(c.g) << 8U |
           static_cast<std::uint32_t>(c.b);
}

class Mason {
public:
    Mason(const Map& map, const Heights& heights) : map_{map}, heights_{heights} {}

    Chunk chunk(std::int32_t column, std::int32_t row) {
        const std::int32_t right = std::min(column + kChunk, map_.columns);
        const std::int32_t top = std::min(row + kChunk, map_.rows);
        for (std::int32_t r = row; r < top; ++r) {
            for (std::int32_t c = column; c < right; ++c) cell({c, r});
        }
        const float half = map_.cell / 2;
        const glm::vec3 middle{static_cast<float>(column + right) * half,
                               static_cast<float>(row + top) * half, 0};
        const float reach =
            glm::length(glm::vec2{static_cast<float>(right - column), static_cast<float>(top - row)} * half);
        return {build_.finish(), middle, reach + kWallHeight};
    }

private:
    void cell(CellPlace at) {
        const Cell kind = map_.at(at);
        ground(at, kind);
        if (kind == Cell::concrete) concrete(at);
        if (kind == Cell::brick) bricks(at);
        if (kind == Cell::hedge) hedge(at);
        if (kind == Cell::ground && chance(at.column, at.row, 9) > 0.93F) pebbles(at);
    }
    [[nodiscard]] bool solid(std::int32_t column, std::int32_t row) const {
        return is_wall(map_.at({column, row}));
    }
    [[nodiscard]] glm::vec3 corner(std::int32_t column, std::int32_t row) const {
        const Vec2 place{static_cast<float>(column) * map_.cell, static_cast<float>(row) * map_.cell};
        return {place.x, place.y, heights_.at(place)};
    }
    /// Darker beside walls, so that they stand on the ground.
    void ground(CellPlace at, Cell kind) {
        const auto [c, r] = at;
        const float patch = 0.6F * chance(c / 3, r / 3, 1) + 0.4F * chance(c, r, 2);
        std::uint32_t colour = mixed(look::kSand, look::kSandDark, patch);
        if (kind == Cell::hill) colour = mixed(colour, look::kGreen, 0.35F);
        const auto shade = [&](std::int32_t x, std::int32_t y) {
            const int walls = solid(x, y) + solid(x - 1, y) + solid(x, y - 1) + solid(x - 1, y - 1);
            return walls > 0 ? 0.8F : 1.0F;
        };
        const float dark = std::min({shade(c, r), shade(c + 1, r), shade(c, r + 1), shade(c + 1, r + 1)});
        build_.darken_corners(1, 1);
        build_.set_colour(mixed(colour, 0x8C7B58, (1 - dark) * 0.6F), Paint::ground);
        build_.quad(corner(c, r), corner(c + 1, r), corner(c + 1, r + 1), corner(c, r + 1));
    }
    void concrete(CellPlace at) {
        const auto [low, high] = bounds(at, kWallHeight - 0.25F * chance(at.column, at.row, 3));
        build_.darken_corners(0.68F, kWallHeight);
        build_.set_colour(mixed(look::kConcrete, 0x9AA0A4, chance(at.column, at.row, 4)));
        build_.bevelled_box(low, high, 0.14F);
    }
    void bricks(CellPlace at) {
        constexpr int kLayers = 5;
        const auto [low, high] = bounds(at, kWallHeight);
        build_.darken_corners(0.7F, kWallHeight);
        for (int layer = 0; layer < kLayers; ++layer) {
            const float z0 = high.z * static_cast<float>(layer) / kLayers;
            const float z1 = high.z * static_cast<float>(layer + 1) / kLayers - 0.05F;
            const float inset = layer % 2 == 0 ? 0.0F : 0.05F;
            const float tone = chance(at.column * 7 + layer, at.row, 5);
            build_.set_colour(mixed(look::kBrick, layer % 2 == 0 ? 0x9A5440U : 0xC67C5E, tone * 0.7F));
            build_.box({low.x + inset, low.y + inset, z0}, {high.x - inset, high.y - inset, z1});
        }
        build_.set_colour(0xD08A6C);
        build_.bevelled_box({low.x, low.y, high.z - 0.12F}, {high.x, high.y, high.z + 0.1F}, 0.08F);
    }
    void hedge(CellPlace at) {
        const auto [low, high] = bounds(at, kHedgeHeight);
        build_.darken_corners(0.6F, kHedgeHeight);
        constexpr int kBushes = 5;
        const float side = high.x - low.x;
        for (int i = 0; i < kBushes; ++i) {
            const auto salt = static_cast<std::uint32_t>(20 + i);
            const float u = i < 4 ? 0.25F + 0.5F * static_cast<float>(i % 2) : 0.5F;
            const float v = i < 4 ? 0.25F + 0.5F * static_cast<float>(i / 2) : 0.5F;
            const float size = side * (0.27F + 0.08F * chance(at.column, at.row, salt));
            build_.set_colour(
                mixed(look::kGreen, i % 2 == 0 ? 0x8FAE5FU : 0x557340, chance(at.column, at.row, salt + 40)));
            const float z = i < 4 ? 0.9F : 1.7F;
            build_.rock({low.x + side * u, low.y + side * v, z}, {size, size, i < 4 ? 1.15F : 1.0F},
                        salt + static_cast<std::uint32_t>(at.column * 31 + at.row));
        }
    }
    void pebbles(CellPlace at) {
        const auto [low, high] = bounds(at, 0);
        for (std::uint32_t i = 0; i < 3; ++i) {
            const float x = low.x + (high.x - low.x) * chance(at.column, at.row, 30 + i);
            const float y = low.y + (high.y - low.y) * chance(at.column, at.row, 40 + i);
            const float size = 0.1F + 0.18F * chance(at.column, at.row, 50 + i);
            build_.set_colour(i == 0 ? 0xB5A382 : 0x9C9078);
            build_.rock({x, y, heights_.at({x, y})}, {size, size, size * 0.7F}, i * 7U + 3U);
        }
        if (chance(at.column, at.row, 60) > 0.5F) tuft(low.x + 1.3F, low.y + 2.2F);
    }
    void tuft(float x, float y) {
        build_.darken_corners(0.7F, 0.6F);
        for (int i = 0; i < 4; ++i) {
            const float turn = 1.7F * static_cast<float>(i);
            build_.set_colour(i % 2 == 0 ? look::kGreen : 0x8B9A52);
            build_.cylinder({x, y, 0}, {x + 0.25F * std::cos(turn), y + 0.25F * std::sin(turn), 0.55F}, 0.08F,
                            0.0F, 4);
        }
    }
    [[nodiscard]] std::pair<glm::vec3, glm::vec3> bounds(CellPlace at, float height) const {
        const float x = static_cast<float>(at.column) * map_.cell;
        const float y = static_cast<float>(at.row) * map_.cell;
        return {{x, y, 0}, {x + map_.cell, y + map_.cell, height}};
    }

    const Map& map_;
    const Heights& heights_;
    MeshBuilder build_;
};

void add_far_hill(MeshBuilder& build, float angle, float distance, float width, float height,
                  const glm::vec2& middle, std::uint32_t colour) {
    const glm::vec2 out{std::cos(angle), std::sin(angle)};
    const glm::vec2 along{-out.y, out.x};
    const glm::vec2 foot = middle + out * distance;
    const auto at = [&](float side, float deep, float z) {
        const glm::vec2 p = foot + along * side + out * deep;
        return glm::vec3{p, z};
    };
    build.set_colour(colour);
    const glm::vec3 l = at(-width, 0, -2), r = at(width, 0, -2), lt = at(-width * 0.45F, 30, height),
                    rt = at(width * 0.35F, 30, height * 0.94F), back = at(0, 60, height * 0.9F);
    build.quad(r, l, lt, rt);
    build.triangle(l, at(-width * 0.9F, 60, -2), lt);
    build.triangle(rt, lt, back);
    build.triangle(r, rt, at(width * 0.9F, 60, -2));
}

}  // namespace

Heights::Heights(const Map& map) : map_{&map} {
    for (const Cell cell : map.cells) has_hills_ = has_hills_ || cell == Cell::hill;
    if (!has_hills_) return;
    corners_.resize(static_cast<std::size_t>(map.columns + 1) * static_cast<std::size_t>(map.rows + 1));
    const auto hilly = [&](std::int32_t c, std::int32_t r) { return map.at({c, r}) == Cell::hill; };
    for (std::int32_t r = 0; r <= map.rows; ++r) {
        for (std::int32_t c = 0; c <= map.columns; ++c) {
            const bool inside = hilly(c, r) && hilly(c - 1, r) && hilly(c, r - 1) && hilly(c - 1, r - 1);
            corners_[static_cast<std::size_t>(r * (map.columns + 1) + c)] = inside ? kHillHeight : 0.0F;
        }
    }
}

float Heights::corner(std::int32_t column, std::int32_t row) const {
    if (column < 0 || row < 0 || column > map_->columns || row > map_->rows) return 0;
    return corners_[static_cast<std::size_t>(row * (map_->columns + 1) + column)];
}

float Heights::at(const Vec2& place) const {
    if (!has_hills_) return 0;
    const float x = place.x * map_->per_metre;
    const float y = place.y * map_->per_metre;
    const std::int32_t c = floor_of(x);
    const std::int32_t r = floor_of(y);
    const float u = x - static_cast<float>(c);
    const float v = y - static_cast<float>(r);
    return glm::mix(glm::mix(corner(c, r), corner(c + 1, r), u),
                    glm::mix(corner(c, r + 1), corner(c + 1, r + 1), u), v);
}

glm::vec3 Heights::normal(const Vec2& place) const {
    if (!has_hills_) return {0, 0, 1};
    constexpr float kStride = 1.2F;
    const float dx = at({place.x + kStride, place.y}) - at({place.x - kStride, place.y});
    const float dy = at({place.x, place.y + kStride}) - at({place.x, place.y - kStride});
    return glm::normalize(glm::vec3{-dx, -dy, 2 * kStride});
}

std::vector<Chunk> make_terrain(const Map& map, const Heights& heights) {
    std::vector<Chunk> chunks;
    Mason mason{map, heights};
    for (std::int32_t row = 0; row < map.rows; row += kChunk) {
        for (std::int32_t column = 0; column < map.columns; column += kChunk)
            chunks.push_back(mason.chunk(column, row));
    }
    return chunks;
}

Mesh make_surroundings(const Map& map) {
    MeshBuilder build;
    constexpr float kFar = 700;
    const float w = map.width();
    const float h = map.height();
    build.set_colour(look::kSandDark);
    const glm::vec3 inner[]{{0, 0, -0.05F}, {w, 0, -0.05F}, {w, h, -0.05F}, {0, h, -0.05F}};
    const glm::vec3 outer[]{{-kFar, -kFar, -0.05F},
                            {w + kFar, -kFar, -0.05F},
                            {w + kFar, h + kFar, -0.05F},
                            {-kFar, h + kFar, -0.05F}};
    for (std::size_t i = 0; i < 4; ++i)
        build.quad(outer[i], outer[(i + 1) % 4], inner[(i + 1) % 4], inner[i]);
    const glm::vec2 middle{w / 2, h / 2};
    const float near = glm::length(middle) + 60;
    constexpr int kHills = 40;
    for (int i = 0; i < kHills; ++i) {
        const float share = static_cast<float>(i) / kHills;
        const bool is_far = i % 2 == 0;
        const float wide = 40 + 50 * chance(i, 1, 70);
        const float high = (is_far ? 36.0F : 16.0F) + 26 * chance(i, 2, 71);
        add_far_hill(build, 2 * std::numbers::pi_v<float> * share, near + (is_far ? 150.0F : 60.0F), wide,
                     high, middle, mixed(0xC9A97C, is_far ? 0xB59A86U : 0xD6B88A, chance(i, 3, 72)));
    }
    return build.finish();
}

}  // namespace fray::panzer::client
