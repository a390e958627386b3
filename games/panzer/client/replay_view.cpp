#include "games/panzer/client/replay_view.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/paint.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr std::array<float, 6> kSpeeds{0.25F, 0.5F, 1, 2, 4, 8};
constexpr double kWarmUp = 2;  // seconds before a moment that are seen for its effects

}  // namespace

Result<std::unique_ptr<ReplayView>> ReplayView::open(const std::string& file) {
    auto recording = ScreenRecording::load(file);
    if (!recording) return recording.error();
    auto map = shipped_map(recording->header().map);
    if (!map)
        return Error{file + ": was recorded on the map \"" + recording->header().map +
                     "\", which is not here"};
    if (const auto fits = recording->check(*map); !fits) return fits.error();
    std::unique_ptr<ReplayView> view{new ReplayView{std::move(*recording)}};
    view->map_ = std::make_unique<const Map>(std::move(*map));
    view->length_ = seconds(view->recording_.length());
    view->seek(0);
    return view;
}

void ReplayView::seek(double at) {
    stage_ = std::make_unique<Stage>(*map_);
    reader_.emplace(recording_.reader());
    from_ = to_ = {};
    is_at_end_ = false;
    const double goal = std::clamp(at, 0.0, length_);
    at_ = std::max(0.0, goal - kWarmUp);
    read_to(at_);
    constexpr float kFrame = 1.0F / 30;
    const bool was_paused = std::exchange(is_paused_, false);
    const int speed = std::exchange(speed_, 2);
    while (at_ + static_cast<double>(kFrame) < goal) advance(kFrame);
    advance(static_cast<float>(goal - at_));
    is_paused_ = was_paused;
    speed_ = speed;
}

/// Until `to_` is at this time or later.
void ReplayView::read_to(double at) {
    while (!is_at_end_ && (to_.at < at || to_.tanks.empty())) {
        const ScreenFrame* frame = reader_->next();
        is_at_end_ = frame == nullptr;
        if (is_at_end_) break;
        from_ = to_;
        show(*frame, recording_.header().mode, to_);
        stage_->see(to_);
    }
}

void ReplayView::advance(float seconds) {
    const float elapsed = is_paused_ ? 0 : seconds * kSpeeds[static_cast<std::size_t>(speed_)];
    at_ = std::min(at_ + static_cast<double>(elapsed), length_);
    read_to(at_);
    const double span = to_.at - from_.at;
    if (span > 0 && !from_.tanks.empty())
        mix(from_, to_, static_cast<float>(std::clamp((at_ - from_.at) / span, 0.0, 1.0)), shown_);
    else
        shown_ = to_;
    stage_->advance(shown_, {}, elapsed);
}

void ReplayView::change_speed(int steps) {
    speed_ = std::clamp(speed_ + steps, 0, static_cast<int>(kSpeeds.size()) - 1);
}

void ReplayView::draw_timeline(const Fonts& fonts, const glm::vec2& size) {
    const float u = fonts.unit;
    ImGui::SetNextWindowPos({u * 2, size.y - u * 4.2F}, 0);
    ImGui::SetNextWindowSize({size.x - u * 4, u * 3.2F}, 0);
    ImGui::Begin("##timeline", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
    if (ImGui::Button(is_paused_ ? "Play" : "Pause", {u * 4.6F, 0})) toggle_pause();
    ImGui::SameLine();
    std::array<char, 32> speed{};
    std::snprintf(speed.data(), speed.size(), "%gx",
                  static_cast<double>(kSpeeds[static_cast<std::size_t>(speed_)]));
    if (ImGui::Button("-")) change_speed(-1);
    ImGui::SameLine();
    ImGui::TextUnformatted(speed.data());
    ImGui::SameLine();
    if (ImGui::Button("+")) change_speed(1);
    ImGui::SameLine();
    const auto text = [](double at) {
        std::array<char, 32> clock{};
        std::snprintf(clock.data(), clock.size(), "%d:%02d", static_cast<int>(at) / 60,
                      static_cast<int>(at) % 60);
        return std::string{clock.data()};
    };
    const std::string label = text(at_) + " / " + text(length_);
    auto at = static_cast<float>(at_);
    ImGui::PushItemWidth(-1);
    if (ImGui::SliderFloat("##at", &at, 0, static_cast<float>(length_), label.c_str()))
        seek(static_cast<double>(at));
    ImGui::PopItemWidth();
    ImGui::End();
}

void ReplayView::draw(Window& window, Renderer& renderer, const Detail& detail, bool shows_scores) {
    const glm::vec2 size{window.width(), window.height()};
    renderer.draw(stage_->paint(shown_, detail.sight), window.width(), window.height(), detail);
    HudModel& hud = stage_->fill(shown_, {}, size);
    hud.shows_scores = shows_scores;
    hud.seconds_left = -1;
    hud.has_aim = false;
    hud.lifted = 4.2F;
    draw_hud(hud, *map_, window.fonts(), size);
    const Painter p{ImGui::GetBackgroundDrawList(), window.fonts(), {size.x, size.y}};
    const std::string what = "Replay: the screen of " + recording_.header().player_name;
    const float u = window.fonts().unit;
    p.centred(window.fonts().strong, u * 1.05F, u, look::kText, what);
    draw_timeline(window.fonts(), size);
}

}  // namespace fray::panzer::client
