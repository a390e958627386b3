#include "games/panzer/client/switchboard.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/widgets.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

namespace fray::panzer::client {

namespace {

constexpr std::array<Option, 6> kAlgorithms{{{"everquest", "Dead reckoning (EverQuest)"},
                                             {"half_life", "Half-Life"},
                                             {"adaptive", "Adaptive"},
                                             {"local_lag", "Local lag"},
                                             {"bucket_sync", "Bucket synchronisation"},
                                             {"centralized_serialization", "Centralised serialisation"}}};
constexpr int kMostUploadKbps = 2000;

/// True when the mouse lets go of a slider that was moved: a drag is one change, and is announced once.
bool slide(const char* label, int& value, int most, const char* format) {
    ImGui::SliderInt(label, &value, 0, most, format, ImGuiSliderFlags_AlwaysClamp);
    return ImGui::IsItemDeactivatedAfterEdit();
}

bool slide(const char* label, Duration& value, int most) {
    int ms = static_cast<int>(micros(value) / 1000);
    const bool is_new = slide(label, ms, most, "%d ms");
    value = std::chrono::milliseconds{ms};
    return is_new;
}

void heading(const char* words) {
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink(look::kAccent)), "%s", words);
}

}  // namespace

std::string describe(const UdpConditions& line) {
    if (line == UdpConditions{}) return "adds nothing to its line any more";
    std::array<char, 96> text{};
    std::snprintf(text.data(), text.size(),
                  "adds %d ms of delay, %d ms of jitter and %.0f %% loss to its line",
                  static_cast<int>(micros(line.lag) / 1000), static_cast<int>(micros(line.jitter) / 1000),
                  line.loss * 100);
    return text.data();
}

Switchboard::Switchboard(const MatchOptions& match)
    : has_focus_{match.interest == InterestName::focus}, upload_kbps_{static_cast<int>(match.upload_kbps)} {
    const auto name = name_of(match.consistency.algorithm);
    const auto found =
        std::ranges::find_if(kAlgorithms, [&](const Option& one) { return name == one.value; });
    if (found != kAlgorithms.end()) algorithm_ = static_cast<int>(found - kAlgorithms.begin());
}

void Switchboard::draw(LiveBattle& battle, const Fonts& fonts, const glm::vec2& size) {
    const float u = fonts.unit;
    ImGui::SetNextWindowPos({u * 1.2F, size.y - u * 3.6F}, 0, {0, 1});  // above the armour
    ImGui::SetNextWindowSize({u * kSwitchesWide, 0}, 0);
    ImGui::Begin("##switches", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    ImGui::PushItemWidth(u * 13.5F);
    draw_algorithm(battle);
    draw_upload(battle);
    draw_line(battle);
    ImGui::PopItemWidth();
    ImGui::TextDisabled("All players are told of every change.");
    ImGui::End();
}

void Switchboard::draw_algorithm(LiveBattle& battle) {
    heading("Your tank and the bots of this machine");
    const auto now = static_cast<std::size_t>(algorithm_);
    if (!ImGui::BeginCombo("Algorithm", kAlgorithms[now].title)) return;
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i) {
        if (!ImGui::Selectable(kAlgorithms[i].title, i == now) || i == now) continue;
        const auto chosen = parse_consistency(kAlgorithms[i].value);
        if (!chosen) continue;
        algorithm_ = static_cast<int>(i);
        battle.set_consistency(*chosen);
        battle.game().announce(std::string{"uses the consistency algorithm "} + kAlgorithms[i].title +
                               " now");
    }
    ImGui::EndCombo();
}

void Switchboard::draw_upload(LiveBattle& battle) {
    const bool has_limit =
        slide("Upload", upload_kbps_, kMostUploadKbps, upload_kbps_ == 0 ? "no limit" : "%d kbit/s");
    const bool has_focus = has_focus_ && ImGui::Checkbox("Focus sets and guides", &uses_focus_);
    if (!has_limit && !has_focus) return;
    battle.tune({.upload_kbps = static_cast<std::uint32_t>(upload_kbps_),
                 .focus_sets = uses_focus_,
                 .guidance = uses_focus_});
    std::string text = upload_kbps_ == 0 ? "has no upload limit now"
                                         : "limits the upload to " + std::to_string(upload_kbps_) + " kbit/s";
    if (has_focus_) text += uses_focus_ ? ", with focus sets" : ", without focus sets";
    battle.game().announce(std::move(text));
}

void Switchboard::draw_line(LiveBattle& battle) {
    heading("Your line, in each direction");
    bool is_new = slide("Added delay", line_.lag, 500);
    is_new = slide("Added jitter", line_.jitter, 200) || is_new;
    int loss = static_cast<int>(line_.loss * 100 + 0.5);
    is_new = slide("Added loss", loss, 30, "%d %%") || is_new;
    line_.loss = loss / 100.0;
    if (!is_new) return;
    battle.set_conditions(line_);
    battle.game().announce(describe(line_));
}

}  // namespace fray::panzer::client
