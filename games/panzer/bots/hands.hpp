#pragma once
// The hands of a player at a keyboard and a mouse: keys are either pressed or not, and neither they nor the
// aim change more often than a person's do. What is replicated is what the hands do, so a bot with hands
// sends as much as a person would.

#include "games/panzer/rules/input.hpp"

#include <cstdint>
#include <cstdlib>

namespace fray::panzer {

class Hands {
public:
    /// About six changes per second at most; the trigger is quicker.
    static constexpr std::uint32_t kHold = steps(0.17F);
    static constexpr Angle kNoticed = degrees(1.5F);  ///< smaller corrections of the aim are not made

    /// The keys that are held after the player wished for these in this step.
    Input move(std::uint32_t step, const Input& wish) {
        const Input keys{key(wish.throttle), key(wish.steer), sent_aim(wish.aim), wish.gun, wish.shell};
        const bool pulls = keys.gun != held_.gun || keys.shell != held_.shell;
        const bool drives = keys.throttle != held_.throttle || keys.steer != held_.steer;
        const bool aims = std::abs(int{turn_between(held_.aim, keys.aim)}) > int{kNoticed};
        if (!pulls && (step < free_at_ || !(drives || aims))) return held_;
        held_ = keys;
        free_at_ = step + kHold;
        return held_;
    }
    [[nodiscard]] const Input& held() const { return held_; }

private:
    static constexpr std::int8_t key(std::int8_t wish) {
        constexpr std::int8_t kLeast = kFull / 3;
        return wish > kLeast ? kFull : wish < -kLeast ? static_cast<std::int8_t>(-kFull) : std::int8_t{0};
    }

    Input held_{};
    std::uint32_t free_at_ = 0;
};

}  // namespace fray::panzer
