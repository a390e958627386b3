#include "games/panzer/client/mesh.hpp"

#include "games/panzer/client/look.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

namespace fray::panzer::client {

namespace {

std::uint32_t packed(const glm::vec3& colour, Paint paint) {
    const glm::vec3 c = glm::clamp(colour, 0.0F, 1.0F) * 255.0F + 0.5F;
    return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8U |
           static_cast<std::uint32_t>(c.b) << 16U | static_cast<std::uint32_t>(paint) << 24U;
}

std::tuple<int, int, int> place_key(const glm::vec3& p) {
    constexpr float kPerUnit = 500;  // places closer than 2 mm are one
    return {static_cast<int>(std::lround(p.x * kPerUnit)), static_cast<int>(std::lround(p.y * kPerUnit)),
            static_cast<int>(std::lround(p.z * kPerUnit))};
}

/// 0 to 1.
float noise(std::uint32_t seed) {
    seed = (seed ^ 61U) ^ (seed >> 16U);
    seed *= 9U;
    seed ^= seed >> 4U;
    seed *= 0x27d4eb2dU;
    return static_cast<float>((seed ^ (seed >> 15U)) & 0xFFFFU) / 65535.0F;
}

}  // namespace

std::uint32_t MeshBuilder::push(const glm::vec3& position, const glm::vec3& normal) {
    const float share = top_ > 0 ? std::clamp(position.z / top_, 0.0F, 1.0F) : 1.0F;
    const glm::vec3 colour = rgb(hex_) * (low_ + (1 - low_) * share);
    mesh_.vertices.push_back({position, normal, normal, packed(colour, paint_)});
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
}

void MeshBuilder::triangle(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    const glm::vec3 across = glm::cross(b - a, c - a);
    const float area = glm::length(across);
    if (area < 1e-8F) return;
    for (const glm::vec3& corner : {a, b, c}) mesh_.indices.push_back(push(corner, across / area));
}

void MeshBuilder::quad(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d) {
    const glm::vec3 across = glm::cross(c - a, d - b);
    const float area = glm::length(across);
    if (area < 1e-8F) return;
    const std::uint32_t first = push(a, across / area);
    for (const glm::vec3& corner : {b, c, d}) push(corner, across / area);
    for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) mesh_.indices.push_back(first + i);
}

void MeshBuilder::box(const glm::vec3& low, const glm::vec3& high) { taper(low, high, {0, 0}); }

void MeshBuilder::taper(const glm::vec3& low, const glm::vec3& high, const glm::vec2& inset) {
    const glm::vec3 a{low.x, low.y, low.z}, b{high.x, low.y, low.z}, c{high.x, high.y, low.z},
        d{low.x, high.y, low.z};
    const glm::vec3 e{low.x + inset.x, low.y + inset.y, high.z}, f{high.x - inset.x, low.y + inset.y, high.z},
        g{high.x - inset.x, high.y - inset.y, high.z}, h{low.x + inset.x, high.y - inset.y, high.z};
    quad(a, b, f, e);
    quad(b, c, g, f);
    quad(c, d, h, g);
    quad(d, a, e, h);
    quad(e, f, g, h);
    quad(d, c, b, a);
}

void MeshBuilder::bevelled_box(const glm::vec3& low, const glm::vec3& high, float bevel) {
    const float shoulder = high.z - bevel;
    const glm::vec3 a{low.x, low.y, low.z}, b{high.x, low.y, low.z}, c{high.x, high.y, low.z},
        d{low.x, high.y, low.z};
    const glm::vec3 e{low.x, low.y, shoulder}, f{high.x, low.y, shoulder}, g{high.x, high.y, shoulder},
        h{low.x, high.y, shoulder};
    quad(a, b, f, e);
    quad(b, c, g, f);
    quad(c, d, h, g);
    quad(d, a, e, h);
    const glm::vec3 i{low.x + bevel, low.y + bevel, high.z}, j{high.x - bevel, low.y + bevel, high.z},
        k{high.x - bevel, high.y - bevel, high.z}, l{low.x + bevel, high.y - bevel, high.z};
    quad(e, f, j, i);
    quad(f, g, k, j);
    quad(g, h, l, k);
    quad(h, e, i, l);
    quad(i, j, k, l);
}

