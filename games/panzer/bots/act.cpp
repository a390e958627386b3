#include "games/panzer/bots/act.hpp"

#include <algorithm>

namespace fray::panzer {

void Act::ask(Weapon weapon, std::uint16_t times, std::uint16_t patience) {
    Asked& asked = of(weapon);
    if (asked.times == 0) asked.waited = 0;
    asked.times =
        static_cast<std::uint16_t>(std::min<std::uint32_t>(0xFFFF, std::uint32_t{asked.times} + times));
    asked.patience = patience;
}

void Act::cancel(Weapon weapon) { of(weapon) = {}; }

bool Act::fire(Asked& asked, std::uint16_t wait, bool is_aimed) {
    if (asked.times == 0) return false;
    if (asked.waited != kNoDeadline) ++asked.waited;
    const bool is_due = asked.patience != kNoDeadline && asked.waited > asked.patience;
    // The rules count the wait down before they fire: 1 is loaded in the coming step.
    if (wait > 1 || (!is_aimed && !is_due)) return false;
    --asked.times;
    asked.waited = 0;
    return true;
}

Triggers Act::step(const Tank& self, float error, float tolerance) {
    if (!self.alive()) return {};
    const bool is_aimed = error <= tolerance;
    return {fire(of(Weapon::gun), self.gun_wait, is_aimed),
            fire(of(Weapon::shell), self.shell_wait, is_aimed)};
}

}  // namespace fray::panzer
