#include "games/panzer/client/menu.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"
#include "games/panzer/client/widgets.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>

namespace fray::panzer::client {

namespace {

constexpr std::array<Option, 3> kMaps{{{"arena", "Arena: open ground"},
                                       {"ruins", "Ruins: rooms and doors"},
                                       {"plains", "Plains: 4 km of open land"}}};
constexpr std::array<Option, 3> kModes{
    {{"ffa", "All against all"}, {"teams", "Two teams"}, {"flag", "Carry the flag"}}};
constexpr std::array<Option, 7> kNetcodes{{{"everquest", "Dead reckoning (EverQuest)"},
                                           {"local_lag", "Local lag"},
                                           {"bucket_sync", "Bucket synchronisation"},
                                           {"centralized_serialization", "Centralised serialisation"},
                                           {"half_life", "Half-Life"},
                                           {"adaptive", "Adaptive"},
                                           {"time_warp", "Time Warp"}}};

}  // namespace

Wish Menu::draw_top(const Settings&, bool in_battle) {
    Wish wish = Wish::none;
    if (in_battle) {
        if (button(*fonts_, "Back to the battle", true)) wish = Wish::resume;
    } else {
        if (button(*fonts_, "Play with bots          Enter", true)) wish = Wish::play;
        if (button(*fonts_, "Choose a battle")) page_ = Page::battle;
        if (button(*fonts_, "Host a battle")) page_ = Page::host;
        if (button(*fonts_, "Join by address")) page_ = Page::join;
    }
    if (button(*fonts_, "Settings")) page_ = Page::settings;
    if (in_battle && button(*fonts_, "Leave the battle")) wish = Wish::leave;
    if (button(*fonts_, "Quit")) wish = Wish::quit;
    return wish;
}

Wish Menu::draw_battle(Settings& settings, Wish start) {
    edit("Name", settings.name, 20);
    choose("Map", kMaps, settings.map);
    choose("Mode", kModes, settings.mode);
    choose("Netcode", kNetcodes, settings.netcode);
    int bots = static_cast<int>(settings.bots);
    if (ImGui::SliderInt("Bots", &bots, 0, 31)) settings.bots = static_cast<std::uint32_t>(bots);
    if (start == Wish::host) {
        int port = settings.port;
        if (ImGui::InputInt("Port", &port, 0))
            settings.port = static_cast<std::uint16_t>(std::clamp(port, 0, 65535));
        ImGui::TextDisabled("Others join at the address of this machine, port %d.", int{settings.port});
    }
    Wish wish = Wish::none;
    if (button(*fonts_, start == Wish::host ? "Host" : "Play", true)) wish = start;
    if (button(*fonts_, "Back")) page_ = Page::top;
    return wish;
}

Wish Menu::draw_join(Settings& settings) {
    edit("Name", settings.name, 20);
    edit("Address", settings.address, 60);
    choose("Map", kMaps, settings.map);
    choose("Mode", kModes, settings.mode);
    choose("Netcode", kNetcodes, settings.netcode);
    ImGui::TextDisabled("Map, mode and netcode must be those of the host.");
    Wish wish = Wish::none;
    if (button(*fonts_, "Join", true)) wish = Wish::join;
    if (button(*fonts_, "Back")) page_ = Page::top;
    return wish;
}

Wish Menu::draw_settings(Settings& settings) {
    const Settings before = settings;
    edit("Name", settings.name, 20);
    ImGui::SliderFloat("Mouse", &settings.mouse, 0.2F, 3, "%.1f");
    ImGui::SliderFloat("Volume", &settings.volume, 0, 1, "%.1f");
    ImGui::Checkbox("Camera shakes", &settings.shake);
    int detail = static_cast<int>(settings.detail);
    if (ImGui::Combo("Detail", &detail, "automatic\0low\0medium\0high\0"))
        settings.detail = static_cast<DetailChoice>(detail);
    if (button(*fonts_, "Keys")) page_ = Page::keys;
    if (button(*fonts_, "Back")) page_ = Page::top;
    return settings == before ? Wish::none : Wish::settings_changed;
}

Wish Menu::draw_keys(Settings& settings) {
    for (std::size_t i = 0; i < kActions; ++i) {
        const auto action = static_cast<Action>(i);
        ImGui::TextUnformatted(title_of(action).data());
        ImGui::SameLine(fonts_->unit * 10.5F);
        const bool waits = rebinding_ == action;
        const std::string label = (waits ? "press a key" : settings.bindings[i]) + "##" + std::to_string(i);
        if (ImGui::Button(label.c_str(), {fonts_->unit * 8.5F, 0})) rebinding_ = action;
    }
    if (button(*fonts_, "Back")) {
        page_ = Page::settings;
        rebinding_.reset();
    }
    return Wish::none;
}

void Menu::take_key(const std::string& name, Settings& settings) {
    if (!rebinding_ || name.empty()) return;
    settings.bindings[static_cast<std::size_t>(*rebinding_)] = name;
    rebinding_.reset();
}

void Menu::draw_message(const Fonts& fonts, const glm::vec2& size) const {
    const float u = fonts.unit;
    if (!message_.empty()) {
        ImGui::SetNextWindowPos({u * 2.6F, size.y - u * 6}, 0);
        ImGui::SetNextWindowSize({u * 34, u * 4.4F}, 0);
        ImGui::Begin("##message", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoInputs |
                         ImGuiWindowFlags_NoNav);
        ImGui::PushStyleColor(ImGuiCol_Text, ink(look::kAccent));
        ImGui::TextWrapped("%s", message_.c_str());
        ImGui::PopStyleColor();
        ImGui::End();
    }
}

Wish Menu::draw_page(Settings& settings, bool in_battle) {
    switch (page_) {
        case Page::top:
            return draw_top(settings, in_battle);
        case Page::battle:
            return draw_battle(settings, Wish::play);
        case Page::host:
            return draw_battle(settings, Wish::host);
        case Page::join:
            return draw_join(settings);
        case Page::settings:
            return draw_settings(settings);
        case Page::keys:
            return draw_keys(settings);
    }
    return Wish::none;
}

Wish Menu::draw(Settings& settings, bool in_battle, const Fonts& fonts, const glm::vec2& size) {
    fonts_ = &fonts;
    const float u = fonts.unit;
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    const float wide = u * 25;
    p.list->AddRectFilled({0, 0}, {wide, size.y}, ink(look::kPanel, 0.78F));
    p.list->AddRectFilledMultiColor({wide, 0}, {wide + u * 9, size.y}, ink(look::kPanel, 0.78F),
                                    ink(look::kPanel, 0), ink(look::kPanel, 0), ink(look::kPanel, 0.78F));
    p.text(fonts.title, u * 4.2F, {u * 2.6F, u * 3.2F}, look::kText, "PANZER");
    p.list->AddRectFilled({u * 2.8F, u * 8.0F}, {u * 9, u * 8.3F}, ink(look::kAccent));
    p.text(fonts.words, u * 0.95F, {u * 2.8F, u * 8.8F}, 0xC9C5BC,
           "Tanks without a server: every player is a peer.");
    draw_message(fonts, size);
    ImGui::SetNextWindowPos({u * 2.6F, u * 11}, 0);
    ImGui::SetNextWindowSize({u * (kButtonWide + 6), size.y - u * 17}, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0);
    ImGui::Begin("##menu", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::PushItemWidth(u * 12.5F);
    const Wish wish = draw_page(settings, in_battle);
    ImGui::PopItemWidth();
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return wish;
}

}  // namespace fray::panzer::client
