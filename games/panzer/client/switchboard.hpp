#pragma once
// What can be changed of the netcode while a battle goes on. Every change is announced to all players, so
// that an experiment is fair.

#include "games/panzer/client/hud.hpp"
#include "games/panzer/client/live_battle.hpp"

#include <string>

namespace fray::panzer::client {

inline constexpr float kSwitchesWide = 24;  ///< units

class Switchboard {
public:
    explicit Switchboard(const MatchOptions& match);
    /// Draws the switches, and tells the battle what the player has changed.
    void draw(LiveBattle& battle, const Fonts& fonts, const glm::vec2& size);

private:
    void draw_algorithm(LiveBattle& battle);
    void draw_upload(LiveBattle& battle);
    void draw_line(LiveBattle& battle);

    bool has_focus_;  // the match has focus sets that can be switched
    int algorithm_ = 0;
    int upload_kbps_;
    bool uses_focus_ = true;
    UdpConditions line_{};
};

/// "adds 50 ms of delay, 10 ms of jitter and 2 % loss to its line".
[[nodiscard]] std::string describe(const UdpConditions& line);

}  // namespace fray::panzer::client
