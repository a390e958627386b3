#include "games/panzer/bots/memory.hpp"

#include <algorithm>

namespace fray::panzer {

const KnownTank::Look& KnownTank::look_before(std::uint32_t now, std::uint32_t age) const {
    const std::size_t held = std::min(count, kMostLooks);
    for (std::size_t i = 1; i < held; ++i) {
        const Look& look = looks[(count - i) % kMostLooks];
        if (now - look.step >= age) return look;
    }
    return looks[(count - held) % kMostLooks];
}

Vec2 KnownTank::believed(std::uint32_t now, std::uint32_t reaction, float lead, float ahead) const {
    const Look& look = look_before(now, reaction);
    const float age = static_cast<float>(now - look.step) * kStep;
    return look.position + look.velocity * ((age + ahead) * lead);
}

const KnownTank* Memory::find(std::uint16_t number) const {
    for (const KnownTank& known : known_) {
        if (known.number == number && number != kNone) return &known;
    }
    return nullptr;
}

/// The entry of this tank, or a free one, or that of the tank seen longest ago.
KnownTank& Memory::slot_for(const SeenTank& seen, std::uint32_t now) {
    KnownTank* oldest = &known_[0];
    for (KnownTank& known : known_) {
        if (known.number == seen.number) return known;
        if (oldest->number != kNone && (known.number == kNone || known.last < oldest->last)) oldest = &known;
    }
    *oldest = KnownTank{.number = seen.number, .since = now};
    return *oldest;
}

void Memory::look(const View& view) {
    now_ = view.step;
    for (KnownTank& known : known_) {
        if (known.number != kNone && now_ - known.last > kForgetSteps) known = {};
    }
    for (const SeenDoor& door : view.doors) doors_[door.number].opened = door.is_open ? kDoorSteps : 0;
    const std::size_t most = std::min(view.tanks.size(), kMostKnownTanks);
    for (std::size_t i = 0; i < most; ++i) {
        const SeenTank& seen = view.tanks[i];
        KnownTank& known = slot_for(seen, now_);
        // A tank that was out of sight must be noticed anew.
        if (known.count != 0 && now_ - known.last > 2 * kLookSteps) {
            known.since = now_;
            known.count = 0;
        }
        known.last = now_;
        known.is_friend = seen.is_friend;
        known.looks[known.count % kMostLooks] = {now_, seen.position, seen.velocity};
        ++known.count;
    }
}

}  // namespace fray::panzer
