#include "games/panzer/match/judge.hpp"

#include "games/panzer/rules/rules.hpp"

#include <algorithm>

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

bool Judge::has_seen(std::size_t slot, SessionInstant at) const {
    const auto sample = watch_->nearest(slot, at);
    return sample && at - sample->stamp <= kMostGap && sample->stamp - at <= kMostGap;
}

Refusal Judge::count(Refusal refusal) {
    if (refusal != Refusal::none) ++refused_[static_cast<std::size_t>(refusal)];
    return refusal;
}

Refusal Judge::place(SessionInstant now, std::size_t claimant, const Vec2& place, SessionInstant at,
                     float slack) const {
    if (at < now - kMostOld || at > now + kMostAhead) return Refusal::untimely;
    if (!field_->map().holds(place)) return Refusal::malformed;
    const TankWatch::Seen* seen = watch_->find(claimant);
    const auto sample = watch_->nearest(claimant, at);
    if (seen == nullptr || !sample) return Refusal::unknown_shooter;
    if (at >= end_) return Refusal::match_over;
    if (seen->destroyed_at && at > *seen->destroyed_at) return Refusal::dead_shooter;
    if (seen->impossible_until && now < *seen->impossible_until) return Refusal::impossible_move;
    // The claimant chooses the time: it must have been there at that time, and on this side of the wall.
    const Duration gap = at > sample->stamp ? at - sample->stamp : sample->stamp - at;
    const float reach = kFastest * static_cast<float>(seconds(gap)) + slack;
    const float away = square_length(place - sample->position);
    // A wall is thicker than this: its other side is farther away, but a muzzle may be behind a corner.
    constexpr float kBeside = kTankRadius + kMuzzle;
    constexpr Duration kRoundAWall{250ms};  // with more time, a tank may have driven round it
    const bool is_hidden =
        gap <= kRoundAWall && away > kBeside * kBeside && !sees(field_->ground(), sample->position, place);
    if (!has_seen(claimant, at) || away > reach * reach || is_hidden) return Refusal::elsewhere;
    return Refusal::none;
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
                          const Target& where) const {
    if (const Refusal refusal = place(now, shooter, claim.from, claim.at); refusal != Refusal::none)
        return refusal;
    if (!target.alive()) return Refusal::dead_target;
    const Tank& tank = watch_->find(shooter)->tank;
    if (target.team != 0 && target.team == tank.team) return Refusal::own_team;
    if (!is_loaded(fired(shooter).gun, claim.at, gun_steps(tank))) return Refusal::too_fast;
    if (hits(claim, where.then)) return Refusal::none;
    const bool is_shown = square_length(claim.to - where.then) <= where.aside * where.aside;
    return is_shown && hits(claim, claim.to) ? Refusal::none : Refusal::no_hit;
}

Refusal Judge::shot(SessionInstant now, std::size_t shooter, const ShotClaim& claim, const Tank& target,
                    const Target& where) {
    const Refusal refusal = judge_shot(now, shooter, claim, target, where);
    if (refusal == Refusal::none) {
        fired_by(shooter).gun = claim.at;
        if (!hits(claim, where.then)) ++granted_aside_;
    }
    return count(refusal);
}

Refusal Judge::launch(SessionInstant now, std::size_t shooter, const Launch& launch) {
    // A shell starts at the muzzle.
    Refusal refusal = place(now, shooter, launch.from, launch.at, kPlaceSlack + kMuzzle);
    if (refusal == Refusal::none && launch.at < now - kMostLaunchAge) refusal = Refusal::untimely;
    if (refusal == Refusal::none && !is_loaded(fired(shooter).shell, launch.at, kShellSteps))
        refusal = Refusal::too_fast;
    if (refusal == Refusal::none) fired_by(shooter).shell = launch.at;
    return count(refusal);
}

}  // namespace fray::panzer
