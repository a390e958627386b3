#pragma once
// Time in Fray: integer microseconds, passed as arguments.
//
// Two clocks exist, and the type system keeps them apart:
//   Instant         a point on the local clock of one peer; its zero is arbitrary
//   SessionInstant  a point on the clock that all peers of a session share
// Neither clock has a now(): no code behind a public header can read a clock.

#include <chrono>
#include <compare>
#include <cstdint>

namespace fray {

using namespace std::chrono_literals;  // 100ms, 50us

/// A span of time in whole microseconds. std::chrono literals (100ms) convert to it.
using Duration = std::chrono::duration<std::int64_t, std::micro>;

struct LocalClock {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<LocalClock, Duration>;
    static constexpr bool is_steady = true;
};

struct SessionClock {
    using duration = Duration;
    using rep = Duration::rep;
    using period = Duration::period;
    using time_point = std::chrono::time_point<SessionClock, Duration>;
    static constexpr bool is_steady = false;  // corrected while it runs
};

using Instant = LocalClock::time_point;
using SessionInstant = SessionClock::time_point;

/// Later than every other instant: no wake-up needed.
inline constexpr Instant kNever = Instant::max();

[[nodiscard]] constexpr std::int64_t micros(Duration d) { return d.count(); }
[[nodiscard]] constexpr double seconds(Duration d) { return static_cast<double>(d.count()) * 1e-6; }
[[nodiscard]] constexpr double millis(Duration d) { return static_cast<double>(d.count()) * 1e-3; }

/// Rounds towards zero to whole microseconds. Values outside the range of Duration are clamped; NaN gives 0.
[[nodiscard]] constexpr Duration from_seconds(double s) {
    constexpr double kBeyond = 0x1p63;  // the smallest number of microseconds that does not fit
    const double us = s * 1e6;
    if (us >= kBeyond) return Duration::max();
    if (us <= -kBeyond) return Duration::min();
    return Duration{us == us ? static_cast<std::int64_t>(us) : 0};
}

}  // namespace fray
