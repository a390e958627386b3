#pragma once
// One finger of a simulated person: it presses a key some time after the observation that caused it, holds it
// for the planned time, and does nothing else until then.

#include <fray/random.hpp>

#include "games/snagger/rules/screen.hpp"

#include <cstdint>

namespace fray::snagger {

class Finger {
public:
    [[nodiscard]] bool is_free(std::uint32_t tick) const { return tick >= up_; }
    [[nodiscard]] bool is_down(std::uint32_t tick) const { return tick >= down_ && tick < up_; }

    /// Observed now: pressed after the reaction time and held for about `seconds`.
    void press(std::uint32_t tick, double seconds, RandomStream& random);
    /// Nothing to do now: observes again soon.
    void rest(std::uint32_t tick, RandomStream& random);

private:
    std::uint32_t down_ = 0;
    std::uint32_t up_ = 0;
};

}  // namespace fray::snagger
