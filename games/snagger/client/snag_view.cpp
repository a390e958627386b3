#include "games/snagger/client/snag_view.hpp"

#include "games/panzer/client/look.hpp"

#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace fray::snagger::client {

namespace {

using games::Feel;
using panzer::client::Fonts;
using panzer::client::ink;
using panzer::client::Painter;
namespace words = panzer::client::look;

constexpr std::uint32_t kQuiet = 0x9AA5B4;
constexpr std::uint32_t kNoticeShown = 240;  // ticks
constexpr std::array<const char*, kShips> kKeysAtOneKeyboard{"A W D and Space", "arrows and right Ctrl"};
constexpr const char* kKeysAlone = "arrows and Space";

/// Where everything is, in pixels.
struct Layout {
    std::array<Area, kShips> screens{};
    ImVec2 score{}, switches{}, metrics{};
    float metrics_wide = 0;
};

Layout layout_of(std::size_t screens, float u, const ImVec2& size) {
    Layout layout;
    const float gap = u * 1.2F, top = u * 3.1F;
    if (screens == 2) {
        const float most = (size.y - top - u * 13.2F) * kWidth / kHeight;
        const float wide = std::min((size.x - 3 * gap) / 2, most);
        const float left = (size.x - 2 * wide - gap) / 2;
        for (std::size_t i = 0; i < kShips; ++i)
            layout.screens[i] = {left + static_cast<float>(i) * (wide + gap), top, wide};
        const float y = top + layout.screens[0].high() + u * 0.9F;
        layout.score = {left, y};
        layout.switches = {left + u * 13, y};
        layout.metrics_wide = u * 31;
        layout.metrics = {left + 2 * wide + gap - layout.metrics_wide, y};
        return layout;
    }
    const float side = u * 25;
    const float wide = std::min(size.x - side - 3 * gap, (size.y - top - gap) * kWidth / kHeight);
    layout.screens[0] = {gap, top, wide};
    const float x = gap * 2 + wide;
    layout.score = {x, top};
    layout.switches = {x, top + u * 6};
    layout.metrics_wide = size.x - x - gap;
    layout.metrics = {x, top + u * 21};
    return layout;
}

void paint_heading(const Painter& p, const Area& area, const SnagGame& game, bool is_alone) {
    const float u = p.fonts.unit;
    const std::string name = "PLAYER " + std::to_string(game.ship() + 1);
    const float y = area.y - u * 1.75F;
    p.text(p.fonts.strong, u * 1.15F, {area.x, y}, look::kShip[game.ship()], name);
    const char* keys = is_alone ? kKeysAlone : kKeysAtOneKeyboard[game.ship()];
    p.text(p.fonts.words, u * 0.9F, {area.x + p.width(p.fonts.strong, u * 1.15F, name) + u, y + u * 0.2F},
           kQuiet, keys);
}

void paint_notice(const Painter& p, const Area& area, const SnagGame& game) {
    std::string text;
    if (!game.has_partner()) text = "Waiting for the other player";
    const std::uint32_t age = game.screen().tick - game.noticed_at();
    if (!game.notice().empty() && age < kNoticeShown) text = game.notice();
    if (text.empty()) return;
    const float u = p.fonts.unit;
    const float wide = p.width(p.fonts.strong, u, text);
    const ImVec2 at{area.x + (area.wide - wide) / 2, area.y + area.high() - u * 2.2F};
    p.panel({at.x - u * 0.6F, at.y - u * 0.25F}, {wide + u * 1.2F, u * 1.6F}, 0.85F);
    p.text(p.fonts.strong, u, at, words::kAccent, text);
}

void paint_score(const Painter& p, ImVec2 at, const SnagGame& game) {
    const float u = p.fonts.unit;
    const std::string score = std::to_string(game.screen().score);
    p.text(p.fonts.words, u * 0.9F, at, kQuiet, "caught together");
    p.text(p.fonts.title, u * 3.4F, {at.x - u * 0.1F, at.y + u * 1.0F}, words::kText, score);
}

// --- what can be changed ---

bool slide(const char* label, Duration& value, int most) {
    int ms = static_cast<int>(micros(value) / 1000);
    ImGui::SliderInt(label, &ms, 0, most, "%d ms", ImGuiSliderFlags_AlwaysClamp);
    value = std::chrono::milliseconds{ms};
    return ImGui::IsItemDeactivatedAfterEdit();
}

void draw_choice(Switches& switches) {
    Choice& choice = switches.choice;
    if (ImGui::BeginCombo("Algorithm", kAlgorithms[choice.algorithm].title)) {
        for (std::uint8_t i = 0; i < kAlgorithms.size(); ++i) {
            if (!ImGui::Selectable(kAlgorithms[i].title, choice.algorithm == i)) continue;
            choice.algorithm = i;
            switches.has_new_choice = true;
        }
        ImGui::EndCombo();
    }
    if (!kAlgorithms[choice.algorithm].has_lag) return ImGui::TextDisabled("This algorithm chooses no lag.");
    int lag = choice.lag_ms;
    ImGui::SliderInt("Its lag", &lag, 0, 300, "%d ms", ImGuiSliderFlags_AlwaysClamp);
    choice.lag_ms = static_cast<std::uint16_t>(lag);
    if (ImGui::IsItemDeactivatedAfterEdit()) switches.has_new_choice = true;
}

/// Applied when the mouse lets go: the other player is told of every change.
void draw_switches(Switches& switches, ImVec2 at, float u) {
    ImGui::SetNextWindowPos(at, 0);
    ImGui::SetNextWindowSize({u * 24, 0}, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("##switches", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    ImGui::PushItemWidth(u * 14);
    draw_choice(switches);
    UdpConditions& line = switches.conditions;
    bool is_new = slide("Added delay", line.lag, 500);
    is_new = slide("Added jitter", line.jitter, 200) || is_new;
    auto loss = static_cast<float>(line.loss * 100);
    ImGui::SliderFloat("Added loss", &loss, 0, 30, "%.0f %%", ImGuiSliderFlags_AlwaysClamp);
    line.loss = static_cast<double>(loss) / 100;
    is_new = ImGui::IsItemDeactivatedAfterEdit() || is_new;
    switches.has_new_conditions = is_new;
    ImGui::PopItemWidth();
    ImGui::End();
}

// --- the five metrics ---

std::string figure(const std::optional<double>& value, const char* format) {
    std::array<char, 40> text{};
    if (!value) return "-";
    std::snprintf(text.data(), text.size(), format, *value);
    return text.data();
}

struct MetricRow {
    const char* name;
    std::string (*text)(const SnagGame&);
};
constexpr std::array<MetricRow, 6> kMetrics{{
    {"state divergence", [](const SnagGame& g) { return figure(g.feel().divergence, "%.2f %%"); }},
    {"propagation delay", [](const SnagGame& g) { return figure(g.feel().propagation_ms, "%.0f ms"); }},
    {"corrections",
     [](const SnagGame& g) { return figure(g.feel().corrections_per_s * g.feel().correction, "%.2f %%/s"); }},
    {"response time", [](const SnagGame& g) { return figure(g.feel().response_ms, "%.0f ms"); }},
    {"animation delay", [](const SnagGame& g) { return figure(g.feel().animation_ms, "%.0f ms"); }},
    {"round trip",
     [](const SnagGame& g) {
         return g.has_partner() ? figure(static_cast<double>(micros(g.rtt())) / 1000, "%.0f ms")
                                : std::string{"-"};
     }},
}};

void paint_metrics(const Painter& p, ImVec2 at, float wide, std::span<SnagGame* const> games) {
    const float u = p.fonts.unit, column = u * 7.2F, text = u * 0.92F;
    const float first = at.x + wide - column * static_cast<float>(games.size());
    p.text(p.fonts.words, text, at, kQuiet, "metrics of the last second");
    const auto right = [&](float x, float y, std::uint32_t colour, const std::string& words_of) {
        p.text(p.fonts.figures, text, {x + column - p.width(p.fonts.figures, text, words_of), y}, colour,
               words_of);
    };
    for (std::size_t i = 0; i < games.size(); ++i)
        right(first + column * static_cast<float>(i), at.y, look::kShip[games[i]->ship()],
              "screen " + std::to_string(games[i]->ship() + 1));
    float y = at.y + u * 1.7F;
    for (const MetricRow& row : kMetrics) {
        p.list->AddLine({at.x, y - u * 0.18F}, {at.x + wide, y - u * 0.18F}, ink(look::kFrame), 1);
        p.text(p.fonts.words, text, {at.x, y}, words::kText, row.name);
        for (std::size_t i = 0; i < games.size(); ++i)
            right(first + column * static_cast<float>(i), y, words::kText, row.text(*games[i]));
        y += u * 1.5F;
    }
}

}  // namespace

void paint_ground(const Painter& p) { p.list->AddRectFilled({0, 0}, p.size, ink(0x11151B)); }

std::array<Area, kShips> screens_of(std::size_t players, float unit, const ImVec2& size) {
    return layout_of(players, unit, size).screens;
}

void SnagView::see(std::span<SnagGame* const> games) {
    for (std::size_t i = 0; i < games.size(); ++i) arts_[i].see(games[i]->screen());
}

void SnagView::draw_behind(const SnagGame& game, const Fonts& fonts, const ImVec2& size) const {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, size};
    paint_ground(p);
    const float left = fonts.unit * 25;
    const float wide = std::max(size.x - left, size.y * kWidth / kHeight);
    arts_[game.ship()].paint(p, {left, (size.y - wide * kHeight / kWidth) / 2, wide}, game);
}

void SnagView::draw(std::span<SnagGame* const> games, Switches& switches, const Fonts& fonts,
                    const ImVec2& size) {
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, size};
    paint_ground(p);
    const Layout layout = layout_of(games.size(), fonts.unit, size);
    for (std::size_t i = 0; i < games.size(); ++i) {
        paint_heading(p, layout.screens[i], *games[i], games.size() == 1);
        arts_[i].paint(p, layout.screens[i], *games[i]);
        paint_notice(p, layout.screens[i], *games[i]);
    }
    paint_score(p, layout.score, *games.front());
    paint_metrics(p, layout.metrics, layout.metrics_wide, games);
    draw_switches(switches, layout.switches, fonts.unit);
}

}  // namespace fray::snagger::client
