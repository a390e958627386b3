#pragma once
// When changes become visible, and how evenly.

#include "lab/metrics/screen_log.hpp"

#include <cstdint>

namespace fray::lab {

/// Times must never decrease: see in_order().
using Screen = std::span<const ScreenFrame>;

/// Delay from inputs to their effects on a screen.
struct InputDelay {
    double mean_ms = 0;        ///< over the inputs that had an effect; 0 if none had
    std::uint64_t inputs = 0;  ///< polled in the span
    std::uint64_t unseen = 0;  ///< of these, without an effect before the log ends
};
/// The effect of an input is the first frame, not before it, that depends on a state at least as new. Late
/// effects count only if they are logged, so the log should continue for a while after the span.
[[nodiscard]] InputDelay input_delay(std::span<const OwnerFrame> inputs, Screen screen,
                                     const SessionSpan& measured);

/// Mean time between two changes of the shown position in the span; 0 with fewer than two. Excludes times in
/// which the owner stood still for 50 ms or longer, because there was nothing to see.
[[nodiscard]] double animation_ms(Screen screen, const Trail& simulated, const SessionSpan& measured);

/// Marks are 500 ms of the owner's time apart. Mean over consecutive marks: how much longer or shorter than
/// 500 ms the screen took from one to the next, as a share of 500 ms. 0 with fewer than two marks passed.
[[nodiscard]] double duration_divergence(Screen screen, const SessionSpan& measured);

}  // namespace fray::lab
