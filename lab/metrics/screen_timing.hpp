#pragma once
// When things become visible, and how evenly.

#include "lab/metrics/screen_log.hpp"

#include <cstdint>

namespace fray::lab {

/// Screens take times that never go back: in_order().
using Screen = std::span<const ScreenFrame>;

/// From inputs to their effects on a screen.
struct InputDelay {
    double mean_ms = 0;        ///< over the inputs that had an effect; 0 if none had
    std::uint64_t inputs = 0;  ///< polled in the span
    std::uint64_t unseen = 0;  ///< of these, without an effect before the log ends
};
/// An input has its effect with the first frame, not before it, that a state at least as new has a part in.
/// The log should go on for a while after the span: late effects count, but only if they are logged.
[[nodiscard]] InputDelay input_delay(std::span<const OwnerFrame> inputs, Screen screen,
                                     const SessionSpan& measured);

/// Mean time between two changes of the shown position in the span; 0 with fewer than two. Left out are
/// times in which the owner stood still for 50 ms or longer: nothing was to be seen.
[[nodiscard]] double animation_ms(Screen screen, const Trail& simulated, const SessionSpan& measured);

/// Every 500 ms of the owner's time a mark; mean over the times between two marks: how much longer or
/// shorter it was until the screen passed the next one, as a share of 500 ms. 0 with fewer than two marks
/// passed.
[[nodiscard]] double duration_divergence(Screen screen, const SessionSpan& measured);

}  // namespace fray::lab
