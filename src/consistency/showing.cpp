#include "consistency/showing.hpp"

#include "core/math.hpp"
#include "core/space.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr Duration kSwitchFade{250ms};  // the offset left by a change of algorithm fades to 1/e
constexpr Duration kLongestFade{1s};
constexpr int kGlide = 2;  // the lag changes by one second in two seconds
}  // namespace

Showing::Showing(Whose whose, const World& world, EntityTypeId type, const Consistency& consistency)
    : whose_{whose},
      subject_{.world = &world,
               .type = type,
               .horizon = consistency.horizon,
               .interval = std::max(consistency.interval, world.tick)},
      consistency_{consistency},
      algorithm_{make_algorithm(consistency)} {}

Duration Showing::wanted_lag() const {
    return whose_ == Whose::own ? algorithm_->own_lag() : algorithm_->remote_lag();
}

Duration Showing::lag(SessionInstant now) const {
    const Duration wanted = wanted_lag();
    if (!lag_since_) return wanted;
    const Duration moved = std::max(now - *lag_since_, Duration{0}) / kGlide;
    return wanted > lag_before_ ? std::min(wanted, lag_before_ + moved)
                                : std::max(wanted, lag_before_ - moved);
}

bool Showing::settling(SessionInstant now) const {
    return lag_since_ && (now < *lag_since_ + kLongestFade || lag(now) != wanted_lag());
}

Vec3 Showing::offset(SessionInstant now) const {
    if (fade_ == Duration{0}) return {};
    // A small offset disappears at once, hidden by the entity's own motion; a large one fades.
    const double passed = seconds(std::max(now - offset_since_, Duration{0}));
    const double all = static_cast<double>(length(offset_));
    const double left = all * math::exp(-passed / seconds(fade_)) - static_cast<double>(speed_) * passed;
    return left > 0 ? offset_ * static_cast<float>(left / all) : Vec3{};
}

Shown Showing::target(SessionInstant now) const {
    const SessionInstant moment = now - lag(now);
    if (whose_ == Whose::own && algorithm_->optimistic())
        return as_it_was(*subject_.world, timeline_, moment);
    return algorithm_->show(subject_, timeline_, moment);
}

Shown Showing::shown(SessionInstant now) const {
    Shown shown = target(now);
    shown.pose.position = blended(now, shown.pose.position);
    return shown;
}

Vec3 Showing::blended(SessionInstant now, const Vec3& target) const {
    return inside(*subject_.world, target + offset(now));
}

void Showing::fade(SessionInstant now, const Vec3& offset, const Pose& target) {
    constexpr float kBeside = 0.5F;  // of the entity's own speed
    offset_ = offset;
    offset_since_ = now;
    speed_ = kBeside * length(target.velocity);
}

void Showing::forget() {
    timeline_.clear();
    algorithm_ = make_algorithm(consistency_);  // what it learnt refers to that time
    lag_since_.reset();
    fade_ = Duration{0};
}

void Showing::choose(SessionInstant now, const Consistency& consistency) {
    const Shown before = empty() ? Shown{} : shown(now);
    const Duration lag_now = now - before.moment;
    const bool stands = empty() || lag_now > kMostLag;  // no recent update: no lag to start from
    const bool same = consistency.algorithm.index() == consistency_.algorithm.index();
    auto next = make_algorithm(consistency);
    if (same) next->inherit(*algorithm_);
    algorithm_ = std::move(next);
    consistency_ = consistency;
    subject_.horizon = consistency.horizon;
    subject_.interval = std::max(consistency.interval, subject_.world->tick);
    lag_before_ = stands ? wanted_lag() : lag_now;
    lag_since_ = now;
    if (empty()) return;
    const Pose next_pose = target(now).pose;
    fade(now, way(*subject_.world, next_pose.position, before.pose.position), next_pose);
    // Not faster than the entity itself: the new algorithm may move it in steps.
    const float own = length(next_pose.velocity);
    const Duration gently = own > 0 ? from_seconds(static_cast<double>(length(offset_) / own)) : kLongestFade;
    fade_ = std::max({kSwitchFade, std::min(gently, kLongestFade), algorithm_->blend()});
}

void Showing::add_update(SessionInstant now, const Moment& update) {
    if (empty()) return timeline_.add(update);
    const Vec3 estimated = target(now).pose.position;
    const Vec3 on_screen = blended(now, estimated);
    timeline_.add(update);
    algorithm_->learn(subject_, timeline_, now - lag(now));
    const Pose repaired = target(now).pose;
    const double moved = static_cast<double>(length(way(*subject_.world, estimated, repaired.position)));
    if (whose_ == Whose::own) return;
    corrections_.count += moved > static_cast<double>(subject_.world->position_precision) ? 1 : 0;
    corrections_.sum += moved;
    corrections_.most = std::max(corrections_.most, moved);
    const Duration blend = std::max(algorithm_->blend(), settling(now) ? kSwitchFade : Duration{0});
    if (blend == Duration{0}) return;
    fade(now, way(*subject_.world, repaired.position, on_screen), repaired);
    fade_ = blend;
}

std::size_t Showing::heap_bytes() const {
    return timeline_.heap_bytes() + sizeof(ConsistencyAlgorithm) + algorithm_->heap_bytes();
}

}  // namespace fray
