#pragma once
// Counts deaths that a player's screen takes back: shown, and then the tank is shown alive in the same life
// or an earlier one. It sees only what the screen shows, like JumpMeter.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fray::panzer {

class ShownDeaths {
public:
    /// What the screen shows of a tank, once per frame. life: counts its returns to the battle.
    void show(std::size_t number, bool is_alive, std::uint32_t life) {
        if (number >= tanks_.size()) tanks_.resize(number + 1);
        Shown& shown = tanks_[number];
        if (!is_alive && shown.is_alive) {
            ++shown_;
            shown.died_in = life;
        }
        if (is_alive && shown.died_in && life <= *shown.died_in) {
            ++reversed_;
            shown.died_in.reset();
        }
        shown.is_alive = is_alive;
    }
    [[nodiscard]] std::uint64_t shown() const { return shown_; }
    [[nodiscard]] std::uint64_t reversed() const { return reversed_; }

private:
    struct Shown {
        bool is_alive = false;
        std::optional<std::uint32_t> died_in;  // the life in which it was last shown destroyed
    };
    std::vector<Shown> tanks_;
    std::uint64_t shown_ = 0;
    std::uint64_t reversed_ = 0;
};

}  // namespace fray::panzer
