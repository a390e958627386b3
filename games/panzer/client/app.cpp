#include "games/panzer/client/app.hpp"

#include "games/panzer/client/backdrop.hpp"
#include "games/panzer/client/battle_view.hpp"
#include "games/panzer/client/controls.hpp"
#include "games/panzer/client/menu.hpp"
#include "games/panzer/client/pace_keeper.hpp"
#include "games/panzer/client/renderer.hpp"
#include "games/panzer/client/replay_view.hpp"
#include "games/panzer/client/sound.hpp"
#include "games/panzer/client/window.hpp"
#include "games/panzer/rules/map_report.hpp"
#include "games/panzer/rules/map_text.hpp"
#include "games/panzer/rules/shipped_maps.hpp"

#include <SDL.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr int kShadows = 1024;
constexpr double kFrame = 1.0 / 60;  // seconds, at least
constexpr Seed kBackdropSeed{5};

/// A map that is loaded, with what is derived from it.
struct Ground3d {
    std::unique_ptr<const Map> map;
    std::unique_ptr<const Battlefield> field;
    std::optional<NavMesh> mesh;
};

/// A shipped map by its name, or a file.
Result<Map> load_map(const std::string& name) {
    if (name.find('/') == std::string::npos && !name.ends_with(".map")) return shipped_map(name);
    std::ifstream in{name, std::ios::binary};
    if (!in) return Error{"The map " + name + " cannot be read."};
    std::ostringstream text;
    text << in.rdbuf();
    auto map = parse_map(text.str(), name);
    if (map && !inspect(*map).lost_spawns.empty())
        return Error{"The map " + name + " cannot be played: walls enclose a spawn point."};
    return map;
}

Result<Ground3d> load_ground(const std::string& name) {
    auto map = load_map(name);
    if (!map) return map.error();
    Ground3d ground;
    ground.map = std::make_unique<const Map>(std::move(*map));
    ground.field = std::make_unique<const Battlefield>(*ground.map);
    auto mesh = NavMesh::build(*ground.map);
    if (!mesh) return mesh.error();
    ground.mesh.emplace(std::move(*mesh));
    return ground;
}

Result<MatchOptions> match_of(const Settings& settings, const AppOptions& options) {
    MatchOptions match;
    const auto mode = parse_mode(settings.mode);
    if (!mode) return mode.error();
    match.mode = *mode;
    match.length = from_seconds(options.seconds);
    match.overlay = options.overlay;
    match.upload_kbps = options.upload_kbps;
    match.seed = Seed{1};
    if (settings.netcode == "time_warp") {
        match.time_warp = TimeWarpChoice{};
        return match;
    }
    const auto consistency = parse_consistency(settings.netcode);
    if (!consistency) return consistency.error();
    match.consistency = *consistency;
    // Focus sets change nothing until an upload limit is set, in the window as well.
    match.guidance = match.overlay == OverlayName::mesh;
    if (match.guidance) match.interest = InterestName::focus;
    return match;
}

class App {
public:
    App(std::unique_ptr<Window> window, const AppOptions& options, Settings settings)
        : window_{std::move(window)}, options_{options}, settings_{std::move(settings)}, saved_{settings_} {
        controls_.bind(settings_);
        sound_.set_volume(settings_.volume);
    }

    Result<AppOutcome> run() {
        if (const auto shown = show_menu(); !shown) return shown.error();
        if (!sound_.complaint().empty()) menu_.tell(sound_.complaint());
        if (!options_.replay.empty()) {
            if (const auto shown = show_replay(); !shown) return shown.error();
        }
        if (options_.begins) begin(Wish::play);
        if (options_.host != 0) {
            settings_.port = options_.host;
            begin(Wish::host);
        }
        if (!options_.join.empty()) {
            settings_.address = options_.join;
            begin(Wish::join);
        }
        while (!quits_) frame();
        leave_battle();
        keep_settings();
        return AppOutcome{std::move(last_report_), menu_.message()};
    }
    void complain(const std::string& what) { menu_.tell(what); }

private:
    Result<void> show_menu() {
        auto ground = load_ground("arena");
        if (!ground) return ground.error();
        backdrop_ground_ = std::move(*ground);
        backdrop_.emplace(*backdrop_ground_.map, *backdrop_ground_.mesh, kBackdropSeed);
        renderer_.load(*backdrop_ground_.map, backdrop_->heights());
        return {};
    }

