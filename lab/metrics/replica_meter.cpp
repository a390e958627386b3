#include "lab/metrics/replica_meter.hpp"

#include <algorithm>

namespace fray::lab {

namespace {

constexpr double kPrecision = 0.05;   // units: positions are quantised on the wire
constexpr double kWarp = 0.25;        // of a diameter
constexpr double kMostElapsed = 0.2;  // seconds: a replica that was not seen for longer begins anew

}  // namespace

ReplicaMeter::ReplicaMeter(const ReplicaLimits& limits) : limits_{limits} {
    const auto unit = static_cast<double>(limits.unit);
    for (Group* group : {&focused_, &unfocused_})
        group->error = group->reckoned_error = Histogram{0, kPrecision * unit, 4000};
    shown_.jumps = reckoned_.jumps = Histogram{0, kPrecision / 5 * unit, 5000};
}

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
        seen.gained.reset();
        return;
    }
    group.age_ms.add(millis(sample.at - sample.stamp));
    group.error.add(length(sample.shown - sample.truth));
    group.reckoned_error.add(length(sample.reckoned - sample.truth));
    measure_step(before, sample, elapsed);
    measure_convergence(seen, before, sample);
}

void ReplicaMeter::measure_step(const ReplicaSample& before, const ReplicaSample& now, double elapsed) {
    const bool converges = now.mode == ReplicaMode::converging || before.mode == ReplicaMode::converging;
    const double top = limits_.top_speed * elapsed;
    const double excess =
        length(now.shown - before.shown) - top * (converges ? 1 + limits_.converging_extra : 1);
    add_step(shown_, excess);
    add_step(reckoned_, length(now.reckoned - before.reckoned) - top);
    if (excess > kPrecision * static_cast<double>(limits_.unit) || !now.is_possible) ++impossible_;
}

void ReplicaMeter::add_step(Steps& steps, double excess) const {
    steps.jumps.add(std::max(0.0, excess));
    steps.longest = std::max(steps.longest, excess);
    if (excess > kWarp * limits_.diameter) ++steps.warps;
}

/// From the frame on in which a replica that was guided came into focus. Later blends are no convergence.
void ReplicaMeter::measure_convergence(Seen& seen, const ReplicaSample& before, const ReplicaSample& now) {
    if (!now.in_focus) {
        seen.gained.reset();
    } else if (!before.in_focus && now.mode != ReplicaMode::direct) {
        seen.gained = now.at;
        seen.is_near = false;
    }
    if (!seen.gained) return;
    const bool is_direct = now.mode == ReplicaMode::direct;
    const bool hears_often = now.mode != ReplicaMode::guided;
    if (!seen.is_near && hears_often && length(now.shown - now.reckoned) <= limits_.diameter) {
        seen.is_near = true;
        near_.add(millis(now.at - *seen.gained));
    }
    if (!is_direct) return;
    converged_.add(millis(now.at - *seen.gained));
    seen.gained.reset();
}

}  // namespace fray::lab
