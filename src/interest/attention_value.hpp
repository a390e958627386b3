#pragma once
// The formulas of the attention-value A_ij (Donnybrook, section III-A). Distances are in units of the world,
// angles in radians; "log" is the natural logarithm. Where the paper leaves a power undefined, its base and
// its exponent are clamped at 0, and 0 to the power of 0 is 0: every result is a number of at least 0.

#include <fray/attention.hpp>
#include <fray/geometry.hpp>
#include <fray/time.hpp>

#include "core/math.hpp"

#include <algorithm>

namespace fray {

inline constexpr double kWidestAim = math::kPi / 4;  // half of the visible cone
inline constexpr Duration kRecentInteraction{3s};    // older ones do not count
inline constexpr double kInteractionDecaySeconds = 1;
inline constexpr double kFallOff = 1.5;

namespace detail {
/// A power of a share from 0 to 1. A base that is not a number gives 0.
[[nodiscard]] inline double power(double base, double exponent) {
    if (!(base > 0)) return 0;
    if (base >= 1) return 1;
    return math::pow(base, std::max(exponent, 0.0));
}
}  // namespace detail

/// F(1): 1 next to the player, 0 from `d_max` on.
[[nodiscard]] inline double proximity(double distance, double d_max) {
    return detail::power(1 - distance / d_max, kFallOff);
}

/// F(2): 1 straight ahead, 0 from 45 degrees on. The farther away, the more exact the aim has to be; up to a
/// distance of 1 every aim within 45 degrees counts fully.
[[nodiscard]] inline double aim(double averaged_deviation, double distance) {
    const double exponent = distance > 1 ? kFallOff * math::log(distance) : 0;
    return detail::power(1 - averaged_deviation / kWidestAim, exponent);
}

/// F(3): 1 at the interaction, 0 more than three seconds after it.
[[nodiscard]] inline double interaction_recency(Duration since) {
    if (since > kRecentInteraction) return 0;
    const double seconds = static_cast<double>(micros(std::max(since, Duration{0}))) / 1e6;
    return math::exp(-seconds / kInteractionDecaySeconds);
}

/// The aim deviation a_ij: the angle between the forward vector and the way to the other player. Straight
/// ahead if the two are at the same place.
[[nodiscard]] inline double aim_deviation(const Vec3& forward, const Vec3& way) {
    const Vec3 cross{forward.y * way.z - forward.z * way.y, forward.z * way.x - forward.x * way.z,
                     forward.x * way.y - forward.y * way.x};
    return math::atan2(static_cast<double>(length(cross)), static_cast<double>(dot(forward, way)));
}

/// The forward vector.
[[nodiscard]] inline Vec3 forward_vector(const Look& look) {
    const double yaw = static_cast<double>(look.yaw) * math::kPi / 180;
    const double pitch = static_cast<double>(look.pitch) * math::kPi / 180;
    return {static_cast<float>(math::cos(yaw) * math::cos(pitch)),
            static_cast<float>(math::sin(yaw) * math::cos(pitch)), static_cast<float>(math::sin(pitch))};
}

/// A_ij from its three metrics.
[[nodiscard]] inline double attention_value(const AttentionWeights& weights, double proximity, double aim,
                                            double recency) {
    return static_cast<double>(weights.proximity) * proximity + static_cast<double>(weights.aim) * aim +
           static_cast<double>(weights.interaction) * recency;
}

}  // namespace fray