    Result<void> show_replay() {
        auto opened = ReplayView::open(options_.replay);
        if (!opened) return opened.error();
        replay_ = std::move(*opened);
        renderer_.load(replay_->map(), replay_->stage().heights());
        return {};
    }

    void close_replay() {
        replay_.reset();
        renderer_.load(*backdrop_ground_.map, backdrop_->heights());
    }

    [[nodiscard]] static double clock() {
        return static_cast<double>(SDL_GetPerformanceCounter()) /
               static_cast<double>(SDL_GetPerformanceFrequency());
    }

    void frame() {
        const double now = clock();
        const auto elapsed = static_cast<float>(std::min(now - last_, 0.25));
        last_ = now;
        if (options_.quits_after > 0 && now - started_at_ > options_.quits_after) quits_ = true;
        take_events(now);
        controls_.advance(elapsed, now);
        if (view_) view_->pump(controls_, now);
        if (window_->is_minimised()) {
            SDL_Delay(15);  // the battle goes on
            return;
        }
        pace_.frame(elapsed, settings_.detail);
        draw(elapsed, now);
        window_->swap();
        // Software drivers do not wait for the screen, and the network needs the rest of the processor.
        const double rest = kFrame - (clock() - now);
        if (rest > 0.001) SDL_Delay(static_cast<Uint32>(rest * 1000));
    }

