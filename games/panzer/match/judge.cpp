#include "games/panzer/match/judge.hpp"

#include "games/panzer/rules/rules.hpp"

#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kFastest = kTopSpeed * (1 + kEngineStep * kMostLevel) * 1.5F;  // pushed by another tank

Duration reload(std::uint16_t steps) {
    return std::chrono::microseconds{1'000'000LL * steps / kStepsPerSecond};
}

/// Whether a weapon that needs this many steps can have been loaded again.
bool is_loaded(SessionInstant last, SessionInstant at, std::uint16_t steps) {
    return last == SessionInstant::min() || at - last >= reload(steps) - Judge::kReloadSlack;
}

}  // namespace

Refusal Judge::count(Refusal refusal) {
    if (refusal != Refusal::none) ++refused_[static_cast<std::size_t>(refusal)];
    return refusal;
}

Refusal Judge::place(SessionInstant now, std::size_t claimant, const Vec2& place, SessionInstant at,
                     float slack) const {
    const Map& map = field_->map();
    if (at < now - kMostOld || at > now + kMostAhead) return Refusal::untimely;
    if (!map.contains(map.place_of(place))) return Refusal::malformed;
    const TankWatch::Seen* seen = watch_->find(claimant);
    if (seen == nullptr) return Refusal::unknown_shooter;
    if (at >= end_) return Refusal::match_over;
    if (seen->destroyed_at && at > *seen->destroyed_at) return Refusal::dead_shooter;
    if (seen->impossible_until && now < *seen->impossible_until) return Refusal::impossible_move;
    // A tank that is destroyed by now may have been anywhere between its last update and the claim.
    const auto apart = static_cast<float>(std::abs(seconds(at - seen->stamp)));
    const float reach = kFastest * apart + slack;
    return square_length(place - seen->tank.position) > reach * reach ? Refusal::elsewhere : Refusal::none;
}

/// Whether the ray meets the disc of the target, a little enlarged, before any wall.
bool Judge::hits(const ShotClaim& claim, const Vec2& target) const {
    const Vec2 unit = direction(claim.aim);
    const Vec2 to = target - claim.from;
    const float ahead = dot(to, unit);
    constexpr float kRadius = kTankRadius + kHitSlack;
    if (ahead < -kRadius || ahead > kGunRange + kRadius) return false;
    if (square_length(to) - ahead * ahead > kRadius * kRadius) return false;
    const float way = std::max(0.0F, ahead - kRadius);
    return free_way(field_->ground(), claim.from, unit, way) >= way;
}

Refusal Judge::judge_shot(SessionInstant now, std::size_t shooter, const ShotClaim& claim, const Tank& target,
                          const Vec2& then) const {
    if (const Refusal refusal = place(now, shooter, claim.from, claim.at); refusal != Refusal::none)
        return refusal;
    if (!target.alive()) return Refusal::dead_target;
    const Tank& tank = watch_->find(shooter)->tank;
    if (target.team != 0 && target.team == tank.team) return Refusal::own_team;
    if (!is_loaded(fired(shooter).gun, claim.at, gun_steps(tank))) return Refusal::too_fast;
    return hits(claim, then) ? Refusal::none : Refusal::no_hit;
}

Refusal Judge::shot(SessionInstant now, std::size_t shooter, const ShotClaim& claim, const Tank& target,
                    const Vec2& then) {
    const Refusal refusal = judge_shot(now, shooter, claim, target, then);
    if (refusal == Refusal::none) fired_by(shooter).gun = claim.at;
    return count(refusal);
}

Refusal Judge::launch(SessionInstant now, std::size_t shooter, const Launch& launch) {
    // A shell starts at the muzzle.
    Refusal refusal = place(now, shooter, launch.from, launch.at, kPlaceSlack + kMuzzle);
    if (refusal == Refusal::none && !is_loaded(fired(shooter).shell, launch.at, kShellSteps))
        refusal = Refusal::too_fast;
    if (refusal == Refusal::none) fired_by(shooter).shell = launch.at;
    return count(refusal);
}

}  // namespace fray::panzer
