#pragma once
// Hand-made logs of screens.

#include "lab/metrics/screen_log.hpp"

namespace fray::lab {

constexpr Duration kFrame{10ms};

inline SessionInstant at_ms(std::int64_t ms) { return SessionInstant{std::chrono::milliseconds{ms}}; }
inline SessionSpan span_ms(std::int64_t from, std::int64_t until) { return {at_ms(from), at_ms(until)}; }
inline Vec3 along_x(double x) { return {.x = static_cast<float>(x)}; }

inline ScreenFrame frame_ms(std::int64_t shown, double x, std::int64_t told, std::int64_t moment) {
    return {.shown = at_ms(shown), .position = along_x(x), .told = at_ms(told), .moment = at_ms(moment)};
}

/// A frame every 10 ms from 0 on, one unit per second along x.
inline std::vector<OwnerFrame> walk(std::int64_t frames) {
    std::vector<OwnerFrame> log;
    for (std::int64_t i = 0; i < frames; ++i)
        log.push_back({.polled = at_ms(0) + i * kFrame, .simulated = along_x(0.01 * static_cast<double>(i))});
    return log;
}

/// A screen that shows every state of the owner after this delay.
inline std::vector<ScreenFrame> shown_later(const std::vector<OwnerFrame>& owner, Duration lag) {
    std::vector<ScreenFrame> screen;
    for (const OwnerFrame& frame : owner) {
        screen.push_back({.shown = frame.polled + lag,
                          .position = frame.simulated,
                          .told = std::chrono::floor<std::chrono::milliseconds>(frame.polled),
                          .moment = frame.polled});
    }
    return screen;
}

}  // namespace fray::lab
