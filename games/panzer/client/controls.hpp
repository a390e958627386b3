#pragma once
// From keys, mouse and gamepad to what the player wants. Bindings come from the settings.

#include "games/panzer/client/settings.hpp"
#include "games/panzer/rules/input.hpp"

#include <array>
#include <string>

struct _SDL_GameController;
union SDL_Event;

namespace fray::panzer::client {

class Controls {
public:
    static constexpr double kIdleAfter = 20;  ///< seconds without a touch: a bot takes over
    static constexpr float kMostPitch = 0.35F;

    Controls() = default;
    ~Controls();
    Controls(const Controls&) = delete;
    Controls& operator=(const Controls&) = delete;

    void bind(const Settings& settings);
    /// `now`: seconds. `reads_game`: false while a menu or the chat takes the keys; releases still count.
    void handle(const SDL_Event& event, bool reads_game, double now);
    /// Sticks of the gamepad, and the time that has passed.
    void advance(float seconds, double now);
    /// Was pressed since the last call.
    [[nodiscard]] bool take_pressed(Action action);
    [[nodiscard]] bool is_held(Action action) const { return held_[static_cast<std::size_t>(action)]; }
    /// Lets go of everything, as when the window loses the keyboard.
    void release_all() { held_ = {}; }

    [[nodiscard]] Input input() const;
    [[nodiscard]] float yaw() const { return yaw_; }
    [[nodiscard]] float pitch() const { return pitch_; }
    void set_yaw(float yaw) { yaw_ = yaw; }
    [[nodiscard]] bool is_idle(double now) const { return now - touched_at_ > kIdleAfter; }
    void touch(double now) { touched_at_ = now; }
    /// The name of the key or button in this event; empty if it is none.
    [[nodiscard]] static std::string name_in(const SDL_Event& event);

private:
    void press(const std::string& name, bool is_down, bool reads_game);
    void open_gamepad(int index);

    std::array<std::string, kActions> bindings_{};
    std::array<bool, kActions> held_{};
    std::array<bool, kActions> pressed_{};
    float mouse_ = 1;
    float yaw_ = 0, pitch_ = 0;
    float stick_x_ = 0, stick_y_ = 0;  // left stick: right, ahead
    _SDL_GameController* gamepad_ = nullptr;
    double touched_at_ = 0;
};

}  // namespace fray::panzer::client
