#include "games/panzer/bots/go_to.hpp"

#include <algorithm>
#include <cmath>

namespace fray::panzer {

namespace {

constexpr float kSameGoal = 1;         // metres that a goal may move before a new path is searched
constexpr float kCornerReach = 0.7F;   // metres; so close, a corner is passed
constexpr float kCornerWidth = 3;      // metres of a bend that tanks cut
constexpr float kBrakingShare = 0.8F;  // of what the brakes can do
constexpr float kArrivalSpeed = 0.5F;  // metres per second
constexpr std::uint16_t kPlanSteps = steps(2);
constexpr std::uint16_t kStuckSteps = steps(0.6F);
constexpr std::uint16_t kRecoverySteps = steps(0.7F);
constexpr float kStuckSpeed = 0.4F;  // metres per second
constexpr float kPassing = 9;        // metres; tanks closer than this are passed
constexpr float kBerth = 2 * kTankRadius + 0.4F;
constexpr float kTurnFirst = 25;  // degrees
constexpr float kFullSteer = 6;   // degrees; a larger error is steered against fully

constexpr float kRadians = 3.14159265F / 180;

float cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }

}  // namespace

float speed_for_radius(float radius) {
    // The turn rate falls with the speed: rate(v) = rest - fall * v. Solves v = radius * rate(v).
    constexpr float kRest = kTurnRateAtRest * kRadians;
    constexpr float kFall = (kTurnRateAtRest - kTurnRateAtTop) * kRadians / kTopSpeed;
    return kRest * radius / (1 + kFall * radius);
}

Drive drive_towards(const Tank& tank, const Vec2& point, float most_speed) {
    const Vec2 way = point - tank.position;
    const float distance = length(way);
    if (distance < 0.01F) return {};
    const Vec2 ahead = direction(tank.hull);
    const float error = static_cast<float>(turn_between(tank.hull, angle_of(way))) * (360.0F / 65536);
    Drive drive;
    drive.steer = static_cast<std::int8_t>(std::clamp(error / kFullSteer, -1.0F, 1.0F) * kFull);
    if (dot(ahead, way) <= 0) return drive;
    // The circle that leaves along the hull and meets the point.
    const float aside = std::abs(cross(ahead, way)) / distance;
    const float speed =
        std::min(most_speed, aside < 0.02F ? kTopSpeed * 2 : speed_for_radius(distance / (2 * aside)));
    // At rest it turns first: a tank that pushes into a wall at an angle hardly moves.
    if (std::abs(tank.speed) < kStuckSpeed && std::abs(error) > kTurnFirst) return drive;
    const float throttle = speed / top_speed(tank) * kFull;
    drive.throttle = static_cast<std::int8_t>(std::clamp(throttle + 0.5F, 0.0F, static_cast<float>(kFull)));
    return drive;
}

void GoTo::start(const Goal& goal) {
    const bool is_same = has_path_ && square_length(goal.place - goal_.place) < kSameGoal * kSameGoal;
    goal_ = goal;
    if (!is_same) has_path_ = false;
    if (state_ != State::driving && is_same && state_ == State::unreachable) return;
    state_ = State::driving;
}

void GoTo::plan(const Tank& self) {
    planned_ago_ = 0;
    next_ = 0;
    has_path_ = true;
    if (!query_->find_path(self.position, goal_.place, path_)) state_ = State::unreachable;
}

void GoTo::pass_corners(const Tank& self) {
    while (next_ + 1 < path_.count) {
        const Vec2 way = path_.corners[next_] - self.position;
        const Vec2 after = path_.corners[next_ + 1] - path_.corners[next_];
        const bool is_behind = dot(way, after) < 0 && square_length(way) < 4 * kCornerReach * kCornerReach;
        if (square_length(way) > kCornerReach * kCornerReach && !is_behind) return;
        ++next_;
    }
}

