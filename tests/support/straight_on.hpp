#pragma once
// An entity that moves at 8 units per second: where it should be shown, and the error of what is shown.

#include "support/screens.hpp"

#include <algorithm>

namespace fray::test {

inline constexpr float kSpeed = 8;  // units per second

/// From left to right, without end.
inline Pose straight(double s) {
    return {.position = {10 + kSpeed * static_cast<float>(s), 50, 0}, .velocity = {kSpeed, 0, 0}};
}
/// The same until 5 s, then it stands still.
inline Pose stopping(double s) {
    Pose pose = straight(std::min(s, 5.0));
    if (s >= 5.0) pose.velocity = {};
    return pose;
}

inline NetworkModel constant(Duration one_way) {
    NetworkModel network;
    network.latency = ConstantLatency{one_way};
    return network;
}

inline Consistency with(const ConsistencyAlgorithmOptions& algorithm) {
    return {.algorithm = algorithm, .interval = 50ms};
}

inline double ms_behind(const Screens& screens, SessionInstant moment) {
    return millis(screens.time() - moment);
}
inline double place_of(const Pose& pose) { return static_cast<double>(pose.position.x); }
/// Its true position.
inline double truth(Screens& screens) {
    return static_cast<double>(straight(seconds(screens.swarm().now())).position.x);
}

inline constexpr double kFrameMs = 16.7;

}  // namespace fray::test
