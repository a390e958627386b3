#include "games/snagger/client/screen_art.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fray::snagger::client {

namespace {

using panzer::client::ink;
using panzer::client::Painter;

constexpr std::size_t kTrail = 45;         // ticks
constexpr std::uint32_t kCatchShown = 45;  // ticks
constexpr float kAlienRadius = 1.7F;       // units
constexpr float kShipLength = 2.3F;        // units
constexpr int kStars = 90;

struct Glow {
    float width;  // of the line, times
    float alpha;
};
constexpr std::array<Glow, 5> kGlow{{{10, 0.05F}, {6.5F, 0.08F}, {4, 0.12F}, {2.2F, 0.28F}, {1, 0.95F}}};

/// A far cloud of light.
struct Cloud {
    Vec3 place;
    float radius;
    std::uint32_t colour;
};
constexpr std::array<Cloud, 3> kClouds{
    {{{22, 58, 0}, 34, 0x2A3F7A}, {{78, 20, 0}, 40, 0x4A2A66}, {{60, 64, 0}, 22, 0x1F5A63}}};

void paint_space(const Painter& p, const Area& area) {
    p.list->AddRectFilled({area.x, area.y}, {area.x + area.wide, area.y + area.high()}, ink(look::kSpace));
    constexpr int kRings = 14;
    for (const Cloud& cloud : kClouds) {
        for (int i = kRings; i > 0; --i)
            p.list->AddCircleFilled(area.at(cloud.place),
                                    area.length(cloud.radius * static_cast<float>(i) / kRings),
                                    ink(cloud.colour, 0.035F), 48);
    }
    RandomStream random{Seed{1}, "stars"};
    for (int i = 0; i < kStars; ++i) {
        const Vec3 place{static_cast<float>(random.uniform()) * kWidth,
                         static_cast<float>(random.uniform()) * kHeight, 0};
        const auto bright = static_cast<float>(random.uniform(0.15, 0.6));
        p.list->AddCircleFilled(area.at(place), area.length(bright * 0.32F), ink(look::kStar, bright), 6);
    }
}

/// Pixels of the whole loop: the net, without the line between the ships.
std::array<ImVec2, kKnots + 2> rope_of(const Area& area, const snagger::Game& screen) {
    std::array<ImVec2, kKnots + 2> points{};
    points.front() = area.at(screen.ships[0].pose.position);
    for (std::size_t i = 0; i < kKnots; ++i) points[i + 1] = area.at(screen.net.knots[i]);
    points.back() = area.at(screen.ships[1].pose.position);
    return points;
}

void paint_net(const Painter& p, const Area& area, const snagger::Game& screen) {
    const auto rope = rope_of(area, screen);
    const float width = std::max(1.2F, area.length(0.28F));
    for (const Glow& glow : kGlow)
        p.list->AddPolyline(rope.data(), static_cast<int>(rope.size()), ink(look::kNet, glow.alpha), 0,
                            width * glow.width);
    for (std::size_t i = 1; i + 1 < rope.size(); ++i)
        p.list->AddCircleFilled(rope[i], width * 1.15F, ink(look::kNet), 10);
    // The line from ship to ship closes the loop.
    constexpr int kDashes = 24;
    const ImVec2 a = rope.front(), b = rope.back();
    for (int i = 0; i < kDashes; i += 2) {
        const float from = static_cast<float>(i) / kDashes, to = static_cast<float>(i + 1) / kDashes;
        p.list->AddLine({a.x + (b.x - a.x) * from, a.y + (b.y - a.y) * from},
                        {a.x + (b.x - a.x) * to, a.y + (b.y - a.y) * to}, ink(look::kNet, 0.4F),
                        width * 0.7F);
    }
}

void paint_alien(const Painter& p, const Area& area, const Alien& alien, bool is_inside) {
    const ImVec2 at = area.at(alien.position);
    const float r = area.length(kAlienRadius);
    const std::uint32_t colour = is_inside ? look::kInside : look::kAlien;
    for (const Glow& glow : kGlow)
        p.list->AddCircleFilled(at, r * (0.85F + 0.15F * glow.width), ink(colour, glow.alpha), 28);
    p.list->AddCircleFilled({at.x - r * 0.25F, at.y - r * 0.35F}, r * 0.5F, ink(0xFFFFFF, 0.22F), 20);
    const ImVec2 ahead{alien.velocity.x * 0.09F * r, -alien.velocity.y * 0.09F * r};
    for (const float side : {-0.38F, 0.38F}) {
        const ImVec2 eye{at.x + side * r + ahead.x, at.y - r * 0.2F + ahead.y};
        p.list->AddCircleFilled(eye, r * 0.22F, ink(look::kSpace), 12);
    }
    p.list->PathArcTo({at.x + ahead.x * 0.5F, at.y + r * 0.1F}, r * 0.45F, 0.5F, 2.64F, 10);
    p.list->PathStroke(ink(look::kSpace, 0.8F), 0, r * 0.16F);
    if (is_inside) p.list->AddCircle(at, r * 1.7F, ink(look::kInside, 0.8F), 28, area.length(0.2F));
}

void paint_trail(const Painter& p, const Area& area, const std::deque<Vec3>& trail, std::uint32_t colour) {
    for (std::size_t i = 1; i < trail.size(); ++i) {
        const float share = static_cast<float>(i) / static_cast<float>(trail.size());
        p.list->AddLine(area.at(trail[i - 1]), area.at(trail[i]), ink(colour, 0.32F * share * share),
                        area.length(0.9F * share));
    }
}

void paint_ship(const Painter& p, const Area& area, const Ship& ship, std::uint32_t colour, bool is_own,
                float alpha) {
    const float yaw = ship.pose.yaw * std::numbers::pi_v<float> / 180;
    const ImVec2 at = area.at(ship.pose.position);
    const float size = area.length(kShipLength);
    const auto corner = [&](float turn, float far) {
        return ImVec2{at.x + std::cos(yaw + turn) * size * far, at.y - std::sin(yaw + turn) * size * far};
    };
    p.list->AddCircleFilled(at, size * 1.25F, ink(colour, 0.08F * alpha), 28);
    p.list->AddCircleFilled(at, size * 0.85F, ink(colour, 0.12F * alpha), 28);
    const std::array<ImVec2, 4> hull{corner(0, 1.1F), corner(2.5F, 0.95F), corner(3.1416F, 0.42F),
                                     corner(-2.5F, 0.95F)};
    p.list->AddTriangleFilled(hull[0], hull[1], hull[2], ink(colour, alpha));
    p.list->AddTriangleFilled(hull[0], hull[2], hull[3], ink(colour, alpha));
    p.list->AddPolyline(hull.data(), 4, ink(0xFFFFFF, 0.85F * alpha), ImDrawFlags_Closed,
                        std::max(1.0F, size * 0.09F));
    if (is_own) p.list->AddCircleFilled(corner(0, 0.15F), size * 0.2F, ink(0xFFFFFF, alpha), 12);
}

void paint_catches(const Painter& p, const Area& area, const SnagGame& game) {
    for (const SnagGame::Catch& one : game.catches()) {
        const std::uint32_t age = game.screen().tick - one.tick;
        if (age >= kCatchShown) continue;
        const float share = static_cast<float>(age) / kCatchShown;
        const ImVec2 at = area.at(one.place);
        p.list->AddCircle(at, area.length(kAlienRadius + 6 * share), ink(look::kInside, 1 - share), 40,
                          area.length(0.5F * (1 - share)));
        p.text(p.fonts.strong, area.length(3), {at.x - area.length(1.5F), at.y - area.length(2 + 4 * share)},
               look::kInside, "+1", 1 - share);
    }
}

}  // namespace

