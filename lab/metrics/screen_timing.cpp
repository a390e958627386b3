#include "lab/metrics/screen_timing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fray::lab {
namespace {

constexpr Duration kStamp{1ms};  ///< stamps are whole milliseconds, rounded down
constexpr Duration kStill{50ms};
constexpr Duration kMark{500ms};

/// Times in which the owner did not move for kStill or longer.
std::vector<SessionSpan> rests(const Trail& simulated) {
    std::vector<SessionSpan> rests;
    for (std::size_t first = 0; first < simulated.size();) {
        std::size_t next = first + 1;
        while (next < simulated.size() && simulated[next].position == simulated[first].position) ++next;
        const std::size_t end = std::min(next, simulated.size() - 1);
        const SessionSpan rest{simulated[first].since, simulated[end].since};
        if (rest.length() >= kStill) rests.push_back(rest);
        first = next;
    }
    return rests;
}

/// Whether one of these times shares kStill or more with [from, until].
bool rested(const std::vector<SessionSpan>& rests, SessionInstant from, SessionInstant until) {
    const auto ends_by = [](const SessionSpan& rest, SessionInstant at) { return rest.until <= at; };
    auto rest = std::lower_bound(rests.begin(), rests.end(), from, ends_by);
    for (; rest != rests.end() && rest->from < until; ++rest) {
        if (std::min(rest->until, until) - std::max(rest->from, from) >= kStill) return true;
    }
    return false;
}

}  // namespace

InputDelay input_delay(std::span<const OwnerFrame> inputs, Screen screen, const SessionSpan& measured) {
    InputDelay delay;
    double sum = 0;
    auto frame = screen.begin();
    // After a change of algorithm the screen may return to older states, so the newest one shown so far
    // counts.
    SessionInstant newest = SessionInstant::min();
    SessionInstant polled = SessionInstant::min();
    for (const OwnerFrame& input : inputs) {
        polled = std::max(polled, input.polled);  // the clock may be set back
        if (!measured.contains(polled)) continue;
        const SessionInstant wanted = input.applied.value_or(polled);
        ++delay.inputs;
        for (; frame != screen.end(); ++frame) {
            newest = std::max(newest, frame->told);
            if (newest + kStamp > wanted && frame->shown >= wanted) break;
        }
        if (frame == screen.end())
            ++delay.unseen;
        else
            sum += millis(frame->shown - polled);
    }
    const std::uint64_t seen = delay.inputs - delay.unseen;
    if (seen > 0) delay.mean_ms = sum / static_cast<double>(seen);
    return delay;
}

double animation_ms(Screen screen, const Trail& simulated, const SessionSpan& measured) {
    // Time in which the owner rests does not count: otherwise the figure would measure how much players rest,
    // not how smoothly they are shown. Rests are found in the owner's time. They are compared with the states
    // that the screen knew, because an extrapolating screen stops only when told, and with the moments shown,
    // because a lagging screen knows of the stop earlier.
    const std::vector<SessionSpan> still = rests(simulated);
    std::optional<ScreenFrame> last;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 1; i < screen.size(); ++i) {
        const ScreenFrame& frame = screen[i];
        if (!measured.contains(frame.shown) || frame.position == screen[i - 1].position) continue;
        if (last && !rested(still, last->moment, frame.moment) && !rested(still, last->told, frame.told)) {
            sum += millis(frame.shown - last->shown);
            ++count;
        }
        last = frame;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

double duration_divergence(Screen screen, const SessionSpan& measured) {
    if (screen.empty()) return 0;
    SessionInstant mark = measured.from;
    // The first mark that the screen can pass lies after the start of its log.
    const Duration behind = screen.front().moment - mark;
    if (behind >= Duration{0}) mark += (behind / kMark + 1) * kMark;
    std::optional<SessionInstant> passed;
    double sum = 0;
    std::size_t count = 0;
    for (const ScreenFrame& frame : screen) {
        for (; mark <= measured.until && frame.moment >= mark; mark += kMark) {
            if (passed) {
                sum += std::abs(seconds(frame.shown - *passed - kMark)) / seconds(kMark);
                ++count;
            }
            passed = frame.shown;
        }
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace fray::lab
