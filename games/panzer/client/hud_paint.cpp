// How the heads-up display is painted.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"
#include "games/panzer/rules/tank.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace fray::panzer::client {

namespace {

using Row = HudModel::Row;

void paint_bar(const Painter& p, ImVec2 at, ImVec2 size, float share, std::uint32_t colour,
               const char* text) {
    p.list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ink(look::kPanel, 0.75F), size.y * 0.3F);
    const float width = size.x * std::clamp(share, 0.0F, 1.0F);
    if (width > size.y * 0.3F)
        p.list->AddRectFilled(at, {at.x + width, at.y + size.y}, ink(colour), size.y * 0.3F);
    for (float cut = 0.2F; cut < 0.99F; cut += 0.2F) {
        const float x = at.x + size.x * cut;
        p.list->AddLine({x, at.y}, {x, at.y + size.y}, ink(look::kPanel, 0.5F));
    }
    p.text(p.fonts.figures, size.y * 0.82F, {at.x + size.y * 0.35F, at.y + size.y * 0.08F}, look::kText,
           text);
}

void paint_own(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    const float bottom = p.size.y - u * (1.4F + hud.lifted);
    char text[48];
    const bool is_low = hud.armour < 35;
    std::snprintf(text, sizeof text, "%.0f", static_cast<double>(hud.armour));
    paint_bar(p, {u * 1.4F, bottom - u * 1.5F}, {u * 15, u * 1.5F}, hud.armour / kFullArmour,
              is_low ? look::kDanger : 0x3FAE5A, text);
    p.text(p.fonts.strong, u * 0.85F,
           {u * 14.0F - p.width(p.fonts.strong, u * 0.85F, "ARMOUR") + u * 2, bottom - u * 1.2F}, look::kText,
           "ARMOUR", 0.85F);
    if (hud.shield > 0) {
        std::snprintf(text, sizeof text, "%.0f shield", static_cast<double>(hud.shield));
        paint_bar(p, {u * 1.4F, bottom - u * 2.8F}, {u * 11, u * 1.1F}, hud.shield / kMostShield,
                  look::kShield, text);
    }
    float x = u * 1.4F;
    for (const std::string& power : hud.powers) {
        const float wide = p.width(p.fonts.strong, u * 0.85F, power) + u;
        const float y = bottom - (hud.shield > 0 ? 4.5F : 3.2F) * u;
        p.panel({x, y}, {wide, u * 1.35F}, 0.7F);
        p.text(p.fonts.strong, u * 0.85F, {x + u * 0.5F, y + u * 0.2F}, look::kAccent, power);
        x += wide + u * 0.4F;
    }
}

void paint_weapon(const Painter& p, ImVec2 at, const char* name, const char* key, float share) {
    const float u = p.fonts.unit;
    const bool is_ready = share >= 1;
    p.text(p.fonts.strong, u, {at.x, at.y}, is_ready ? look::kText : 0xA9A69F, name);
    p.text(p.fonts.words, u * 0.75F, {at.x, at.y + u * 1.15F}, 0xA9A69F, key);
    const ImVec2 low{at.x + u * 5, at.y + u * 0.35F};
    p.list->AddRectFilled(low, {low.x + u * 6, low.y + u * 0.9F}, ink(0, 0.45F), u * 0.25F);
    p.list->AddRectFilled(low, {low.x + u * 6 * share, low.y + u * 0.9F},
                          ink(is_ready ? look::kAccent : 0x9A8F78), u * 0.25F);
}

void paint_weapons(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    const ImVec2 at{p.size.x - u * (13.8F + hud.right_inset), p.size.y - u * (6.2F + hud.lifted)};
    p.panel(at, {u * 12.4F, u * 4.8F}, 0.7F);
    paint_weapon(p, {at.x + u * 0.7F, at.y + u * 0.45F}, "Gun", hud.gun_key.c_str(), hud.gun);
    paint_weapon(p, {at.x + u * 0.7F, at.y + u * 2.6F}, "Shell", hud.shell_key.c_str(), hud.shell);
}

void paint_top(const Painter& p, const HudModel& hud) {
    if (hud.seconds_left < 0) return;
    const float u = p.fonts.unit;
    char clock[16], rank[32];
    std::snprintf(clock, sizeof clock, "%d:%02d", hud.seconds_left / 60, hud.seconds_left % 60);
    std::snprintf(rank, sizeof rank, "#%d of %zu", hud.rank, hud.rows.size());
    const float wide = u * 9.5F;
    const ImVec2 at{(p.size.x - wide) / 2, u * 0.8F};
    p.panel(at, {wide, u * 2.3F}, 0.7F);
    p.text(p.fonts.figures, u * 1.45F, {at.x + u * 0.7F, at.y + u * 0.35F},
           hud.seconds_left < 30 ? look::kDanger : look::kText, clock);
    p.text(p.fonts.strong, u, {at.x + wide - u * 0.7F - p.width(p.fonts.strong, u, rank), at.y + u * 0.62F},
           look::kAccent, rank);
}

