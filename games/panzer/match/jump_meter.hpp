#pragma once
// Counts visible jumps: a tank that is somewhere else in the next frame, farther than its speed takes it, by
// more than a tenth of its diameter. It sees only what the screen shows, so all engines are measured alike.

#include "games/panzer/rules/tank.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fray::panzer {

class JumpMeter {
public:
    static constexpr float kNoticed = 2 * kTankRadius / 10;  ///< metres beyond its motion

    /// What the screen shows of a tank, once per frame; `seconds` since the last frame. True if it jumped.
    /// A tank that enters or disappears does not.
    bool show(std::size_t number, const Tank& tank, float seconds) {
        if (number >= shown_.size()) shown_.resize(number + 1);
        Shown& shown = shown_[number];
        const float speed = std::max(std::abs(tank.speed), std::abs(shown.speed));
        const float most = speed * seconds + kNoticed;
        const bool is_alive = tank.alive();
        const bool jumps =
            shown.is_alive && is_alive && square_length(tank.position - shown.position) > most * most;
        shown = {is_alive, tank.position, tank.speed};
        jumps_ += jumps ? 1U : 0U;
        return jumps;
    }
    [[nodiscard]] std::uint64_t jumps() const { return jumps_; }

private:
    struct Shown {
        bool is_alive = false;
        Vec2 position{};
        float speed = 0;
    };
    std::vector<Shown> shown_;
    std::uint64_t jumps_ = 0;
};

}  // namespace fray::panzer
