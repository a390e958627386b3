#pragma once
// A game of Snagger as the window shows it: a screen per player of this program, the score, what can be
// changed, and the five metrics.

#include <fray/udp_driver.hpp>

#include "games/panzer/client/hud.hpp"
#include "games/snagger/client/screen_art.hpp"
#include "games/snagger/match/snag_game.hpp"

#include <array>
#include <span>

namespace fray::snagger::client {

/// What the panel shows and changes.
struct Switches {
    Choice choice{};
    UdpConditions conditions{};
    bool has_new_choice = false;      ///< set by the panel, in the frame of the change
    bool has_new_conditions = false;  ///< likewise
};

class SnagView {
public:
    /// What the games show now.
    void see(std::span<SnagGame* const> games);
    /// Into the frame of ImGui that has begun.
    void draw(std::span<SnagGame* const> games, Switches& switches, const panzer::client::Fonts& fonts,
              const ImVec2& size);
    /// One screen as large as the window, for the menu.
    void draw_behind(const SnagGame& game, const panzer::client::Fonts& fonts, const ImVec2& size) const;

private:
    std::array<ScreenArt, kShips> arts_;
};

/// Where the screens of so many players are in a window of this size. `unit`: of its fonts.
[[nodiscard]] std::array<Area, kShips> screens_of(std::size_t players, float unit, const ImVec2& size);

/// The dark ground behind everything.
void paint_ground(const panzer::client::Painter& p);

}  // namespace fray::snagger::client
