#include "games/snagger/client/snag_app.hpp"

#include "games/panzer/client/look.hpp"
#include "games/panzer/client/widgets.hpp"
#include "games/panzer/client/window.hpp"
#include "games/snagger/client/snag_keys.hpp"
#include "games/snagger/client/snag_view.hpp"

#include <SDL.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace fray::snagger::client {

namespace {

namespace ui = panzer::client;

constexpr double kFrame = 1.0 / 60;
constexpr int kNoShadows = 16;  // the smallest shadow map: nothing here casts any
constexpr std::uint16_t kUsualPort = 7778;

double clock_seconds() {
    return static_cast<double>(SDL_GetPerformanceCounter()) /
           static_cast<double>(SDL_GetPerformanceFrequency());
}

/// A game, whoever plays it, with its picture.
struct Play {
    std::unique_ptr<Seats> seats;
    SnagView view;
    Switches switches;
    std::vector<SnagGame*> games;

    explicit Play(std::unique_ptr<Seats> opened, const SeatOptions& options) : seats{std::move(opened)} {
        for (std::size_t i = 0; i < seats->count(); ++i) games.push_back(&seats->game(i));
        switches.choice = options.choice;
        switches.conditions = options.conditions;
    }
    [[nodiscard]] std::uint32_t tick() const { return games.front()->screen().tick; }
    void obey_switches() {
        if (std::exchange(switches.has_new_choice, false)) games.front()->choose(switches.choice);
        if (std::exchange(switches.has_new_conditions, false)) seats->set_conditions(switches.conditions);
        // The other player may have chosen.
        if (!ImGui::IsAnyItemActive()) switches.choice = games.front()->choice();
    }
};

class App {
public:
    App(std::unique_ptr<ui::Window> window, const SnagAppOptions& options)
        : window_{std::move(window)}, options_{options} {
        if (options_.seats.port == 0) options_.seats.port = kUsualPort;
        if (options_.seats.address.empty()) options_.seats.address = "127.0.0.1:7778";
    }

    SnagOutcome run() {
        open_demo();
        if (options_.begins) begin(options_.seats.kind);
        while (!quits_) frame();
        note_outcome();
        outcome_.trouble = message_;
        return outcome_;
    }

private:
    enum class Page : std::uint8_t { top, host, join };

    void open_demo() {
        SeatOptions seats;
        auto opened = Seats::open(seats);
        if (opened) demo_ = std::make_unique<Play>(std::move(*opened), seats);
    }

    void begin(SeatKind kind) {
        message_.clear();
        options_.seats.kind = kind;
        auto opened = Seats::open(options_.seats);
        if (!opened) {
            message_ = opened.error().message;
            return;
        }
        demo_.reset();
        play_ = std::make_unique<Play>(std::move(*opened), options_.seats);
        keys_.release_all();
        is_menu_open_ = false;
        note_outcome();
    }

    void leave() {
        note_outcome();
        play_.reset();
        is_menu_open_ = false;
        page_ = Page::top;
        open_demo();
    }

    void note_outcome() {
        if (!play_) return;
        const snagger::Game& screen = play_->games.front()->screen();
        const SnagGame& game = *play_->games.front();
        outcome_ = {.played = game.has_partner() || game.is_abandoned(),
                    .caught = screen.score,
                    .seconds = static_cast<double>(screen.tick) / kTicksPerSecond,
                    .trouble = {}};
    }

    void frame() {
        const double now = clock_seconds();
        const auto elapsed = static_cast<float>(std::min(now - last_, 0.25));
        last_ = now;
        if (options_.quits_after > 0 && now - started_at_ > options_.quits_after) quits_ = true;
        take_events();
        pump();
        if (window_->is_minimised()) {
            SDL_Delay(4);  // the game goes on
            return;
        }
        draw(elapsed);
        window_->swap();
        const double rest = kFrame - (clock_seconds() - now);
        if (rest > 0.001) SDL_Delay(static_cast<Uint32>(rest * 1000));
    }

    void take_events() {
        SDL_Event event;
        while (SDL_PollEvent(&event) != 0) {
            window_->handle(event);
            if (event.type == SDL_QUIT) quits_ = true;
            if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_LOST)
                keys_.release_all();
            if (play_ && !is_menu_open_) keys_.handle(event);
            if (event.type == SDL_KEYDOWN && event.key.repeat == 0) take_key(event.key.keysym.sym);
        }
    }

    void take_key(SDL_Keycode key) {
        const bool is_enter = key == SDLK_RETURN || key == SDLK_KP_ENTER;
        if (is_enter && !play_ && page_ == Page::top) begin(SeatKind::keyboard);
        if (key != SDLK_ESCAPE) return;
        if (play_) is_menu_open_ = !is_menu_open_;
        page_ = Page::top;
    }

    void pump() {
        Play* shown = play_ ? play_.get() : demo_.get();
        if (shown == nullptr) return;
        const std::uint32_t before = shown->tick();
        if (play_) press();
        shown->seats->pump();
        shown->view.see(shown->games);
        if (shown->tick() != before) keys_.used();
        if (!play_ || play_->seats->failure().empty()) return;
        message_ = play_->seats->failure();
        leave();
    }

