#pragma once
// A network that changes while it is used: the delay steps to another level every few seconds, with other
// jitter and loss; queues build up and drain; for moments nothing is delivered.

#include <fray/network_model.hpp>
#include <fray/random.hpp>

namespace fray::lab {

/// Drawn from the seed, one sample every 10 ms. A direction takes a whole sample. Each starts at its own
/// position in the schedule, so the two directions change at different times.
[[nodiscard]] TraceLatency random_schedule(Seed seed, Duration length);

}  // namespace fray::lab
