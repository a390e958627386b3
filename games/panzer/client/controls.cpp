#include "games/panzer/client/controls.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fray::panzer::client {

namespace {

constexpr float kPerPixel = 0.0028F;  // radians
constexpr float kDeadZone = 0.18F;

float stick(SDL_GameController* pad, SDL_GameControllerAxis axis) {
    const float value = static_cast<float>(SDL_GameControllerGetAxis(pad, axis)) / 32767.0F;
    return std::abs(value) < kDeadZone ? 0 : value;
}

std::int8_t notch(float share) {
    return static_cast<std::int8_t>(std::lround(std::clamp(share, -1.0F, 1.0F) * kFull));
}

}  // namespace

Controls::~Controls() {
    if (gamepad_ != nullptr) SDL_GameControllerClose(gamepad_);
}

void Controls::bind(const Settings& settings) {
    bindings_ = settings.bindings;
    mouse_ = settings.mouse;
}

std::string Controls::name_in(const SDL_Event& event) {
    if (event.type == SDL_KEYDOWN || event.type == SDL_KEYUP)
        return SDL_GetScancodeName(event.key.keysym.scancode);
    if (event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_MOUSEBUTTONUP)
        return "Mouse " + std::to_string(event.button.button);
    return {};
}

void Controls::press(const std::string& name, bool is_down, bool reads_game) {
    for (std::size_t i = 0; i < kActions; ++i) {
        if (bindings_[i] != name) continue;
        if (is_down && !held_[i] && reads_game) pressed_[i] = true;
        held_[i] = is_down && reads_game;
    }
}

void Controls::open_gamepad(int index) {
    if (gamepad_ == nullptr && SDL_IsGameController(index) == SDL_TRUE)
        gamepad_ = SDL_GameControllerOpen(index);
}

void Controls::handle(const SDL_Event& event, bool reads_game, double now) {
    switch (event.type) {
        case SDL_KEYDOWN:
        case SDL_MOUSEBUTTONDOWN:
            touched_at_ = now;
            if (event.type == SDL_KEYDOWN && event.key.repeat != 0) break;
            press(name_in(event), true, reads_game);
            break;
        case SDL_KEYUP:
        case SDL_MOUSEBUTTONUP:
            press(name_in(event), false, reads_game);
            break;
        case SDL_MOUSEMOTION:
            if (!reads_game) break;
            yaw_ -= static_cast<float>(event.motion.xrel) * kPerPixel * mouse_;
            pitch_ = std::clamp(pitch_ - static_cast<float>(event.motion.yrel) * kPerPixel * mouse_ * 0.5F,
                                -kMostPitch, kMostPitch);
            break;
        case SDL_CONTROLLERDEVICEADDED:
            open_gamepad(event.cdevice.which);
            break;
        case SDL_CONTROLLERDEVICEREMOVED:
            if (gamepad_ != nullptr) SDL_GameControllerClose(gamepad_);
            gamepad_ = nullptr;
            break;
        case SDL_CONTROLLERBUTTONDOWN:
            touched_at_ = now;
            if (event.cbutton.button == SDL_CONTROLLER_BUTTON_START)
                pressed_[static_cast<std::size_t>(Action::menu)] = true;
            break;
        default:
            break;
    }
}

void Controls::advance(float seconds, double now) {
    stick_x_ = stick_y_ = 0;
    if (gamepad_ == nullptr) return;
    stick_x_ = stick(gamepad_, SDL_CONTROLLER_AXIS_LEFTX);
    stick_y_ = -stick(gamepad_, SDL_CONTROLLER_AXIS_LEFTY);
    yaw_ -= stick(gamepad_, SDL_CONTROLLER_AXIS_RIGHTX) * 2.8F * seconds;
    pitch_ = std::clamp(pitch_ - stick(gamepad_, SDL_CONTROLLER_AXIS_RIGHTY) * 1.2F * seconds, -kMostPitch,
                        kMostPitch);
    if (stick_x_ != 0 || stick_y_ != 0) touched_at_ = now;
}

bool Controls::take_pressed(Action action) {
    return std::exchange(pressed_[static_cast<std::size_t>(action)], false);
}

Input Controls::input() const {
    const auto way = [&](Action plus, Action minus) {
        return (is_held(plus) ? 1.0F : 0.0F) - (is_held(minus) ? 1.0F : 0.0F);
    };
    const auto trigger = [&](SDL_GameControllerAxis axis) {
        constexpr int kPulled = 8000;
        return gamepad_ != nullptr && SDL_GameControllerGetAxis(gamepad_, axis) > kPulled;
    };
    constexpr float kRound = 6.2831853F;
    const float turns = yaw_ / kRound - std::floor(yaw_ / kRound);
    Input input;
    input.throttle = notch(way(Action::ahead, Action::back) + stick_y_);
    input.steer = notch(way(Action::left, Action::right) - stick_x_);
    input.aim = sent_aim(static_cast<Angle>(static_cast<std::uint32_t>(turns * 65536.0F) & 0xFFFFU));
    input.gun = is_held(Action::gun) || trigger(SDL_CONTROLLER_AXIS_TRIGGERRIGHT);
    input.shell = is_held(Action::shell) || trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT);
    return input;
}

}  // namespace fray::panzer::client
