#include "games/panzer/client/widgets.hpp"

#include "games/panzer/client/look.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace fray::panzer::client {

bool button(const Fonts& fonts, const char* text, bool is_main) {
    const float u = fonts.unit;
    if (is_main) {
        ImGui::PushStyleColor(ImGuiCol_Button, ink(look::kAccent));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ink(0xFFC53D));
        ImGui::PushStyleColor(ImGuiCol_Text, ink(look::kPanel));
    }
    ImGui::PushFont(fonts.strong);
    const bool is_pressed = ImGui::Button(text, {u * kButtonWide, u * 2.4F});
    ImGui::PopFont();
    if (is_main) ImGui::PopStyleColor(3);
    return is_pressed;
}

bool edit(const char* label, std::string& text, std::size_t most) {
    std::array<char, 80> buffer{};
    std::memcpy(buffer.data(), text.data(), std::min(text.size(), buffer.size() - 1));
    if (!ImGui::InputText(label, buffer.data(), std::min(buffer.size(), most + 1))) return false;
    text = buffer.data();
    return true;
}

void choose(const char* label, std::span<const Option> options, std::string& value) {
    const auto now = std::ranges::find_if(options, [&](const Option& one) { return value == one.value; });
    if (!ImGui::BeginCombo(label, now == options.end() ? value.c_str() : now->title)) return;
    for (const Option& one : options) {
        if (ImGui::Selectable(one.title, value == one.value)) value = one.value;
    }
    ImGui::EndCombo();
}

}  // namespace fray::panzer::client
