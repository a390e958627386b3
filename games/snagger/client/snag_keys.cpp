#include "games/snagger/client/snag_keys.hpp"

#include <SDL.h>

#include <optional>

namespace fray::snagger::client {

namespace {

struct Meaning {
    std::size_t place;
    bool Input::*key;
};

std::optional<Meaning> meaning_of(SDL_Scancode code) {
    switch (code) {
        case SDL_SCANCODE_W:
            return Meaning{0, &Input::thrust};
        case SDL_SCANCODE_A:
            return Meaning{0, &Input::left};
        case SDL_SCANCODE_D:
            return Meaning{0, &Input::right};
        case SDL_SCANCODE_SPACE:
            return Meaning{0, &Input::snag};
        case SDL_SCANCODE_UP:
            return Meaning{1, &Input::thrust};
        case SDL_SCANCODE_LEFT:
            return Meaning{1, &Input::left};
        case SDL_SCANCODE_RIGHT:
            return Meaning{1, &Input::right};
        case SDL_SCANCODE_RCTRL:
        case SDL_SCANCODE_KP_0:
            return Meaning{1, &Input::snag};
        default:
            return std::nullopt;
    }
}

Input either(const Input& a, const Input& b) {
    return {.thrust = a.thrust || b.thrust,
            .left = a.left || b.left,
            .right = a.right || b.right,
            .snag = a.snag || b.snag};
}

}  // namespace

void SnagKeys::handle(const SDL_Event& event) {
    if (event.type != SDL_KEYDOWN && event.type != SDL_KEYUP) return;
    const auto meaning = meaning_of(event.key.keysym.scancode);
    if (!meaning || event.key.repeat != 0) return;
    const bool is_down = event.type == SDL_KEYDOWN;
    held_[meaning->place].*(meaning->key) = is_down;
    if (!is_down) return;
    tapped_[meaning->place].*(meaning->key) = true;
    touched_[meaning->place] = true;
}

Input SnagKeys::of_place(std::size_t place) const { return either(held_[place], tapped_[place]); }
Input SnagKeys::of_both() const { return either(of_place(0), of_place(1)); }

void SnagKeys::release_all() {
    held_ = tapped_ = {};
    touched_ = {};
}

}  // namespace fray::snagger::client
