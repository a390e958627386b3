#pragma once
// How far this peer's clock may be moved, given what all linked peers say.
//
// No peer can prove what time it is or how old it is, so no single one is believed. Of all clocks that are
// near ours the lowest and the highest third are ignored, and the middle of the rest counts (Lynch and Welch
// 1988). As long as less than a third of the clocks lie, honest clocks approach each other, also if a liar
// tells each peer something else. Our clock is stepped only if more clocks agree on another time than on
// ours.

#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <optional>
#include <span>

namespace fray {

/// A larger error is corrected by a step, a smaller one is slewed.
inline constexpr Duration kClockStep{100ms};
/// How far a peer may be from the middle of all clocks, to either side.
inline constexpr Duration kClockBand{5ms};

/// What we measured of one linked peer's clock.
struct ClockReading {
    Duration error{};    ///< its session time minus ours
    Duration rtt{};      ///< half of it is the largest honest error of the reading
    bool older = false;  ///< it claims to have joined before us, and we did not found the session
    LinkNumber link = kNoLink;
};

struct ClockVote {
    std::optional<Duration> step{};    ///< our clock is wrong by that much
    std::optional<Duration> middle{};  ///< of all near clocks, ours included; nothing: too few to tell
};

/// Reorders the readings. A newcomer has its time from one peer, which may lie: until enough others have
/// confirmed it, its own clock does not count.
[[nodiscard]] ClockVote count_votes(std::span<ClockReading> readings, bool is_confirmed);

}  // namespace fray
