#include "games/panzer/client/net_overlay.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"

#include <algorithm>
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
constexpr std::array<Legend, kNetMarks> kLegend{
    {{look::kFocus, "in focus: gets every frame of yours"},
     {look::kGuided, "guided replica, and its prediction"},
     {look::kReceived, "last received position"},
     {look::kNear, "near node: in sight, linked"},
     {look::kSensor, "sensor node, and its sector"},
     {look::kRollback, "where a correction or rollback found it"}}};
constexpr unsigned kSectors = 8;  // of PSense

/// Marks the tanks and links of one moment.
class Marking {
public:
    Marking(const Moment& moment, const NetView& net, const Heights& heights, Picture& picture)
        : moment_{moment}, net_{net}, marker_{heights, picture}, own_{moment.own_tank()} {}

    NetMarks run() {
        for (std::size_t i = 0; i < std::min(net_.tanks.size(), moment_.tanks.size()); ++i) {
            if (moment_.tanks[i].alive() && i != moment_.own) mark(net_.tanks[i], moment_.tanks[i]);
        }
        if (own_ != nullptr) mark_sectors();
        return marks_;
    }

private:
    [[nodiscard]] static float distance_of(const Vec2& a, const Vec2& b) {
        return std::sqrt(square_length(a - b));
    }
    void note(NetMark mark) { marks_[static_cast<std::size_t>(mark)] = true; }

    void mark(const NetTank& tank, const ShownTank& shown) {
        if (tank.is_known) {
            marker_.box(tank.received, look::kReceived, 0.9F);
            note(NetMark::received);
        }
        if (tank.in_focus && own_ != nullptr) {
            mark_ray(shown.position, look::kFocus, 0.6F);
            note(NetMark::focus);
        }
        if (tank.mode != ReplicaMode::direct) {
            marker_.circle(shown.position, 2.6F, kHigh, look::kGuided, 1);
            if (tank.has_prediction)
                marker_.line(shown.position, tank.predicted, kHigh, look::kGuided, 0.1F, 1);
            note(NetMark::guided);
        }
        if (tank.is_near) {
            marker_.circle(shown.position, 3.1F, kLow, look::kNear, 0.9F);
            note(NetMark::near);
        }
        if (tank.is_sensor && own_ != nullptr) mark_ray(shown.position, look::kSensor, 0.9F);
        if (tank.pulled > 0) mark_old_path(tank, shown);
    }

    /// From beside the own tank, which it must not cover.
    void mark_ray(const Vec2& to, std::uint32_t colour, float alpha) {
        constexpr float kBeside = 3.5F;
        const float far = distance_of(to, own_->position);
        if (far <= kBeside) return;
        const Vec2 from = own_->position + (to - own_->position) * (kBeside / far);
        marker_.line(from, to, kHigh, colour, 0.06F, alpha);
    }

    void mark_old_path(const NetTank& tank, const ShownTank& shown) {
        for (std::size_t i = 1; i < NetTank::kPath; ++i)
            marker_.line(tank.old_path[i - 1], tank.old_path[i], kHigh, look::kRollback, 0.14F, tank.pulled);
        marker_.line(tank.old_path.front(), shown.position, kHigh, look::kRollback, 0.06F, tank.pulled);
        note(NetMark::moved);
    }

    /// An arc around the own tank for each sector that has a sensor node.
    void mark_sectors() {
        constexpr float kRadius = 9, kSector = 6.2831853F / kSectors;
        constexpr int kSteps = 8;
        for (const PSenseNode& node : net_.psense.nodes) {
            if (node.is_near) continue;
            note(NetMark::sensor);
            const auto at = [&](int step) {
                const float turn = kSector * (static_cast<float>(node.sector) + 0.04F +
                                              0.92F * static_cast<float>(step) / kSteps);
                return own_->position + Vec2{std::cos(turn), std::sin(turn)} * kRadius;
            };
            for (int step = 0; step < kSteps; ++step)
                marker_.line(at(step), at(step + 1), kLow, look::kSensor, 0.16F, 0.9F);
            const Vec2 middle = at(kSteps / 2);
            marker_.line(middle, middle + (middle - own_->position) * 1.2F, kLow, look::kSensor, 0.1F, 0.9F);
        }
    }

    const Moment& moment_;
    const NetView& net_;
    Marker marker_;
    const ShownTank* own_;
    NetMarks marks_{};
};

}  // namespace

NetMarks add_net_overlay(const Moment& moment, const NetView& net, const Heights& heights, Picture& picture) {
    return Marking{moment, net, heights, picture}.run();
}

void draw_net_legend(const NetMarks& marks, const Fonts& fonts, const glm::vec2& size) {
    const auto count = static_cast<float>(std::ranges::count(marks, true));
    if (count == 0) return;
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    const ImVec2 at{u, u * 13.2F};
    p.panel(at, {u * 18.5F, u * (0.7F + 1.4F * count)}, 0.8F);
    float y = at.y + u * 0.45F;
    for (std::size_t i = 0; i < kNetMarks; ++i) {
        if (!marks[i]) continue;
        p.list->AddRectFilled({at.x + u * 0.6F, y + u * 0.3F}, {at.x + u * 1.8F, y + u * 0.65F},
                              ink(kLegend[i].colour));
        p.text(fonts.words, u * 0.85F, {at.x + u * 2.3F, y}, look::kText, kLegend[i].text);
        y += u * 1.4F;
    }
}

}  // namespace fray::panzer::client