/// Slow enough for the bend at the next corner, or to stop at the goal. Corners close to each other are one
/// bend.
float GoTo::allowed_speed(const Tank& self) const {
    const Vec2 way = path_.corners[next_] - self.position;
    const float distance = length(way);
    float at_corner = kTopSpeed * 2;
    float bend = 0;  // its length
    for (std::size_t i = next_; i + 1 < path_.count && bend <= kCornerWidth; ++i) {
        const Vec2 after = path_.corners[i + 1] - path_.corners[i];
        const float scale = distance * length(after);
        const float cosine = scale < 0.01F ? 1 : std::clamp(dot(way, after) / scale, -0.99F, 1.0F);
        if (cosine < 0.999F) {
            const float radius = (kCornerWidth + bend) * std::sqrt((1 + cosine) / (1 - cosine));
            at_corner = std::min(at_corner, speed_for_radius(radius));
        }
        bend += length(after);
    }
    if (goal_.stop && path_.is_complete && next_ + 1 == path_.count) at_corner = kArrivalSpeed;
    return std::sqrt(at_corner * at_corner + 2 * kBraking * kBrakingShare * distance);
}

/// A point beside the first tank in the way; tanks that meet head-on both keep to their right.
Vec2 GoTo::around(const Tank& self, const Vec2& point, std::span<const Vec2> others) const {
    const Vec2 way = point - self.position;
    const float distance = length(way);
    if (distance < kTankRadius) return point;
    const Vec2 unit = way * (1 / distance);
    const Vec2 right{unit.y, -unit.x};
    for (const Vec2& other : others) {
        const Vec2 to = other - self.position;
        const float before = dot(to, unit);
        const float aside = dot(to, right);
        if (before <= 0 || before > std::min(kPassing, distance) || std::abs(aside) > kBerth) continue;
        // Along the tangent of a circle around it, to the right unless it is there.
        const float away = length(to);
        const float sine = std::min(1.0F, kBerth / std::max(away, 0.1F));
        const float cosine = std::sqrt(1 - sine * sine);
        const Vec2 ahead = to * (1 / std::max(away, 0.1F));
        const Vec2 beside{ahead.y, -ahead.x};
        for (const float side : {aside > 1 ? -1.0F : 1.0F, aside > 1 ? 1.0F : -1.0F}) {
            const Vec2 tangent = ahead * cosine + beside * (side * sine);
            const Vec2 place = self.position + tangent * std::max(away * cosine, kTankRadius);
            if (query_->is_straight(self.position, place)) return place;
        }
    }
    return point;
}

bool GoTo::is_stuck(const Tank& self, const Drive& drive) {
    const bool tries = last_.throttle != 0 && drive.throttle != 0;
    stuck_for_ = tries && std::abs(self.speed) < kStuckSpeed ? static_cast<std::uint16_t>(stuck_for_ + 1) : 0;
    return stuck_for_ >= kStuckSteps;
}

/// Backs off against the direction that failed, each time with another turn.
void GoTo::begin_recovery() {
    ++recoveries_;
    stuck_for_ = 0;
    recovering_ = kRecoverySteps;
    recovery_.throttle = last_.throttle > 0 ? static_cast<std::int8_t>(-kFull) : kFull;
    recovery_.steer = recoveries_ % 2 == 0 ? kFull : static_cast<std::int8_t>(-kFull);
    has_path_ = false;
}

Drive GoTo::step(const Tank& self, std::span<const Vec2> others) {
    Drive drive;
    if (state_ == State::driving && square_length(goal_.place - self.position) <= goal_.radius * goal_.radius)
        state_ = State::arrived;
    if (state_ == State::driving && (!has_path_ || ++planned_ago_ >= kPlanSteps)) plan(self);
    if (state_ != State::driving) {
        recovering_ = stuck_for_ = 0;
        return last_ = drive;
    }
    if (recovering_ != 0) {
        --recovering_;
        drive = recovery_;
    } else {
        pass_corners(self);
        // A path that ends on the way to a far goal is continued from there.
        if (!path_.is_complete && next_ + 1 == path_.count &&
            square_length(path_.corners[next_] - self.position) < 4 * kCornerReach * kCornerReach)
            plan(self);
        if (state_ != State::driving) return last_ = drive;
        drive = drive_towards(self, around(self, path_.corners[next_], others), allowed_speed(self));
    }
    if (is_stuck(self, drive)) begin_recovery();
    return last_ = drive;
}

}  // namespace fray::panzer