    void take_events(double now) {
        const bool reads_game = view_ && !is_menu_open_ && !view_->is_writing() && !Window::has_popup();
        SDL_Event event;
        while (SDL_PollEvent(&event) != 0) {
            window_->handle(event);
            if (event.type == SDL_QUIT) quits_ = true;
            if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_LOST)
                controls_.release_all();
            const bool is_press = event.type == SDL_KEYDOWN || event.type == SDL_MOUSEBUTTONDOWN;
            if (is_press && menu_.waits_for_key()) {
                menu_.take_key(Controls::name_in(event), settings_);
                keep_settings();
                continue;
            }
            if (event.type == SDL_KEYDOWN) take_key(event, reads_game);
            const bool is_click = event.type == SDL_MOUSEBUTTONDOWN && Window::wants_mouse();
            controls_.handle(event, reads_game && !is_click, now);
        }
        window_->set_relative_mouse(view_ && !is_menu_open_ && !view_->is_writing() && !view_->wants_mouse());
    }

    void take_key(const SDL_Event& event, bool reads_game) {
        const SDL_Keycode key = event.key.keysym.sym;
        const bool is_enter = key == SDLK_RETURN || key == SDLK_KP_ENTER;
        if (replay_) return steer_replay(key);
        if (view_ && view_->is_writing() && (is_enter || key == SDLK_ESCAPE))
            return view_->end_line(is_enter);
        if (!view_ && is_enter && menu_.page() == Menu::Page::top) begin(Wish::play);
        if (key == SDLK_ESCAPE && view_ && !reads_game && !view_->is_writing()) is_menu_open_ = false;
        if (key == SDLK_ESCAPE && !view_) menu_.open(Menu::Page::top);
    }

    void steer_replay(SDL_Keycode key) {
        constexpr double kSkip = 5;  // seconds
        if (key == SDLK_SPACE) replay_->toggle_pause();
        if (key == SDLK_LEFT) replay_->seek(replay_->at() - kSkip);
        if (key == SDLK_RIGHT) replay_->seek(replay_->at() + kSkip);
        if (key == SDLK_UP) replay_->change_speed(1);
        if (key == SDLK_DOWN) replay_->change_speed(-1);
        if (key == SDLK_ESCAPE) close_replay();
    }

    void draw(float elapsed, double now) {
        window_->begin_ui(elapsed);
        const glm::vec2 size{window_->width(), window_->height()};
        if (replay_) {
            replay_->advance(elapsed);
            replay_->draw(*window_, renderer_, pace_.detail(),
                          SDL_GetKeyboardState(nullptr)[SDL_SCANCODE_TAB] != 0);
            window_->end_ui();
            return;
        }
        if (view_) {
            view_->draw(*window_, renderer_, pace_.detail(), settings_, elapsed, now);
            sound_.play(view_->take_noises(), view_->ear(), elapsed);
            if (controls_.take_pressed(Action::menu)) is_menu_open_ = true;
            if (!view_->failure().empty()) {
                menu_.tell(view_->failure());
                leave_battle();
            }
        } else {
            backdrop_->advance(elapsed);
            renderer_.draw(backdrop_->paint(pace_.detail().sight), window_->width(), window_->height(),
                           pace_.detail());
        }
        if (!view_ || is_menu_open_) obey(menu_.draw(settings_, view_ != nullptr, window_->fonts(), size));
        window_->end_ui();
    }

    void obey(Wish wish) {
        if (wish == Wish::none) return;
        sound_.click();
        if (wish == Wish::quit) quits_ = true;
        if (wish == Wish::resume) is_menu_open_ = false;
        if (wish == Wish::leave) leave_battle();
        if (wish == Wish::settings_changed) {
            controls_.bind(settings_);
            sound_.set_volume(settings_.volume);
            keep_settings();
        }
        if (wish == Wish::play || wish == Wish::host || wish == Wish::join) begin(wish);
    }

    void begin(Wish wish) {
        menu_.tell({});
        keep_settings();
        auto ground = load_ground(settings_.map);
        if (!ground) return menu_.tell(ground.error().message);
        const auto match = match_of(settings_, options_);
        if (!match) return menu_.tell(match.error().message);
        LiveOptions live{
            .match = *match, .name = settings_.name, .bots = settings_.bots, .record = options_.record};
        options_.record.clear();
        live.is_open = wish == Wish::host;
        if (wish == Wish::host) live.port = settings_.port;
        if (wish == Wish::join) live.join = settings_.address;
        if (wish == Wish::join) live.bots = 0;
        std::unique_ptr<StudyDesk> study;
        if (options_.study && (wish == Wish::host || wish == Wish::join)) {
            auto desk = StudyDesk::open(*options_.study, wish == Wish::host);
            if (!desk) return menu_.tell(desk.error().message);
            study = std::move(*desk);
            live = study_match(*options_.study, live);
            live.bot_takes_over = options_.attract;  // for a rehearsal
        }
        ground_ = std::move(*ground);
        auto opened = BattleView::open(*ground_.field, *ground_.mesh, live, std::move(study));
        if (!opened) return menu_.tell(opened.error().message);
        view_ = std::move(*opened);
        renderer_.load(*ground_.map, view_->stage().heights());
        is_menu_open_ = false;
        controls_.release_all();
        constexpr double kLongAgo = -1000;
        controls_.touch(options_.attract ? kLongAgo : last_);
    }

    void leave_battle() {
        if (!view_) return;
        if (view_->has_joined()) last_report_ = view_->report();
        if (const auto left = view_->leave(); !left) menu_.tell(left.error().message);
        view_.reset();
        is_menu_open_ = false;
        menu_.open(Menu::Page::top);
        renderer_.load(*backdrop_ground_.map, backdrop_->heights());
    }

    void keep_settings() {
        settings_.width = window_->width();
        settings_.height = window_->height();
        controls_.bind(settings_);
        if (settings_ == saved_) return;
        if (const auto kept = save_settings(settings_file(), settings_); !kept)
            menu_.tell(kept.error().message);
        saved_ = settings_;
    }

    std::unique_ptr<Window> window_;
    Renderer renderer_{window_->gpu()};
    AppOptions options_;
    Settings settings_, saved_;
    Controls controls_;
    Sound sound_;
    Menu menu_;
    PaceKeeper pace_;
    Ground3d backdrop_ground_, ground_;
    std::optional<Backdrop> backdrop_;
    std::unique_ptr<BattleView> view_;
    std::unique_ptr<ReplayView> replay_;
    std::optional<MatchReport> last_report_;
    bool is_menu_open_ = false;
    bool quits_ = false;
    double last_ = clock(), started_at_ = last_;
};

}  // namespace

Result<AppOutcome> run_app(const AppOptions& options) {
    std::string complaint;
    Settings settings = load_settings(settings_file(), complaint);
    if (!options.map.empty()) settings.map = options.map;
    if (!options.mode.empty()) settings.mode = options.mode;
    if (!options.netcode.empty()) settings.netcode = options.netcode;
    if (options.bots) settings.bots = *options.bots;
    if (options.width > 0) settings.width = options.width;
    if (options.height > 0) settings.height = options.height;
    auto window = Window::open(Window::Kind::shown, settings.width, settings.height, kShadows);
    if (!window) return window.error();
    App app{std::move(*window), options, std::move(settings)};
    if (!complaint.empty()) app.complain(complaint);
    return app.run();
}

}  // namespace fray::panzer::client