void paint_feed(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    float y = u * 0.8F;
    for (const HudModel::FeedLine& line : hud.feed) {
        const std::string verb = line.killer.empty() ? "was destroyed" : "";
        const float a = p.width(p.fonts.strong, u * 0.9F, line.killer);
        const float b = p.width(p.fonts.strong, u * 0.9F, line.victim);
        const float middle =
            line.killer.empty() ? p.width(p.fonts.words, u * 0.9F, verb) + u * 0.5F : u * 2.6F;
        const float wide = a + b + middle + u * 1.2F;
        const ImVec2 at{p.size.x - wide - u * (1.2F + hud.right_inset), y};
        p.panel(at, {wide, u * 1.5F}, 0.7F * line.strength, line.concerns_own ? look::kAccent : 0);
        float x = at.x + u * 0.6F;
        const float text_y = at.y + u * 0.24F;
        if (!line.killer.empty()) {
            p.text(p.fonts.strong, u * 0.9F, {x, text_y}, line.killer_colour, line.killer, line.strength);
            p.shell_sign({x + a + u * 1.3F, at.y + u * 0.75F}, u * 0.5F, line.strength);
            x += a + middle;
        }
        p.text(p.fonts.strong, u * 0.9F, {x, text_y}, line.victim_colour, line.victim, line.strength);
        if (line.killer.empty())
            p.text(p.fonts.words, u * 0.9F, {x + b + u * 0.5F, text_y}, look::kText, verb, line.strength);
        y += u * 1.75F;
    }
}

/// A diamond: a person plays this tank.
void paint_person_sign(const Painter& p, ImVec2 middle, float r) {
    p.list->AddNgonFilled(middle, r * 1.35F, ink(look::kPanel, 0.8F), 4);
    p.list->AddNgonFilled(middle, r, ink(look::kAccent), 4);
}

void paint_tags(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    for (const HudModel::Tag& tag : hud.tags) {
        const std::string& name = tag.name;
        const float size = u * (tag.is_person ? 1.0F : 0.82F);
        const float wide = std::max(p.width(p.fonts.strong, size, name), u * 3.2F);
        const ImVec2 at{tag.x - wide / 2, tag.y - u * 1.5F};
        p.panel({at.x - u * 0.3F, at.y - u * 0.1F}, {wide + u * 0.6F, u * 1.5F}, 0.62F * tag.strength,
                tag.is_person ? look::kAccent : 0);
        if (tag.is_person) paint_person_sign(p, {tag.x, at.y - u * 0.85F}, u * 0.5F);
        const float text_x = tag.x - p.width(p.fonts.strong, size, name) / 2;
        p.text(p.fonts.strong, size, {text_x, at.y - u * 0.03F}, look::kText, name, tag.strength);
        const float y = at.y + u * 1.02F;
        p.list->AddRectFilled({at.x, y}, {at.x + wide, y + u * 0.2F}, ink(0, 0.5F * tag.strength));
        p.list->AddRectFilled({at.x, y}, {at.x + wide * std::clamp(tag.armour, 0.0F, 1.0F), y + u * 0.2F},
                              ink(tag.colour, tag.strength));
    }
}

/// Large maps would cost a rectangle per cell: only their tanks are shown.
void paint_cells(const Painter& p, const Map& map, ImVec2 at, float side) {
    const float per_cell = side / static_cast<float>(std::max(map.columns, map.rows));
    constexpr std::int32_t kMostCells = 96;
    for (std::int32_t r = 0; map.rows <= kMostCells && r < map.rows; ++r) {
        for (std::int32_t c = 0; c < map.columns;) {
            const Cell kind = map.at({c, r});
            const std::int32_t first = c;
            while (c < map.columns && map.at({c, r}) == kind) ++c;
            if (kind == Cell::ground) continue;
            const std::uint32_t colour = kind == Cell::brick   ? look::kBrick
                                         : kind == Cell::hedge ? look::kGreen
                                         : kind == Cell::hill  ? 0xA8A878
                                         : kind == Cell::door  ? look::kAccent
                                                               : look::kConcrete;
            const float y = at.y + side - per_cell * static_cast<float>(r + 1);
            p.list->AddRectFilled({at.x + per_cell * static_cast<float>(first), y},
                                  {at.x + per_cell * static_cast<float>(c), y + per_cell}, ink(colour, 0.9F));
        }
    }
}

