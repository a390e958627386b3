#pragma once
// Buttons and fields of the menus, in the look of the game.

#include "games/panzer/client/hud.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace fray::panzer::client {

inline constexpr float kButtonWide = 19;  ///< units

/// `is_main`: what most players want here.
[[nodiscard]] bool button(const Fonts& fonts, const char* text, bool is_main = false);
/// A line of text; true if it changed. `most`: bytes.
bool edit(const char* label, std::string& text, std::size_t most);

/// One of several values, with what the menu calls it.
struct Option {
    const char* value;
    const char* title;
};
void choose(const char* label, std::span<const Option> options, std::string& value);

}  // namespace fray::panzer::client
