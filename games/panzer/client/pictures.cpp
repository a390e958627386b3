#include "games/panzer/client/pictures.hpp"

#include "games/panzer/client/beacons.hpp"
#include "games/panzer/client/net_overlay.hpp"
#include "games/panzer/client/net_panel.hpp"

namespace fray::panzer::client {

Detail picture_detail() {
    return {.scale = 2, .soft_shadows = true, .shadows = true, .outlines = true, .sight = 420};
}

void draw_battle(Window& window, Renderer& renderer, Stage& stage, const Scenery& scenery, const Shown& shown,
                 const Detail& detail, double seconds_left) {
    constexpr float kFrame = 1.0F / 60;
    window.begin_ui(kFrame);
    const glm::vec2 size{window.width(), window.height()};
    stage.paint(scenery.moment, detail.sight);
    add_beacons(scenery.moment, scenery.seats, stage.heights(), stage.picture());
    NetMarks marks{};
    if (shown.overlay) marks = add_net_overlay(scenery.moment, scenery.net, stage.heights(), stage.picture());
    renderer.draw(stage.picture(), window.width(), window.height(), detail);
    HudModel& hud = stage.fill(scenery.moment, scenery.seats, size);
    hud.shows_scores = shown.scores;
    hud.right_inset = shown.network ? kNetPanelWidth : 0;
    hud.seconds_left = static_cast<int>(seconds_left);
    draw_hud(hud, stage.map(), window.fonts(), size);
    if (shown.overlay) draw_net_legend(marks, window.fonts(), size);
    if (shown.network) draw_net_panel(scenery.net, scenery.moment, window.fonts(), size);
    window.end_ui();
}

}  // namespace fray::panzer::client