void paint_minimap(const Painter& p, const HudModel& hud, const Map& map) {
    const float u = p.fonts.unit;
    const float side = u * 10.5F;
    const ImVec2 at{u * 1.2F, u * 0.8F};
    p.panel({at.x - u * 0.25F, at.y - u * 0.25F}, {side + u * 0.5F, side + u * 0.5F}, 0.75F);
    p.list->AddRectFilled(at, {at.x + side, at.y + side}, ink(look::kSandDark, 0.35F));
    paint_cells(p, map, at, side);
    for (const HudModel::Blip& blip : hud.blips) {
        const ImVec2 here{at.x + blip.x * side, at.y + (1 - blip.y) * side};
        if (blip.is_item) {
            const float h = u * 0.13F;
            p.list->AddRectFilled({here.x - h, here.y - h}, {here.x + h, here.y + h}, ink(blip.colour));
            continue;
        }
        const float r = u * (blip.is_own ? 0.62F : 0.45F);
        const auto corner = [&](float turn, float far) {
            return ImVec2{here.x + std::cos(blip.turn + turn) * far,
                          here.y - std::sin(blip.turn + turn) * far};
        };
        p.list->AddTriangleFilled(corner(0, r), corner(2.4F, r), corner(-2.4F, r), ink(blip.colour));
        p.list->AddTriangle(corner(0, r), corner(2.4F, r), corner(-2.4F, r), ink(look::kPanel), 1.2F);
        if (blip.is_person) p.list->AddCircle(here, r * 1.5F, ink(look::kAccent), 20, 2);
    }
}

void paint_sight(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    if (hud.has_aim) {
        const ImVec2 at{hud.aim_x, hud.aim_y};
        const float r = u * 0.7F;
        p.list->AddCircle(at, r, ink(0, 0.5F), 24, 3);
        p.list->AddCircle(at, r, ink(look::kText, 0.9F), 24, 1.6F);
        p.list->AddCircleFilled(at, 2, ink(look::kText));
        if (hud.gun < 1) {
            p.list->PathArcTo(at, r + u * 0.25F, -1.57F, -1.57F + 6.28F * hud.gun, 24);
            p.list->PathStroke(ink(look::kAccent), 0, 2.5F);
        }
        if (hud.hit_marker > 0) {
            for (const float sx : {-1.0F, 1.0F}) {
                for (const float sy : {-1.0F, 1.0F})
                    p.list->AddLine({at.x + sx * r * 1.1F, at.y + sy * r * 1.1F},
                                    {at.x + sx * r * 2, at.y + sy * r * 2},
                                    ink(look::kDanger, hud.hit_marker), 3);
            }
        }
    }
    const ImVec2 middle{p.size.x / 2, p.size.y / 2};
    for (const HudModel::Arc& arc : hud.arcs) {
        const float turn = arc.angle - 1.5708F;
        p.list->PathArcTo(middle, p.size.y * 0.26F, turn - 0.35F, turn + 0.35F, 16);
        p.list->PathStroke(ink(look::kDanger, 0.8F * arc.strength), 0, u * 0.45F);
    }
    if (hud.has_own && hud.armour > 0 && hud.armour < 35) {
        const float deep = p.size.y * 0.16F;
        const auto none = ink(look::kDanger, 0), full = ink(look::kDanger, 0.4F * (1 - hud.armour / 35));
        p.list->AddRectFilledMultiColor({0, 0}, {p.size.x, deep}, full, full, none, none);
        p.list->AddRectFilledMultiColor({0, p.size.y - deep}, p.size, none, none, full, full);
        p.list->AddRectFilledMultiColor({0, 0}, {deep, p.size.y}, full, none, none, full);
        p.list->AddRectFilledMultiColor({p.size.x - deep, 0}, p.size, none, full, full, none);
    }
}

void paint_centre(const Painter& p, const HudModel& hud) {
    const float u = p.fonts.unit;
    if (hud.respawn > 0 && !hud.is_over) {
        char text[64];
        std::snprintf(text, sizeof text, "Back in %.0f s", std::ceil(static_cast<double>(hud.respawn)));
        const std::string what =
            hud.destroyed_by.empty() ? "Your tank was destroyed" : "Destroyed by " + hud.destroyed_by;
        p.centred(p.fonts.title, u * 1.9F, p.size.y * 0.3F, look::kText, what);
        p.centred(p.fonts.strong, u * 1.2F, p.size.y * 0.3F + u * 2.6F, look::kAccent, text);
    }
    if (!hud.banner.empty()) p.centred(p.fonts.strong, u, p.size.y - u * 3.2F, look::kText, hud.banner);
}