void MeshBuilder::extrude(std::span<const glm::vec2> outline, float y0, float y1) {
    const std::size_t n = outline.size();
    const auto at = [&](std::size_t i, float y) { return glm::vec3{outline[i % n].x, y, outline[i % n].y}; };
    for (std::size_t i = 0; i < n; ++i) quad(at(i, y0), at(i, y1), at(i + 1, y1), at(i + 1, y0));
    for (std::size_t i = 1; i + 1 < n; ++i) {
        triangle(at(0, y0), at(i, y0), at(i + 1, y0));
        triangle(at(0, y1), at(i + 1, y1), at(i, y1));
    }
}

void MeshBuilder::cylinder(const glm::vec3& a, const glm::vec3& b, float radius_a, float radius_b,
                           int sides) {
    const glm::vec3 along = glm::normalize(b - a);
    const glm::vec3 other = std::abs(along.z) < 0.9F ? glm::vec3{0, 0, 1} : glm::vec3{1, 0, 0};
    const glm::vec3 u = glm::normalize(glm::cross(other, along));
    const glm::vec3 v = glm::cross(along, u);
    const auto spoke = [&](int i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(sides);
        return u * std::cos(angle) + v * std::sin(angle);
    };
    for (int i = 0; i < sides; ++i) {
        const glm::vec3 s = spoke(i), t = spoke(i + 1);
        quad(a + s * radius_a, a + t * radius_a, b + t * radius_b, b + s * radius_b);
        if (radius_a > 0) triangle(a, a + t * radius_a, a + s * radius_a);
        if (radius_b > 0) triangle(b, b + s * radius_b, b + t * radius_b);
    }
}

void MeshBuilder::rock(const glm::vec3& middle, const glm::vec3& radii, std::uint32_t seed) {
    constexpr int kAround = 8, kLevels = 5;
    std::array<std::array<glm::vec3, kAround>, kLevels + 1> ring{};
    for (int level = 0; level <= kLevels; ++level) {
        const float height = std::numbers::pi_v<float> * (static_cast<float>(level) / kLevels - 0.5F);
        for (int i = 0; i < kAround; ++i) {
            const float turn = 2 * std::numbers::pi_v<float> *
                               (static_cast<float>(i) + 0.5F * static_cast<float>(level % 2)) / kAround;
            const bool is_pole = level == 0 || level == kLevels;
            const auto number = seed * 977U + static_cast<std::uint32_t>(level * kAround + (is_pole ? 0 : i));
            const float swell = 0.85F + 0.3F * noise(number);
            const glm::vec3 unit{std::cos(turn) * std::cos(height), std::sin(turn) * std::cos(height),
                                 std::sin(height)};
            ring[static_cast<std::size_t>(level)][static_cast<std::size_t>(i)] =
                middle + unit * radii * swell;
        }
    }
    for (std::size_t level = 0; level < kLevels; ++level) {
        for (std::size_t i = 0; i < kAround; ++i) {
            const std::size_t j = (i + 1) % kAround;
            triangle(ring[level][i], ring[level][j], ring[level + 1][j]);
            triangle(ring[level][i], ring[level + 1][j], ring[level + 1][i]);
        }
    }
}

Mesh MeshBuilder::finish() {
    std::map<std::tuple<int, int, int>, glm::vec3> sums;
    for (const Vertex& vertex : mesh_.vertices) sums[place_key(vertex.position)] += vertex.normal;
    for (Vertex& vertex : mesh_.vertices) {
        const glm::vec3 sum = sums[place_key(vertex.position)];
        if (glm::dot(sum, sum) > 1e-6F) vertex.smooth = glm::normalize(sum);
    }
    return std::exchange(mesh_, {});
}

}  // namespace fray::panzer::client
