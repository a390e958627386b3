#include "games/panzer/client/models.hpp"

#include "games/panzer/client/look.hpp"

#include <cmath>
#include <numbers>

namespace fray::panzer::client {

namespace {

constexpr std::uint32_t kFull = 0xFFFFFF;   // tinted: the player's colour
constexpr std::uint32_t kShade = 0xD2D2D2;  // tinted: a little darker
constexpr std::uint32_t kDeep = 0xA8A8A8;   // tinted: much darker
constexpr std::uint32_t kDarkSteel = 0x43484E;

Mesh make_hull() {
    MeshBuilder build;
    build.darken_corners(0.72F, 0.9F);
    build.set_colour(kFull, Paint::tint);
    // Seen from the right: rear, belly, nose, sloped front, deck.
    const glm::vec2 body[]{{-1.85F, 0.42F}, {1.45F, 0.36F},  {1.98F, 0.66F},
                           {0.95F, 1.12F},  {-1.75F, 1.12F}, {-1.95F, 0.8F}};
    build.extrude(body, -0.92F, 0.92F);
    build.set_colour(kShade, Paint::tint);  // fenders
    for (const float side : {-1.0F, 1.0F}) {
        const glm::vec2 fender[]{{-1.95F, 0.84F}, {1.9F, 0.84F}, {1.6F, 0.96F}, {-1.9F, 0.96F}};
        build.extrude(fender, side < 0 ? -1.52F : 0.9F, side < 0 ? -0.9F : 1.52F);
    }
    build.set_colour(kDeep, Paint::tint);  // stowage, engine deck
    build.taper({-1.7F, -0.7F, 1.12F}, {-1.05F, 0.7F, 1.22F}, {0.08F, 0.08F});
    build.bevelled_box({-0.9F, 0.98F, 0.96F}, {0.4F, 1.42F, 1.2F}, 0.05F);
    build.bevelled_box({-1.6F, -1.42F, 0.96F}, {-0.5F, -0.98F, 1.16F}, 0.05F);
    build.set_colour(kDarkSteel);
    build.cylinder({-2.05F, 0.55F, 0.85F}, {-1.7F, 0.55F, 0.95F}, 0.13F, 0.13F, 7);
    build.cylinder({-2.05F, -0.55F, 0.85F}, {-1.7F, -0.55F, 0.95F}, 0.13F, 0.13F, 7);
    build.set_colour(look::kFlash, Paint::glow);  // headlights
    build.box({1.72F, 0.62F, 0.72F}, {1.9F, 0.82F, 0.84F});
    build.box({1.72F, -0.82F, 0.72F}, {1.9F, -0.62F, 0.84F});
    build.set_colour(look::kDanger, Paint::glow);
    build.box({-1.98F, 0.7F, 0.86F}, {-1.9F, 0.86F, 0.95F});
    build.box({-1.98F, -0.86F, 0.86F}, {-1.9F, -0.7F, 0.95F});
    return build.finish();
}

Mesh make_tread() {
    MeshBuilder build;
    build.darken_corners(0.75F, 0.8F);
    build.set_colour(look::kRubber, Paint::tread);
    const glm::vec2 belt[]{{-1.45F, 0.0F}, {1.45F, 0.0F},  {1.92F, 0.36F},  {1.95F, 0.6F},
                           {1.7F, 0.84F},  {-1.7F, 0.84F}, {-1.95F, 0.62F}, {-1.9F, 0.34F}};
    build.extrude(belt, -0.26F, 0.26F);
    return build.finish();
}

Mesh make_wheel() {
    MeshBuilder build;
    constexpr float r = TankShape::kWheelRadius;
    build.set_colour(look::kSteel);
    build.cylinder({0, -0.06F, 0}, {0, 0.06F, 0}, r, r, 10);
    build.set_colour(kShade, Paint::tint);
    build.cylinder({0, -0.1F, 0}, {0, 0.1F, 0}, r * 0.55F, r * 0.55F, 8);
    build.set_colour(look::kRubber);  // a spoke, so that one sees it turn
    build.box({-r * 0.9F, -0.085F, -0.05F}, {r * 0.9F, 0.085F, 0.05F});
    return build.finish();
}

/// A convex ring around the z axis, x to the front.
void prism(MeshBuilder& build, std::span<const glm::vec2> foot, float z0, float z1, float shrink) {
    const std::size_t n = foot.size();
    const auto low = [&](std::size_t i) { return glm::vec3{foot[i % n].x, foot[i % n].y, z0}; };
    const auto high = [&](std::size_t i) {
        return glm::vec3{foot[i % n].x * shrink, foot[i % n].y * shrink, z1};
    };
    for (std::size_t i = 0; i < n; ++i) build.quad(low(i), low(i + 1), high(i + 1), high(i));
    for (std::size_t i = 1; i + 1 < n; ++i) build.triangle(high(0), high(i), high(i + 1));
}

Mesh make_turret() {
    MeshBuilder build;
    build.darken_corners(0.8F, 0.25F);
    build.set_colour(kFull, Paint::tint);
    const glm::vec2 foot[]{{1.0F, -0.45F}, {1.0F, 0.45F},   {0.45F, 0.92F},   {-0.75F, 0.92F},
                           {-1.2F, 0.55F}, {-1.2F, -0.55F}, {-0.75F, -0.92F}, {0.45F, -0.92F}};
    prism(build, foot, 0.0F, 0.62F, 0.78F);
    build.set_colour(kShade, Paint::tint);  // bustle and hatch
    build.taper({-1.62F, -0.6F, 0.12F}, {-0.95F, 0.6F, 0.5F}, {0.06F, 0.08F});
    build.cylinder({-0.35F, 0.36F, 0.6F}, {-0.35F, 0.36F, 0.78F}, 0.33F, 0.28F, 9);
    build.set_colour(kDarkSteel);  // mantlet, sight, aerial
    build.taper({0.78F, -0.36F, 0.12F}, {1.12F, 0.36F, 0.58F}, {0.06F, 0.04F});
    build.box({0.1F, -0.6F, 0.6F}, {0.42F, -0.36F, 0.76F});
    build.cylinder({-1.25F, -0.5F, 0.45F}, {-1.45F, -0.5F, 2.1F}, 0.028F, 0.018F, 5);
    build.set_colour(kFull, Paint::tint);
    build.box({-1.75F, -0.515F, 1.86F}, {-1.44F, -0.485F, 2.1F});  // pennant
    return build.finish();
}

Mesh make_chevron() {
    MeshBuilder build;
    build.set_colour(0xFFFFFF, Paint::glow);
    constexpr float z = 0.645F;
    for (const float side : {-1.0F, 1.0F}) {
        const glm::vec3 tip{0.62F, 0, z}, inner{0.34F, 0, z}, out{-0.05F, 0.52F * side, z},
            back{-0.33F, 0.52F * side, z};
        if (side > 0)
            build.quad(tip, out, back, inner);
        else
            build.quad(tip, inner, back, out);
    }
    return build.finish();
}

Mesh make_barrel() {
    MeshBuilder build;
    constexpr float length = TankShape::kMuzzleX - TankShape::kBarrelX;
    build.set_colour(kShade, Paint::tint);
    build.cylinder({0, 0, 0}, {length * 0.35F, 0, 0}, 0.17F, 0.14F, 9);
    build.set_colour(look::kSteel);
    build.cylinder({length * 0.35F, 0, 0}, {length - 0.32F, 0, 0}, 0.105F, 0.095F, 8);
    build.set_colour(kDarkSteel);
    build.cylinder({length - 0.34F, 0, 0}, {length, 0, 0}, 0.155F, 0.155F, 8);
    return build.finish();
}

Mesh make_crate() {
    MeshBuilder build;
    constexpr float h = 0.62F;
    build.set_colour(look::kCrate);
    build.box({-h, -h, -h}, {h, h, h});
    build.set_colour(look::kAccent, Paint::glow);  // a glowing frame along every edge
    constexpr float e = h + 0.03F, w = 0.07F;
    for (const float a : {-e, e}) {
        for (const float b : {-e, e}) {
            build.box({-e - w, a - w, b - w}, {e + w, a + w, b + w});
            build.box({a - w, -e - w, b - w}, {a + w, e + w, b + w});
            build.box({a - w, b - w, -e - w}, {a + w, b + w, e + w});
        }
    }
    build.set_colour(0x6E5230);  // planks
    for (const float side : {-1.0F, 1.0F}) {
        build.box({-h - 0.02F, -0.13F, side * 0.3F - 0.09F}, {h + 0.02F, 0.13F, side * 0.3F + 0.09F});
        build.box({-0.13F, -h - 0.02F, side * 0.3F - 0.09F}, {0.13F, h + 0.02F, side * 0.3F + 0.09F});
    }
    return build.finish();
}

Mesh make_shell() {
    MeshBuilder build;
    build.set_colour(kDarkSteel);
    build.cylinder({-0.35F, 0, 0}, {0.15F, 0, 0}, 0.16F, 0.16F, 8);
    build.set_colour(look::kFire, Paint::glow);
    build.cylinder({0.15F, 0, 0}, {0.55F, 0, 0}, 0.16F, 0.0F, 8);
    build.cylinder({-0.5F, 0, 0}, {-0.35F, 0, 0}, 0.08F, 0.13F, 8);
    return build.finish();
}

Mesh make_door() {
    MeshBuilder build;
    build.set_colour(look::kSteel);
    build.box({-0.5F, -0.5F, 0}, {0.5F, 0.5F, 0.78F});
    constexpr int kStripes = 6;
    for (int i = 0; i < kStripes; ++i) {
        build.set_colour(i % 2 == 0 ? look::kAccent : look::kRubber);
        const float from = -0.5F + static_cast<float>(i) / kStripes;
        build.box({from, -0.5F, 0.78F}, {from + 1.0F / kStripes, 0.5F, 1.0F});
    }
    return build.finish();
}

Mesh make_cloth() {
    MeshBuilder build;
    build.set_colour(look::kAccent);
    constexpr int kFolds = 5;
    for (int i = 0; i < kFolds; ++i) {
        const float x0 = 0.32F * static_cast<float>(i), x1 = x0 + 0.32F;
        const float y0 = i % 2 == 0 ? 0.0F : 0.14F, y1 = i % 2 == 0 ? 0.14F : 0.0F;
        build.quad({x0, y0, 2.6F}, {x1, y1, 2.6F}, {x1, y1, 3.7F}, {x0, y0, 3.7F});
        build.quad({x1, y1, 2.6F}, {x0, y0, 2.6F}, {x0, y0, 3.7F}, {x1, y1, 3.7F});
    }
    return build.finish();
}

}  // namespace

Mesh make_model(Model model) {
    MeshBuilder build;
    switch (model) {
        case Model::hull:
            return make_hull();
        case Model::tread:
            return make_tread();
        case Model::wheel:
            return make_wheel();
        case Model::turret:
            return make_turret();
        case Model::chevron:
            return make_chevron();
        case Model::barrel:
            return make_barrel();
        case Model::crate:
            return make_crate();
        case Model::shell:
            return make_shell();
        case Model::door:
            return make_door();
        case Model::cloth:
            return make_cloth();
        case Model::pole:
            build.set_colour(look::kText);
            build.cylinder({0, 0, 0}, {0, 0, 3.8F}, 0.07F, 0.05F, 6);
            build.set_colour(look::kConcrete);
            build.cylinder({0, 0, 0}, {0, 0, 0.2F}, 0.5F, 0.4F, 8);
            return build.finish();
        case Model::bubble:
            build.set_colour(look::kShield, Paint::glow);
            build.rock({0, 0, 0}, {1, 1, 1}, 0);
            return build.finish();
        case Model::spark:
            build.set_colour(kFull, Paint::tint);
            build.taper({-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}, {0.25F, 0.1F});
            return build.finish();
    }
    return build.finish();
}

}  // namespace fray::panzer::client
