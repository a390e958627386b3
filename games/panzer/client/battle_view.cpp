#include "games/panzer/client/battle_view.hpp"

#include "games/panzer/client/beacons.hpp"
#include "games/panzer/client/look.hpp"
#include "games/panzer/client/net_overlay.hpp"
#include "games/panzer/client/net_panel.hpp"
#include "games/panzer/client/paint.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace fray::panzer::client {

namespace {

constexpr double kChatShown = 12;  // seconds

}  // namespace

Result<std::unique_ptr<BattleView>> BattleView::open(const Battlefield& field, const NavMesh& mesh,
                                                     const LiveOptions& options,
                                                     std::unique_ptr<StudyDesk> study) {
    auto battle = LiveBattle::open(field, mesh, options);
    if (!battle) return battle.error();
    return std::unique_ptr<BattleView>{
        new BattleView{field.map(), std::move(*battle), options, std::move(study)}};
}

BattleView::BattleView(const Map& map, std::unique_ptr<LiveBattle> battle, const LiveOptions& options,
                       std::unique_ptr<StudyDesk> study)
    : battle_{std::move(battle)},
      options_{options},
      stage_{map},
      switches_{battle_->match()},
      study_{std::move(study)} {}

void BattleView::pump(Controls& controls, double now) {
    take_keys(controls);
    const ShownTank* own = battle_->game().latest().own_tank();
    if (own != nullptr && !has_yaw_) {
        controls.set_yaw(own->hull);
        has_yaw_ = true;
    }
    bot_drives_ = options_.bot_takes_over && controls.is_idle(now);
    Input input = controls.input();
    const bool is_over = study_ && study_->is_over();
    if (is_writing_ || is_over) input = {.aim = input.aim};
    bot_drives_ = bot_drives_ && !is_over;
    battle_->pump(input, bot_drives_);
    if (study_) study_->advance(*battle_, now);
    if (bot_drives_ && own != nullptr) controls.set_yaw(own->turret);
    yaw_ = controls.yaw();
    pitch_ = controls.pitch();
    if (battle_->game().frames() == seen_) return;
    seen_ = battle_->game().frames();
    stage_.see(battle_->game().latest());
}

void BattleView::take_keys(Controls& controls) {
    shows_scores_ = controls.is_held(Action::scores);
    const auto toggle = [&](Action action, bool& is_shown) {
        // The people of a study are not told how its versions differ.
        if (controls.take_pressed(action) && !study_) is_shown = !is_shown;
    };
    toggle(Action::network, shows_network_);
    toggle(Action::overlay, shows_overlay_);
    toggle(Action::net_graph, shows_graph_);
    if (controls.take_pressed(Action::vote) && study_) study_->toggle_vote();
    if (controls.take_pressed(Action::chat) && !is_writing_) is_writing_ = begins_writing_ = true;
}

Ear BattleView::ear() const {
    const ShownTank* own = shown_.own_tank();
    if (own == nullptr) return {};
    return {own->position, yaw_, std::abs(own->speed) / kTopSpeed, own->alive()};
}

void BattleView::set_banner(HudModel& hud, const Settings& settings) const {
    hud.banner.clear();
    if (!battle_->has_joined()) {
        hud.banner = options_.join.empty() ? "Waiting for the battle" : "Joining " + options_.join;
    } else if (bot_drives_) {
        hud.banner = "A bot drives your tank: press a key to take over";
    } else if (options_.is_open && !study_ && hud.rows.size() < 2) {
        hud.banner = "Others can join at port " + std::to_string(battle_->address().port);
    }
    if (hud.is_over)
        hud.banner =
            "The battle is over. " + settings.bindings[static_cast<std::size_t>(Action::menu)] + ": menu";
}

