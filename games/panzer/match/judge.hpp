#pragma once
// Decides about the claims of other players, for the owner of a tank or of a thing. A shot is judged by what
// the shooter's screen showed; place, weapon and line of fire must be possible.

#include <fray/time.hpp>

#include "games/panzer/match/messages.hpp"
#include "games/panzer/match/refusal.hpp"
#include "games/panzer/match/tank_watch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fray::panzer {

class Judge {
public:
    /// How far the shooter's screen may differ from what its target takes it for: rounding of positions, and
    /// corrections that are being blended in.
    static constexpr float kHitSlack = 0.75F;    ///< metres
    static constexpr float kPlaceSlack = 1.5F;   ///< metres
    static constexpr Duration kMostOld{2500ms};  ///< older claims are refused
    static constexpr Duration kMostAhead{300ms};
    static constexpr Duration kMostLaunchAge{1s};  ///< an older shell would appear in the middle of its way
    /// A claim needs an update of the claimant's tank so close to its time. Out of focus, updates come once a
    /// second, and two in a row may get lost. The tank may be as far away as the rules allow in that time.
    static constexpr Duration kMostGap{4s};
    /// The clocks of two peers differ, and a step is 17 ms.
    static constexpr Duration kReloadSlack{60ms};

    /// Field and watch must outlive the judge.
    Judge(const Battlefield& field, const TankWatch& watch) : field_{&field}, watch_{&watch} {}

    /// Where the target was.
    struct Target {
        Vec2 then{};      ///< by its own peer, at the moment that the shooter saw
        float aside = 0;  ///< metres; the shooter's screen may have shown it so far from there
    };
    [[nodiscard]] Refusal shot(SessionInstant now, std::size_t shooter, const ShotClaim& claim,
                               const Tank& target, const Target& where);
    /// A shell that another player announced.
    [[nodiscard]] Refusal launch(SessionInstant now, std::size_t shooter, const Launch& launch);
    /// Whether the claimant's tank can be at the place it names. Its own peer need not ask.
    /// slack: metres that the place may be away from the tank's middle.
    [[nodiscard]] Refusal place(SessionInstant now, std::size_t claimant, const Vec2& place,
                                SessionInstant at, float slack = kPlaceSlack) const;
    /// Whether an update of this tank from about this time is here. With pSense, tanks that just came into
    /// sight have none.
    [[nodiscard]] bool has_seen(std::size_t slot, SessionInstant at) const;
    /// Counts a refusal, and returns it.
    Refusal count(Refusal refusal);
    /// Shots that were granted because the shooter's screen showed the target elsewhere than it was.
    [[nodiscard]] std::uint64_t granted_aside() const { return granted_aside_; }
    void set_end(SessionInstant end) { end_ = end; }

    [[nodiscard]] const std::array<std::uint64_t, kRefusals>& refused() const { return refused_; }

private:
    [[nodiscard]] Refusal judge_shot(SessionInstant now, std::size_t shooter, const ShotClaim& claim,
                                     const Tank& target, const Target& where) const;
    [[nodiscard]] bool hits(const ShotClaim& claim, const Vec2& target) const;

    struct Fired {
        SessionInstant gun = SessionInstant::min();
        SessionInstant shell = SessionInstant::min();
    };
    [[nodiscard]] Fired fired(std::size_t shooter) const {
        return shooter < fired_.size() ? fired_[shooter] : Fired{};
    }
    Fired& fired_by(std::size_t shooter) {
        if (shooter >= fired_.size()) fired_.resize(shooter + 1);
        return fired_[shooter];
    }

    const Battlefield* field_;
    const TankWatch* watch_;
    SessionInstant end_ = SessionInstant::max();
    std::vector<Fired> fired_;  // by slot: the last shots that were granted
    std::array<std::uint64_t, kRefusals> refused_{};
    std::uint64_t granted_aside_ = 0;
};

}  // namespace fray::panzer