void paint_score_row(const Painter& p, const Row& row, ImVec2 at, float wide) {
    const float u = p.fonts.unit;
    if (row.is_own)
        p.list->AddRectFilled({at.x, at.y - u * 0.12F}, {at.x + wide, at.y + u * 1.3F},
                              ink(look::kAccent, 0.22F), u * 0.2F);
    char text[24];
    const auto figure = [&](float right, long value, std::uint32_t colour) {
        std::snprintf(text, sizeof text, "%ld", value);
        p.text(p.fonts.figures, u, {at.x + right - p.width(p.fonts.figures, u, text), at.y}, colour, text);
    };
    figure(u * 2.0F, row.rank, 0xA9A69F);
    p.list->AddRectFilled({at.x + u * 2.7F, at.y + u * 0.15F}, {at.x + u * 3.5F, at.y + u * 0.95F},
                          ink(row.colour), u * 0.15F);
    const std::string name = row.name + (row.is_own ? "  (you)" : "");
    if (row.is_person && !row.is_own)
        paint_person_sign(p, {at.x + u * 5.0F + p.width(p.fonts.words, u, name), at.y + u * 0.6F}, u * 0.4F);
    p.text(row.is_own ? p.fonts.strong : p.fonts.words, u, {at.x + u * 4.1F, at.y}, look::kText, name);
    figure(wide - u * 12.5F, row.score, look::kAccent);
    figure(wide - u * 8.7F, row.kills, look::kText);
    figure(wide - u * 4.9F, row.deaths, look::kText);
    if (row.rtt_ms >= 0) figure(wide - u * 0.8F, row.rtt_ms, 0xA9A69F);
}

}  // namespace

std::uint32_t ink(std::uint32_t hex, float alpha) {
    const auto a = static_cast<std::uint32_t>(std::clamp(alpha, 0.0F, 1.0F) * 255 + 0.5F);
    return (hex >> 16U & 255U) | (hex & 0xFF00U) | (hex & 255U) << 16U | a << 24U;
}

void draw_scoreboard(const HudModel& hud, const Fonts& fonts, const glm::vec2& size) {
    const Painter p{ImGui::GetForegroundDrawList(), fonts, {size.x, size.y}};
    const float u = fonts.unit;
    const float wide = u * 36;
    const float pitch =
        std::min(u * 1.5F, (size.y - u * 10) / static_cast<float>(std::max<std::size_t>(hud.rows.size(), 1)));
    const float high = u * 5.2F + pitch * static_cast<float>(hud.rows.size());
    const ImVec2 at{(size.x - wide) / 2, std::max(u, (size.y - high) / 2)};
    p.panel(at, {wide, high}, 0.93F);
    p.text(fonts.title, u * 1.5F, {at.x + u, at.y + u * 0.6F}, look::kText,
           hud.is_over ? "Final score" : "Scoreboard");
    const float head = at.y + u * 3;
    const float left = at.x + u * 0.6F, inner = wide - u * 1.2F;
    const auto title = [&](float right, const char* text) {
        p.text(fonts.words, u * 0.8F, {left + right - p.width(fonts.words, u * 0.8F, text), head}, 0xA9A69F,
               text);
    };
    p.text(fonts.words, u * 0.8F, {left + u * 4.1F, head}, 0xA9A69F, "Player");
    title(inner - u * 12.5F, "Score");
    title(inner - u * 8.7F, "Kills");
    title(inner - u * 4.9F, "Deaths");
    title(inner - u * 0.8F, "RTT ms");
    float y = head + u * 1.4F;
    for (const Row& row : hud.rows) {
        paint_score_row(p, row, {left, y}, inner);
        y += pitch;
    }
}

void draw_hud(const HudModel& hud, const Map& map, const Fonts& fonts, const glm::vec2& size) {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    paint_tags(p, hud);
    paint_sight(p, hud);
    if (hud.has_own) paint_own(p, hud);
    if (hud.has_own && hud.lifted <= 0) paint_weapons(p, hud);
    paint_top(p, hud);
    paint_feed(p, hud);
    paint_minimap(p, hud, map);
    if (!hud.shows_scores) paint_centre(p, hud);
    if (hud.shows_scores || hud.is_over) draw_scoreboard(hud, fonts, size);
}

}  // namespace fray::panzer::client
