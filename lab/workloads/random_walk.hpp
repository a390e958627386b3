#pragma once
// Players on the ground plane that walk straight ahead, sometimes turn, and bounce off the borders.

#include <fray/geometry.hpp>
#include <fray/random.hpp>
#include <fray/world.hpp>

namespace fray::lab {

struct WalkOptions {
    float speed_least = 20;  ///< units per second
    float speed_most = 80;
    double turn_chance = 0.1;  ///< per step: a new direction and a new speed
};

class RandomWalk {
public:
    RandomWalk(const World& world, const WalkOptions& options, RandomStream random);

    /// The player's position after this much time.
    const Pose& step(double seconds);
    [[nodiscard]] const Pose& pose() const { return pose_; }

private:
    void turn();

    Vec3 low_;
    Vec3 high_;
    WalkOptions options_;
    RandomStream random_;
    Pose pose_;
};

}  // namespace fray::lab
