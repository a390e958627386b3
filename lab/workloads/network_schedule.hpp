#pragma once
// A network that changes while it is used: the way moves to another level every few seconds, with other
// jitter and other loss; queues build up and drain; for moments nothing comes through.

#include <fray/network_model.hpp>
#include <fray/random.hpp>

namespace fray::lab {

/// Drawn from the seed, a sample every 10 ms. One direction takes a whole sample, each from a place of its
/// own in the schedule, so the two directions change at different times.
[[nodiscard]] TraceLatency random_schedule(Seed seed, Duration length);

}  // namespace fray::lab