void ScreenArt::see(const snagger::Game& screen) {
    if (screen.tick == seen_) return;
    seen_ = screen.tick;
    for (std::size_t i = 0; i < kShips; ++i) {
        trails_[i].push_back(screen.ships[i].pose.position);
        if (trails_[i].size() > kTrail) trails_[i].pop_front();
    }
}

void ScreenArt::paint(const Painter& p, const Area& area, const SnagGame& game) const {
    const snagger::Game& screen = game.screen();
    p.list->PushClipRect({area.x, area.y}, {area.x + area.wide, area.y + area.high()}, true);
    paint_space(p, area);
    for (std::size_t i = 0; i < kShips; ++i) paint_trail(p, area, trails_[i], look::kShip[i]);
    paint_net(p, area, screen);
    for (const Alien& alien : screen.aliens) paint_alien(p, area, alien, is_enclosed(screen, alien));
    for (std::size_t i = 0; i < kShips; ++i) {
        const bool is_there = i == game.ship() || game.has_partner();
        paint_ship(p, area, screen.ships[i], look::kShip[i], i == game.ship(), is_there ? 1 : 0.35F);
    }
    paint_catches(p, area, game);
    p.list->PopClipRect();
    p.list->AddRect({area.x, area.y}, {area.x + area.wide, area.y + area.high()}, ink(look::kFrame), 0, 0, 2);
}

}  // namespace fray::snagger::client
