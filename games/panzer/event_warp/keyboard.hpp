#pragma once
// The hands of a player at a keyboard. Bots ask for any throttle and steering and drive straight from corner
// to corner; a person has keys, which are down or up, taps what lies between, and corrects or weaves all the
// time.

#include <fray/random.hpp>

#include "games/panzer/rules/input.hpp"

#include <cstdint>

namespace fray::panzer {

/// The quickest taps: so long down, so long up; also the length of a tap to the side.
inline constexpr std::int32_t kTapSteps = 6;
/// Mean time between two taps to the side of a tank that drives straight. Chosen so that a moving tank sends
/// 5 to 6 messages per second (lab column messages_per_s_moving).
inline constexpr double kWeaveSteps = 50;

class Keyboard {
public:
    explicit Keyboard(Seed seed) : random_{seed, "keyboard"} {}

    /// `wanted` with throttle and steering of keys.
    [[nodiscard]] Input press(const Input& wanted) {
        Input input = wanted;
        input.throttle = throttle_.press(wanted.throttle);
        input.steer = steer_.press(wanted.steer);
        if (input.throttle != 0 && input.steer == 0) input.steer = weave();
        return input;
    }
    void release() { throttle_ = steer_ = {}; }

private:
    struct Key {
        std::int8_t held = 0;
        std::int32_t owed = 0;  // what was wanted and not given

        std::int8_t press(std::int8_t wanted) {
            const bool is_partial = wanted != 0 && wanted != kFull && wanted != -kFull;
            if (!is_partial || held * wanted < 0) {
                owed = 0;
                return held = is_partial ? std::int8_t{0} : wanted;
            }
            constexpr std::int32_t kMost = kFull * kTapSteps / 4;
            owed += wanted - held;
            if (owed > kMost) held = wanted > 0 ? kFull : std::int8_t{0};
            if (owed < -kMost) held = wanted > 0 ? std::int8_t{0} : std::int8_t{-kFull};
            return held;
        }
    };
    [[nodiscard]] std::int8_t weave() {
        if (tap_ == 0) {
            if (!random_.chance(1 / kWeaveSteps)) return 0;
            tap_ = kTapSteps;
            side_ = random_.chance(0.5) ? kFull : std::int8_t{-kFull};
        }
        --tap_;
        return side_;
    }

    RandomStream random_;
    Key throttle_;
    Key steer_;
    std::int32_t tap_ = 0;  // steps left
    std::int8_t side_ = 0;
};

}  // namespace fray::panzer
