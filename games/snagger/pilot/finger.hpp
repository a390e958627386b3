#pragma once
// A finger of a person: it presses a key some time after the eye saw a reason to, holds it as long as was
// planned then, and is busy with that until it lets go.

#include <fray/random.hpp>

#include "games/snagger/rules/screen.hpp"

#include <cstdint>

namespace fray::snagger {

class Finger {
public:
    [[nodiscard]] bool is_free(std::uint32_t tick) const { return tick >= up_; }
    [[nodiscard]] bool is_down(std::uint32_t tick) const { return tick >= down_ && tick < up_; }

    /// Seen now, pressed after the reaction time, held for about so many seconds.
    void press(std::uint32_t tick, double seconds, RandomStream& random);
    /// Seen now that nothing is to be done: looks again soon.
    void rest(std::uint32_t tick, RandomStream& random);

private:
    std::uint32_t down_ = 0;
    std::uint32_t up_ = 0;
};

}  // namespace fray::snagger
