#pragma once
// Whether a shell can hurt a tank, as the shooter's screen shows it.

#include "games/panzer/match/messages.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>

namespace fray::panzer {

/// The tank drives on while the shell flies, and the screen errs: whoever may be near the shell's way is
/// told.
[[nodiscard]] inline bool may_reach(const Launch& launch, const Vec2& shown) {
    constexpr float kRange = kShellSpeed * kShellLife * kStep;
    constexpr float kDrive = kTopSpeed * (1 + kEngineStep * kMostLevel);
    constexpr float kScreenError = 15;  // metres: a guided replica, 95 %
    const Vec2 unit = direction(launch.aim);
    const Vec2 to = shown - launch.from;
    const float ahead = std::clamp(dot(to, unit), 0.0F, kRange);
    const Vec2 aside = to - unit * ahead;
    const float reach = kBlastRadius + kTankRadius + kScreenError + kDrive * ahead / kShellSpeed;
    return square_length(aside) <= reach * reach;
}

}  // namespace fray::panzer