    void press() {
        const bool is_alone = play_->games.size() == 1;
        for (const SnagGame* game : play_->games) {
            const std::size_t ship = game->ship();
            const bool is_touched =
                is_alone ? keys_.is_touched(0) || keys_.is_touched(1) : keys_.is_touched(ship);
            play_->seats->press(ship, is_alone ? keys_.of_both() : keys_.of_place(ship),
                                options_.pilots && !is_touched);
        }
    }

    void draw(float elapsed) {
        // Arrows and the space bar steer ships, not the panel.
        ImGuiIO& io = ImGui::GetIO();
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
        if (!play_ || is_menu_open_) io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        window_->begin_ui(elapsed);
        const ImVec2 size{static_cast<float>(window_->width()), static_cast<float>(window_->height())};
        Play* shown = play_ ? play_.get() : demo_.get();
        if (shown != nullptr && play_) {
            shown->view.draw(shown->games, shown->switches, window_->fonts(), size);
            shown->obey_switches();
        } else if (shown != nullptr) {
            shown->view.draw_behind(*shown->games.front(), window_->fonts(), size);
        }
        if (!play_ || is_menu_open_) draw_menu(window_->fonts(), size);
        window_->end_ui();
    }

    void draw_menu(const ui::Fonts& fonts, ImVec2 size) {
        const float u = fonts.unit;
        const ui::Painter p{ImGui::GetBackgroundDrawList(), fonts, size};
        p.list->AddRectFilled({0, 0}, {u * 25, size.y}, ui::ink(look::kSpace, 0.86F));
        p.list->AddLine({u * 25, 0}, {u * 25, size.y}, ui::ink(look::kFrame), 2);
        p.text(fonts.title, u * 4.2F, {u * 2.6F, u * 3.2F}, ui::look::kText, "SNAGGER");
        p.list->AddRectFilled({u * 2.8F, u * 8.0F}, {u * 9, u * 8.3F}, ui::ink(look::kNet));
        p.text(fonts.words, u * 0.95F, {u * 2.8F, u * 8.8F}, 0xC9C5BC,
               "Two ships, one net. Catch them together.");
        ImGui::SetNextWindowPos({u * 2.6F, u * 11}, 0);
        ImGui::SetNextWindowSize({u * 21, size.y - u * 12}, 0);
        ImGui::Begin("##menu", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground);
        ImGui::PushItemWidth(u * 12.5F);
        draw_page(fonts);
        ImGui::PopItemWidth();
        if (!message_.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, ui::ink(ui::look::kAccent));
            ImGui::TextWrapped("%s", message_.c_str());
            ImGui::PopStyleColor();
        }
        ImGui::End();
    }

    void draw_page(const ui::Fonts& fonts) {
        if (page_ == Page::host) return draw_host(fonts);
        if (page_ == Page::join) return draw_join(fonts);
        if (play_) {
            if (ui::button(fonts, "Back to the game", true)) is_menu_open_ = false;
            if (ui::button(fonts, "Leave the game")) leave();
        } else {
            if (ui::button(fonts, "Two at this keyboard      Enter", true)) begin(SeatKind::keyboard);
            if (ui::button(fonts, "Host a game")) page_ = Page::host;
            if (ui::button(fonts, "Join by address")) page_ = Page::join;
        }
        if (ui::button(fonts, "Quit")) quits_ = true;
    }

    void draw_host(const ui::Fonts& fonts) {
        int port = options_.seats.port;
        if (ImGui::InputInt("Port", &port, 0))
            options_.seats.port = static_cast<std::uint16_t>(std::clamp(port, 1, 65535));
        ImGui::TextDisabled("The other player joins at this machine, port %d.", port);
        if (ui::button(fonts, "Host", true)) begin(SeatKind::host);
        if (ui::button(fonts, "Back")) page_ = Page::top;
    }

    void draw_join(const ui::Fonts& fonts) {
        ui::edit("Address", options_.seats.address, 60);
        if (ui::button(fonts, "Join", true)) begin(SeatKind::join);
        if (ui::button(fonts, "Back")) page_ = Page::top;
    }

    std::unique_ptr<ui::Window> window_;
    SnagAppOptions options_;
    SnagKeys keys_;
    std::unique_ptr<Play> demo_, play_;
    SnagOutcome outcome_;
    Page page_ = Page::top;
    std::string message_;
    bool is_menu_open_ = false;
    bool quits_ = false;
    double last_ = clock_seconds(), started_at_ = last_;
};

}  // namespace

Result<SnagOutcome> run_snag(const SnagAppOptions& options) {
    auto window =
        ui::Window::open(ui::Window::Kind::shown, options.width, options.height, kNoShadows, "Snagger");
    if (!window) return window.error();
    return App{std::move(*window), options}.run();
}

}  // namespace fray::snagger::client
