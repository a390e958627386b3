#include "games/panzer/client/net_overlay.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"

#include <array>
#include <cmath>

namespace fray::panzer::client {

namespace {

constexpr float kLow = 0.35F;  // metres above the ground
constexpr float kHigh = 1.5F;

class Marker {
public:
    Marker(const Heights& heights, Picture& picture) : heights_{heights}, picture_{picture} {}

    void line(const Vec2& from, const Vec2& to, float height, std::uint32_t colour, float width,
              float alpha) {
        picture_.beams.push_back({raised(from, height), width, raised(to, height), 0, ink_of(colour, alpha)});
    }
    void circle(const Vec2& middle, float radius, float height, std::uint32_t colour, float alpha) {
        constexpr int kSides = 28;
        for (int i = 0; i < kSides; ++i)
            line(spoke(middle, radius, i, kSides), spoke(middle, radius, i + 1, kSides), height, colour,
                 0.06F, alpha);
    }
    /// The edges of a box the size of a tank.
    void box(const Vec2& middle, std::uint32_t colour, float alpha) {
        constexpr float kHalf = 1.8F, kTop = 2.1F;
        const std::array<Vec2, 4> corners{middle + Vec2{-kHalf, -kHalf}, middle + Vec2{kHalf, -kHalf},
                                          middle + Vec2{kHalf, kHalf}, middle + Vec2{-kHalf, kHalf}};
        for (std::size_t i = 0; i < 4; ++i) {
            const Vec2& a = corners[i];
            const Vec2& b = corners[(i + 1) % 4];
            line(a, b, 0.1F, colour, 0.06F, alpha);
            line(a, b, kTop, colour, 0.06F, alpha);
            picture_.beams.push_back({raised(a, 0.1F), 0.06F, raised(a, kTop), 0, ink_of(colour, alpha)});
        }
    }

private:
    static glm::vec4 ink_of(std::uint32_t colour, float alpha) { return {rgb(colour) * alpha, alpha}; }
    static Vec2 spoke(const Vec2& middle, float radius, int i, int sides) {
        const float turn = 6.2831853F * static_cast<float>(i) / static_cast<float>(sides);
        return middle + Vec2{std::cos(turn), std::sin(turn)} * radius;
    }
    [[nodiscard]] glm::vec3 raised(const Vec2& place, float height) const {
        return {place.x, place.y, heights_.at(place) + height};
    }
    const Heights& heights_;
    Picture& picture_;
};

struct Legend {
    std::uint32_t colour;
    const char* text;
};
constexpr std::array<Legend, 6> kLegend{{{look::kFocus, "in focus: gets every frame"},
                                         {look::kGuided, "guided replica, and its prediction"},
                                         {look::kReceived, "last received position"},
                                         {look::kNear, "near node (linked)"},
                                         {look::kSensor, "sensor node of a sector"},
                                         {look::kRollback, "moved by a correction or rollback"}}};

}  // namespace

void add_net_overlay(const Moment& moment, const NetView& net, const Heights& heights, Picture& picture) {
    Marker mark{heights, picture};
    const ShownTank* own = moment.own_tank();
    for (std::size_t i = 0; i < std::min(net.tanks.size(), moment.tanks.size()); ++i) {
        const NetTank& tank = net.tanks[i];
        const ShownTank& shown = moment.tanks[i];
        if (i == moment.own || !shown.alive()) continue;
        if (tank.is_known) mark.box(tank.received, look::kReceived, 0.9F);
        if (tank.in_focus && own != nullptr)
            mark.line(own->position, shown.position, kHigh, look::kFocus, 0.09F, 0.95F);
        if (tank.mode != ReplicaMode::direct) {
            mark.circle(shown.position, 2.6F, kHigh, look::kGuided, 1);
            if (tank.has_prediction) mark.line(shown.position, tank.predicted, kHigh, look::kGuided, 0.1F, 1);
        }
        if (tank.is_linked && net.psense.near + net.psense.sensors > 0)
            mark.circle(shown.position, 3.1F, kLow, look::kNear, 0.9F);
        if (tank.pulled > 0)
            mark.line(tank.pulled_from, shown.position, kHigh, look::kRollback, 0.14F, tank.pulled);
    }
}

void draw_net_legend(const Fonts& fonts, const glm::vec2& size) {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    const float wide = u * 17.5F;
    const ImVec2 at{u, u * 13.2F};
    p.panel(at, {wide, u * (0.7F + 1.4F * static_cast<float>(kLegend.size()))}, 0.8F);
    float y = at.y + u * 0.45F;
    for (const Legend& entry : kLegend) {
        p.list->AddRectFilled({at.x + u * 0.6F, y + u * 0.3F}, {at.x + u * 1.8F, y + u * 0.65F},
                              ink(entry.colour));
        p.text(fonts.words, u * 0.85F, {at.x + u * 2.3F, y}, look::kText, entry.text);
        y += u * 1.4F;
    }
}

}  // namespace fray::panzer::client
