#include "lab/workloads/random_walk.hpp"

#include "core/math.hpp"

namespace fray::lab {
namespace {

/// Reflects position and velocity along one axis at the borders.
void bounce(float low, float high, float& position, float& velocity) {
    if (position < low) {
        position = low + (low - position);
        velocity = -velocity;
    } else if (position > high) {
        position = high - (position - high);
        velocity = -velocity;
    }
}

}  // namespace

RandomWalk::RandomWalk(const World& world, const WalkOptions& options, RandomStream random)
    : low_{world.low}, high_{world.high}, options_{options}, random_{random} {
    pose_.position = {static_cast<float>(random_.uniform(low_.x, high_.x)),
                      static_cast<float>(random_.uniform(low_.y, high_.y)), low_.z};
    turn();
}

void RandomWalk::turn() {
    const double degrees = random_.uniform(0, 360);
    const double speed = random_.uniform(options_.speed_least, options_.speed_most);
    const double radians = degrees * math::kPi / 180;
    pose_.yaw = static_cast<float>(degrees);
    pose_.velocity = {static_cast<float>(speed * math::cos(radians)),
                      static_cast<float>(speed * math::sin(radians)), 0};
}

const Pose& RandomWalk::step(double seconds) {
    if (random_.chance(options_.turn_chance)) turn();
    pose_.position += pose_.velocity * static_cast<float>(seconds);
    bounce(low_.x, high_.x, pose_.position.x, pose_.velocity.x);
    bounce(low_.y, high_.y, pose_.position.y, pose_.velocity.y);
    return pose_;
}

}  // namespace fray::lab