void BattleView::draw(Window& window, Renderer& renderer, const Detail& detail, const Settings& settings,
                      float seconds, double) {
    const glm::vec2 size{window.width(), window.height()};
    battle_->show_now(shown_);
    const std::optional<float> yaw = bot_drives_ ? std::nullopt : std::optional{yaw_};
    stage_.advance(shown_, {.yaw = yaw, .pitch = pitch_, .shakes = settings.shake}, seconds);
    stage_.paint(shown_, detail.sight);
    WatchedGame& game = battle_->game();
    add_beacons(shown_, game.seats(), stage_.heights(), stage_.picture());
    NetMarks marks{};
    if (shows_overlay_) marks = add_net_overlay(shown_, game.net(), stage_.heights(), stage_.picture());
    renderer.draw(stage_.picture(), window.width(), window.height(), detail);
    HudModel& hud = stage_.fill(shown_, game.seats(), size);
    hud.shows_scores = shows_scores_;
    hud.seconds_left = study_ ? -1 : static_cast<int>(std::ceil(game.seconds_left()));
    hud.is_over = game.progress() >= 1;
    hud.right_inset = shows_network_ ? kNetPanelWidth : 0;
    hud.gun_key = settings.bindings[static_cast<std::size_t>(Action::gun)];
    hud.shell_key = settings.bindings[static_cast<std::size_t>(Action::shell)];
    set_banner(hud, settings);
    draw_hud(hud, stage_.map(), window.fonts(), size);
    if (shows_overlay_) draw_net_legend(marks, window.fonts(), size);
    if (shows_network_) draw_net_panel(game.net(), shown_, window.fonts(), size);
    if (shows_graph_) draw_net_graph(game.net(), window.fonts(), size);
    if (shows_network_ && !options_.match.time_warp) switches_.draw(*battle_, window.fonts(), size);
    if (study_) study_->draw(window.fonts(), size, settings.bindings[static_cast<std::size_t>(Action::vote)]);
    draw_chat(window.fonts(), size);
}

void BattleView::end_line(bool sends) {
    if (sends && !line_.empty()) battle_->game().say(line_);
    is_writing_ = false;
    line_.clear();
}

void BattleView::draw_chat(const Fonts& fonts, const glm::vec2& size) {
    const float u = fonts.unit;
    const Painter p{ImGui::GetBackgroundDrawList(), fonts, {size.x, size.y}};
    WatchedGame& game = battle_->game();
    const float x = u * (shows_network_ ? kSwitchesWide + 2.4F : 1.2F);  // beside the switches
    float y = size.y - u * (is_writing_ ? 9.2F : 7.2F);
    for (auto line = game.heard().rbegin(); line != game.heard().rend(); ++line) {
        if (!is_writing_ && game.latest().at - line->at > kChatShown) break;
        const std::string text =
            line->is_notice ? line->who + " " + line->text : line->who + ": " + line->text;
        const float wide = p.width(fonts.words, u * 0.95F, text);
        p.panel({x, y - u * 0.15F}, {wide + u, u * 1.4F}, 0.62F);
        p.text(fonts.words, u * 0.95F, {x + u * 0.5F, y}, line->is_notice ? look::kAccent : look::kText,
               text);
        y -= u * 1.5F;
        if (y < size.y * 0.45F) break;
    }
    if (!is_writing_) return;
    ImGui::SetNextWindowPos({x, size.y - u * 7.4F}, 0);
    ImGui::SetNextWindowSize({u * 26, u * 2.8F}, 0);
    ImGui::Begin("##chat", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    if (std::exchange(begins_writing_, false)) ImGui::SetKeyboardFocusHere();
    std::array<char, Talk::kMostBytes> buffer{};
    std::memcpy(buffer.data(), line_.data(), std::min(line_.size(), buffer.size() - 1));
    ImGui::PushItemWidth(u * 24);
    ImGui::InputText("##line", buffer.data(), buffer.size());
    line_ = buffer.data();
    ImGui::PopItemWidth();
    ImGui::End();
}

}  // namespace fray::panzer::client
