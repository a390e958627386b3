#include "cli/play_window.hpp"

#include "cli/match_tables.hpp"
#ifdef FRAY_HAS_CLIENT
#include "games/panzer/client/app.hpp"
#include "games/panzer/client/backdrop.hpp"
#include "games/panzer/client/menu.hpp"
#include "games/panzer/client/pictures.hpp"
#include "games/panzer/client/replay_view.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace fray::cli {

#ifdef FRAY_HAS_CLIENT

namespace {

constexpr int kPictureShadows = 4096;
constexpr float kPictureFrame = 1.0F / 60;

Result<std::unique_ptr<panzer::client::Window>> open_for_picture(const WindowArguments& window) {
    constexpr std::uint32_t kWidth = 1280, kHeight = 720;
    return panzer::client::Window::open(
        panzer::client::Window::Kind::offscreen, static_cast<int>(window.width == 0 ? kWidth : window.width),
        static_cast<int>(window.height == 0 ? kHeight : window.height), kPictureShadows);
}

Result<panzer::client::StudySetup> study_of(const PlayArguments& match, const WindowArguments& window) {
    panzer::client::StudySetup setup;
    const auto comparison = panzer::parse_comparison(window.study);
    if (!comparison) return Error{"--study: " + comparison.error().message};
    setup.comparison = *comparison;
    if (window.host == 0 && window.join.empty())
        return Error{"--study needs two people: one with --host PORT, the other one with --join ADDRESS"};
    if (match.consistency == "time_warp") return Error{"--study compares versions without time_warp"};
    if (!window.study_times.empty()) {
        const auto times = panzer::parse_study_times(window.study_times);
        if (!times) return Error{"--study-times: " + times.error().message};
        setup.times = *times;
    }
    if (!window.study_results.empty()) setup.results = window.study_results;
    if (window.given.contains("--upload")) setup.upload_kbps = match.upload_kbps;
    return setup;
}

Result<panzer::client::AppOptions> options_of(const PlayArguments& match, const WindowArguments& window) {
    const auto given = [&](const char* option, const std::string& value) {
        return window.given.contains(option) ? value : std::string{};
    };
    panzer::client::AppOptions options;
    options.join = window.join;
    options.begins = window.begins;
    options.host = window.host;
    options.attract = window.attract;
    options.width = static_cast<int>(window.width);
    options.height = static_cast<int>(window.height);
    options.replay = window.replay;
    options.record = match.record;
    options.map = given("--map", match.map);
    options.mode = given("--mode", match.mode);
    options.netcode = given("--consistency", match.consistency);
    if (window.given.contains("--bots")) options.bots = match.bots == 0 ? 0 : match.bots - 1;
    options.seconds = window.seconds;
    if (window.given.contains("--overlay")) {
        const auto overlay = panzer::parse_overlay(match.overlay);
        if (!overlay) return overlay.error();
        options.overlay = *overlay;
    }
    if (window.given.contains("--upload")) options.upload_kbps = match.upload_kbps;
    if (!window.study.empty()) {
        const auto study = study_of(match, window);
        if (!study) return study.error();
        options.study = *study;
        const std::uint32_t players = window.given.contains("--bots") ? match.bots : panzer::kStudyPlayers;
        options.bots = players - std::min<std::uint32_t>(players, panzer::kPeople);
    }
    options.quits_after = window.quits_after;
    return options;
}

bool wants(const WindowArguments& window, std::string_view what) {
    return std::ranges::find(window.show, what) != window.show.end();
}

}  // namespace

bool has_display() {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

Result<void> play_in_window(const PlayArguments& match, const WindowArguments& window) {
    const auto options = options_of(match, window);
    if (!options) return options.error();
    const auto played = panzer::client::run_app(*options);
    if (!played) return played.error();
    if (played->report) fmt::print("{}", scoreboard(played->report->standings, {}));
    // What was asked for on the command line did not begin, or it ended early.
    const bool was_asked = options->begins || options->host != 0 || !options->join.empty();
    if (was_asked && !played->trouble.empty()) return Error{played->trouble};
    return {};
}

Result<void> take_screenshot(const MatchSetup& setup, const NetworkModel& network,
                             const WindowArguments& window) {
    namespace client = panzer::client;
    const auto mesh = panzer::NavMesh::build(*setup.map);
    if (!mesh) return mesh.error();
    client::Stage stage{*setup.map};
    const auto scenery = client::play_until(
        *setup.field, *mesh,
        {.match = setup.match, .players = setup.players, .network = network, .watched = 0, .at = window.at},
        stage);
    if (!scenery) return scenery.error();
    auto opened = open_for_picture(window);
    if (!opened) return opened.error();
    client::Renderer renderer{(*opened)->gpu()};
    renderer.load(*setup.map, stage.heights());
    client::draw_battle(**opened, renderer, stage, *scenery,
                        {.scores = wants(window, "scores"),
                         .network = wants(window, "network"),
                         .overlay = wants(window, "overlay")},
                        client::picture_detail(), seconds(setup.match.length) - scenery->moment.at);
    return (*opened)->save_picture(window.screenshot);
}

Result<void> take_replay_screenshot(const WindowArguments& window) {
    namespace client = panzer::client;
    auto view = client::ReplayView::open(window.replay);
    if (!view) return view.error();
    (*view)->seek(window.at);
    auto opened = open_for_picture(window);
    if (!opened) return opened.error();
    client::Renderer renderer{(*opened)->gpu()};
    renderer.load((*view)->map(), (*view)->stage().heights());
    // ImGui lays a new window out in its first frame, and shows it in the second.
    for (int frame = 0; frame < 2; ++frame) {
        (*opened)->begin_ui(kPictureFrame);
        (*view)->draw(**opened, renderer, client::picture_detail(), wants(window, "scores"));
        (*opened)->end_ui();
    }
    return (*opened)->save_picture(window.screenshot);
}

Result<void> take_menu_screenshot(const WindowArguments& window) {
    namespace client = panzer::client;
    const auto map = panzer::shipped_map("arena");
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    auto opened = open_for_picture(window);
    if (!opened) return opened.error();
    client::Renderer renderer{(*opened)->gpu()};
    client::Backdrop backdrop{*map, *mesh, Seed{5}};
    renderer.load(*map, backdrop.heights());
    for (double at = 0; at < window.at; at += static_cast<double>(kPictureFrame))
        backdrop.advance(kPictureFrame);
    client::Menu menu;
    client::Settings settings;
    for (int frame = 0; frame < 2; ++frame) {
        (*opened)->begin_ui(kPictureFrame);
        const client::Detail detail = client::picture_detail();
        renderer.draw(backdrop.paint(detail.sight), (*opened)->width(), (*opened)->height(), detail);
        (void)menu.draw(settings, false, (*opened)->fonts(), {(*opened)->width(), (*opened)->height()});
        (*opened)->end_ui();
    }
    return (*opened)->save_picture(window.screenshot);
}

#else

Result<void> take_replay_screenshot(const WindowArguments&) { return take_screenshot({}, {}, {}); }
Result<void> take_menu_screenshot(const WindowArguments&) { return take_screenshot({}, {}, {}); }
bool has_display() { return false; }
Result<void> play_in_window(const PlayArguments&, const WindowArguments&) {
    return take_screenshot({}, {}, {});
}
Result<void> take_screenshot(const MatchSetup&, const NetworkModel&, const WindowArguments&) {
    return Error{"this build has no window: install the graphics packages with tools/setup, and build again"};
}

#endif

}  // namespace fray::cli
