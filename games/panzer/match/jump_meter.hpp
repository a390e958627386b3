#pragma once
// Counts visible jumps: a tank that is somewhere else in the next frame, farther than it can have driven, by
// more than a quarter of its diameter. It sees only what the screen shows, so all engines are measured alike.

#include "games/panzer/rules/tank.hpp"

#include <cstdint>
#include <vector>

namespace fray::panzer {

class JumpMeter {
public:
    static constexpr float kNoticed = 2 * kTankRadius / 4;  ///< metres beyond its motion

    /// What the screen shows of a tank, once per frame; `seconds` since the last frame. True if it jumped.
    /// A tank that enters or disappears does not.
    bool show(std::size_t tank, bool is_alive, const Vec2& position, float seconds) {
        if (tank >= shown_.size()) shown_.resize(tank + 1);
        Shown& shown = shown_[tank];
        constexpr float kFastest =
            kTopSpeed * (1 + kEngineStep * static_cast<float>(kMostLevel)) + kPushSpeed;
        const float most = kFastest * seconds + kNoticed;
        const bool jumps =
            shown.is_alive && is_alive && square_length(position - shown.position) > most * most;
        shown = {is_alive, position};
        jumps_ += jumps ? 1U : 0U;
        return jumps;
    }
    [[nodiscard]] std::uint64_t jumps() const { return jumps_; }

private:
    struct Shown {
        bool is_alive = false;
        Vec2 position{};
    };
    std::vector<Shown> shown_;
    std::uint64_t jumps_ = 0;
};

}  // namespace fray::panzer
