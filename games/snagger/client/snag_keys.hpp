#pragma once
// The keys of two players at one keyboard, or of one player who has it alone.

#include "games/snagger/rules/input.hpp"

#include <array>

union SDL_Event;

namespace fray::snagger::client {

class SnagKeys {
public:
    void handle(const SDL_Event& event);
    /// Of this ship; alone: the keys of both places steer it. A key that was tapped counts until the next
    /// used().
    [[nodiscard]] Input of_place(std::size_t place) const;
    [[nodiscard]] Input of_both() const;
    /// A key of this place was touched since the last release_all().
    [[nodiscard]] bool is_touched(std::size_t place) const { return touched_[place]; }
    /// A tick of the game has read the keys.
    void used() { tapped_ = {}; }
    void release_all();

private:
    std::array<Input, kShips> held_{}, tapped_{};
    std::array<bool, kShips> touched_{};
};

}  // namespace fray::snagger::client
