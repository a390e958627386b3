#pragma once
// What the recent exchanges with one peer tell about its clock.

#include <fray/time.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace fray {

/// One exchange: the other side's session time minus our local clock, and the round trip it took.
struct ClockSample {
    Instant at{};
    Duration offset{};
    Duration rtt{};
};

/// The ping left at `asked`, the pong arrived at `now`. The pong left the other side at session time
/// `theirs`, after the ping had waited there for `hold`.
[[nodiscard]] inline ClockSample measure_clock(Instant now, Instant asked, SessionInstant theirs,
                                               Duration hold) {
    const Duration rtt = std::max(Duration{0}, now - asked - hold);
    return {now, theirs.time_since_epoch() + rtt / 2 - now.time_since_epoch(), rtt};
}

/// Keeps the exchange with the shortest round trip out of the last four to eight, if they are a few seconds
/// old at most: a queue in one direction lengthens the round trip as well.
class PeerClock {
public:
    static constexpr std::uint32_t kEnough = 8;  ///< exchanges after which the best one is a good one

    void add(const ClockSample& sample);
    /// The best exchange, unless all are older than `since`.
    [[nodiscard]] std::optional<ClockSample> best(Instant since) const;
    [[nodiscard]] std::uint32_t exchanges() const { return exchanges_; }

private:
    ClockSample current_{};  // the best of those since the last multiple of four ...
    ClockSample former_{};   // ... and of the four before
    std::uint32_t exchanges_ = 0;
};

}  // namespace fray
