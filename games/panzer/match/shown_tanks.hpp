#pragma once
// What a player on Time Warp sees. When a rollback has moved a tank, its picture is not moved at once: it
// drives on, and glides to where the tank is; if that is far away, it jumps. Deaths are shown when they are
// final, so they are never taken back, and so are entries of others: a rollback may change their place.

#include "games/panzer/match/jump_meter.hpp"
#include "games/panzer/warp/battle_wire.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace fray::panzer {

class ShownTanks {
public:
    static constexpr float kGlide = 0.12F;     ///< of the distance that is left, per frame
    static constexpr float kMostGlide = 0.2F;  ///< metres per frame: a tank's own speed
    static constexpr float kFar = 10;          ///< metres; the picture jumps

    using Recorded = PartWarp<WarpBattle>::Recorded;

    explicit ShownTanks(bool glides = true) : glides_{glides} {}

    /// One frame: the battle as it is simulated, and outcomes that are not final. Changes the battle to what
    /// is shown. The own tank enters at once.
    void frame(Battle& battle, std::span<const Recorded> provisional, PartNumber own) {
        tanks_.resize(battle.tanks.size());
        for (Shown& shown : tanks_) shown.dies = shown.enters = false;
        for (const Recorded& recorded : provisional) {
            const Happening& happening = recorded.outcome.happening;
            if (happening.kind == Happening::Kind::death) tanks_[happening.other].dies = true;
            if (happening.kind == Happening::Kind::spawn && happening.tank != own)
                tanks_[happening.tank].enters = true;
        }
        for (std::size_t i = 0; i < tanks_.size(); ++i) show(tanks_[i], battle.tanks[i]);
    }
    /// Metres between picture and simulation.
    [[nodiscard]] float error(std::size_t tank) const { return length(tanks_[tank].off); }

private:
    struct Shown {
        Tank tank{};
        Vec2 off{};  // from the simulation
        bool dies = false;
        bool enters = false;
    };

    void show(Shown& shown, Tank& tank) const {
        if (!tank.alive() && shown.dies && shown.tank.alive()) {
            shown.tank.speed = 0;
            tank = shown.tank;  // as it was
            return;
        }
        if (tank.alive() && !shown.tank.alive() && shown.enters) {
            tank.armour = 0;  // not there yet
        } else if (glides_ && tank.alive() && shown.tank.alive()) {
            const Vec2 way = direction(tank.hull) * (tank.speed * kStep);
            shown.off = shrunk(shown.tank.position + way - tank.position);
        } else {
            shown.off = {};
        }
        tank.position += shown.off;
        shown.tank = tank;
    }
    static Vec2 shrunk(const Vec2& off) {
        const float far = length(off);
        if (far < 0.01F || far > kFar) return {};
        const float left = far - std::min(kMostGlide, std::max(0.01F, kGlide * far));
        return off * (left / far);
    }

    bool glides_;
    std::vector<Shown> tanks_;
};

}  // namespace fray::panzer
