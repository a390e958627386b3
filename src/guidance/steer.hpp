#pragma once
// The built-in guide: steers a replica towards the predicted position, within a speed and a turn limit.

#include <fray/guide.hpp>
#include <fray/world.hpp>

namespace fray {

/// One step. It speeds up and slows down smoothly, and arrives at the predicted position when it is due. It
/// turns to the target that it aims at or, without one, as predicted. `turns_body`: where it looks is the yaw
/// and pitch of its pose.
[[nodiscard]] Guided steer(const World& world, const GuideStep& step, const ShownWorld& shown,
                           bool turns_body);

/// Between two poses. Unlike between(), it heads where it drives also while it turns and brakes at once.
[[nodiscard]] Pose on_the_way(const World& world, const Pose& from, const Pose& to, float share);

/// Turned from one angle to another, in degrees, by at most so much; in [0, 360).
[[nodiscard]] float turned(float from, float to, float most);
/// The yaw of a direction in the ground plane, and its pitch. Degrees.
[[nodiscard]] Facing bearing(const Vec3& direction);
/// The vector, cut to this length.
[[nodiscard]] Vec3 at_most(const Vec3& vector, float most);

}  // namespace fray
