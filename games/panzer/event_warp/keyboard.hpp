#pragma once
// The hands of a player at a keyboard: a key is pressed or not, and no key changes more often than a finger
// can. Bots ask for any throttle and steering; this makes keys of it.

#include "games/panzer/rules/input.hpp"
#include "games/panzer/rules/tank.hpp"

#include <cmath>
#include <cstdint>

namespace fray::panzer {

/// A key is held, or left alone, for at least this long.
inline constexpr std::uint16_t kLeastHold = steps(0.1F);

class Keyboard {
public:
    /// `wanted` with throttle and steering of keys; self: its tank after the last step.
    [[nodiscard]] Input press(const Input& wanted, const Tank& self) {
        throttle_.press(throttle_key(wanted.throttle, self));
        steer_.press(steer_key(wanted.steer));
        Input input = wanted;
        input.throttle = throttle_.held;
        input.steer = steer_.held;
        return input;
    }
    void release() { throttle_ = steer_ = {}; }

private:
    struct Key {
        std::int8_t held = 0;
        std::uint16_t since = kLeastHold;  // steps

        void press(std::int8_t wanted) {
            if (since < kLeastHold) ++since;
            if (wanted == held || since < kLeastHold) return;
            held = wanted;
            since = 0;
        }
    };
    /// Accelerates below the wanted speed, and lets go well above it.
    [[nodiscard]] std::int8_t throttle_key(std::int8_t wanted, const Tank& self) const {
        if (wanted <= 0) return static_cast<std::int8_t>(wanted < 0 ? -kFull : 0);
        const float speed = top_speed(self) * static_cast<float>(wanted) / kFull;
        if (self.speed < speed) return kFull;
        return self.speed > speed + kTooFast ? std::int8_t{0} : throttle_.held;
    }
    [[nodiscard]] std::int8_t steer_key(std::int8_t wanted) const {
        constexpr std::int8_t kPress = 3;
        constexpr std::int8_t kRelease = 1;
        if (wanted >= kPress) return kFull;
        if (wanted <= -kPress) return -kFull;
        const bool is_against = wanted * steer_.held < 0;
        return std::abs(wanted) <= kRelease || is_against ? std::int8_t{0} : steer_.held;
    }

    static constexpr float kTooFast = 2;  // metres per second
    Key throttle_;
    Key steer_;
};

}  // namespace fray::panzer
