#include "games/panzer/bots/bot.hpp"

#include "games/panzer/bots/face.hpp"
#include "games/panzer/rules/rules.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kLeastShellDistance = 11;  // metres; nearer, the blast reaches the shooter
constexpr float kMostShellDistance = 70;
constexpr float kNearMiss = 4.5F;   // metres; shells that pass farther away are ignored
constexpr float kShellSoon = 1.3F;  // seconds
constexpr float kSidestep = 9;      // metres
constexpr std::uint16_t kDodgeSteps = steps(0.6F);
constexpr float kOthersNear = 14;     // metres
constexpr double kSteadiness = 0.8;   // how much of the aim's error is left after a look
constexpr double kWobble = 0.6;       // sqrt(1 - kSteadiness^2): keeps the deviation
constexpr float kHitShare = 0.6F;     // of the angle that a target covers: fires within it
constexpr double kSweepAgain = 0.06;  // probability per look
constexpr double kWeaponAgain = 0.1;  // probability per look
constexpr float kDegrees = 57.29578F;

}  // namespace

Bot::Bot(const BotOptions& options, const Map& map, const NavQuery& query)
    : skill_{&skill_of(options.level)},
      character_{&character_of(options.character)},
      query_{&query},
      random_{options.seed, "bot"},
      memory_{map},
      mind_{map, query, *skill_, *character_, options.seed},
      go_to_{query},
      phase_{RandomStream{options.seed, "phase"}.below(kLookSteps)} {
    if (options.dynamic_share) pace_.emplace(*options.dynamic_share, options.seed);
}

void Bot::look(const View& view) {
    now_ = view.step;
    if (!view.self.alive()) {
        memory_.forget();
        mind_.reset();
        go_to_.stop();
        return;
    }
    memory_.look(view);
    const Decision& decision = mind_.decide(view, memory_, go_to_.state(), must_move_);
    if (decision.moves)
        go_to_.start(decision.goal);
    else
        go_to_.stop();
    other_count_ = 0;
    for (const SeenTank& tank : view.tanks) {
        if (other_count_ == others_.size()) break;
        if (square_length(tank.position - view.self.position) < kOthersNear * kOthersNear)
            others_[other_count_++] = tank.position;
    }
    notice_shells(view);
    wobble_ = kSteadiness * wobble_ + kWobble * random_.normal(0, 1);
    if (random_.chance(kSweepAgain)) sweep_ = static_cast<float>(random_.uniform(-70, 70));
    if (random_.chance(kWeaponAgain)) wants_shell_ = random_.chance(static_cast<double>(character_->shells));
}

/// Plans a step aside if a shell that was seen for a reaction time would hit or pass closely.
void Bot::notice_shells(const View& view) {
    const Vec2 self = view.self.position;
    for (const SeenShell& shell : view.shells) {
        if (shell.is_own) continue;
        const Vec2 to = self - shell.position;
        const float soon = dot(to, shell.velocity) / square_length(shell.velocity);
        if (soon <= 0 || soon > kShellSoon) continue;
        const Vec2 miss = to - shell.velocity * soon;
        if (square_length(miss) > kNearMiss * kNearMiss) continue;
        if (shell_since_ == 0) shell_since_ = now_;
        if (now_ - shell_since_ < mind_.reaction() || now_ < dodge_until_) return;
        dodge_until_ = now_ + kDodgeSteps;
        dodge_to_ = self;  // misjudged: stays on its way
        if (!random_.chance(static_cast<double>(skill_->dodging))) return;
        // Away from the shell's course, on the side that the hull points to anyway.
        const Vec2 unit = shell.velocity * (1 / length(shell.velocity));
        const Vec2 left{-unit.y, unit.x};
        const float side = dot(left, direction(view.self.hull)) >= 0 ? 1.0F : -1.0F;
        const Vec2 place = self + left * (side * kSidestep);
        if (query_->is_straight(self, place)) dodge_to_ = place;
        return;
    }
    shell_since_ = 0;
}

Drive Bot::drive(const Tank& self) {
    if (now_ < dodge_until_ && square_length(dodge_to_ - self.position) > 1) {
        const Drive aside = drive_towards(self, dodge_to_, kTopSpeed * 2);
        if (aside.throttle != 0) return aside;
    }
    if (!mind_.decision().moves) return {};
    return go_to_.step(self, {others_.data(), other_count_});
}

bool Bot::uses_shell(const Tank& self, float distance) const {
    return wants_shell_ && self.shell_wait < steps(0.4F) && distance > kLeastShellDistance &&
           distance < kMostShellDistance;
}

Angle Bot::aim_at_target(const Tank& self, const KnownTank& target) {
    const float away = length(target.newest().position - self.position);
    const bool with_shell = uses_shell(self, away);
    const float flight = with_shell ? away / kShellSpeed : 0;
    const Vec2 place = target.believed(now_, mind_.reaction(), skill_->lead, flight);
    const float distance = length(place - self.position);
    const auto deviation =
        static_cast<std::int16_t>(wobble_ * static_cast<double>(skill_->deviation) *
                                  static_cast<double>(character_->accuracy) * (65536.0 / 360));
    tolerance_ =
        std::max(skill_->trigger, kHitShare * kDegrees * kTankRadius / std::max(distance, kTankRadius));
    act_.cancel(Weapon::gun);
    act_.cancel(Weapon::shell);
    if (memory_.is_visible(target) && distance > 0) {
        const Vec2 unit = (place - self.position) * (1 / distance);
        const bool is_free =
            free_way(memory_.ground(), self.position, unit, distance) >= distance - kTankRadius;
        if (is_free && now_ >= next_shot_at_) act_.ask(with_shell ? Weapon::shell : Weapon::gun);
    }
    return bearing_of(self.position, place, deviation);
}

/// Without a target the turret looks where the tank goes, and about.
Angle Bot::aim_ahead(const Tank& self) const { return static_cast<Angle>(self.hull + degrees(sweep_)); }

Input Bot::play(std::uint32_t step, const Tank& self) {
    now_ = step;
    if (!self.alive()) return {.aim = self.turret};
    if (pace_) must_move_ = pace_->moves(moved_);
    const Drive driven = pace_ && !must_move_ ? Drive{} : drive(self);
    moved_ = driven != Drive{};
    const KnownTank* target = memory_.find(mind_.decision().target);
    const Angle wanted = target != nullptr ? aim_at_target(self, *target) : aim_ahead(self);
    const Angle aim = face(self.turret, wanted, skill_->turn_rate);
    Triggers triggers;
    if (target != nullptr) triggers = act_.step(self, aim_error(aim, wanted), tolerance_);
    if (triggers != Triggers{}) {
        const double pause = static_cast<double>(skill_->pause) * random_.uniform(0.5, 1.5);
        next_shot_at_ = step + static_cast<std::uint32_t>(pause * kStepsPerSecond);
    }
    return {driven.throttle, driven.steer, aim, triggers.gun, triggers.shell};
}

}  // namespace fray::panzer
