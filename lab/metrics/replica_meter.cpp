#include "lab/metrics/replica_meter.hpp"

#include <algorithm>

namespace fray::lab {

namespace {

constexpr double kPrecision = 0.05;   // units: positions are quantised on the wire
constexpr double kWarp = 0.25;        // of a diameter
constexpr double kMostElapsed = 0.2;  // seconds: a replica that was not seen for longer begins anew

}  // namespace

void ReplicaMeter::see(PeerIndex viewer, PeerIndex owner, const ReplicaSample& sample) {
    const auto [place, is_new] = seen_.try_emplace({viewer, owner});
    Seen& seen = place->second;
    const ReplicaSample before = std::exchange(seen.last, sample);
    const double elapsed = is_new ? 0 : seconds(sample.at - before.at);
    if (sample.in_focus && (is_new || !before.in_focus)) ++focus_stays_;
    if (is_new || elapsed <= 0 || elapsed > kMostElapsed) {
        seen.updated = sample.at;
        return;
    }
    Group& group = sample.in_focus ? focused_ : unfocused_;
    group.seconds += elapsed;
    if (sample.updates != 0) {
        group.updates += sample.updates;
        if (!sample.in_focus) gaps_.add(seconds(sample.at - seen.updated));
        seen.updated = sample.at;
    }
    if (!sample.is_there || !before.is_there) {
        seen.converges_since.reset();
        return;
    }
    group.age_ms.add(millis(sample.at - sample.stamp));
    group.error.add(length(sample.shown - sample.truth));
    group.reckoned_error.add(length(sample.reckoned - sample.truth));
    measure_step(before, sample, elapsed);
    measure_convergence(seen, sample);
}

void ReplicaMeter::measure_step(const ReplicaSample& before, const ReplicaSample& now, double elapsed) {
    const bool converges = now.mode == ReplicaMode::converging || before.mode == ReplicaMode::converging;
    const double most = limits_.top_speed * elapsed * (converges ? 1 + limits_.converging_extra : 1);
    const double excess = length(now.shown - before.shown) - most;
    jumps_.add(std::max(0.0, excess));
    if (excess > kWarp * limits_.diameter) ++warps_;
    if (excess > kPrecision) ++impossible_;
}

/// A replica converges from the frame on in which it is in focus and not yet shown directly.
void ReplicaMeter::measure_convergence(Seen& seen, const ReplicaSample& now) {
    const bool is_direct = now.mode == ReplicaMode::direct;
    if (!now.in_focus) {
        seen.converges_since.reset();
    } else if (!is_direct && !seen.converges_since) {
        seen.converges_since = now.at;
    } else if (is_direct && seen.converges_since) {
        converged_.add(millis(now.at - *seen.converges_since));
        seen.converges_since.reset();
    }
}

}  // namespace fray::lab
