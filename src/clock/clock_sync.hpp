#pragma once
// Session time from exchanges as in NTP (Panzer Battalion, section 3.2).
//
// Session time is the first peer's clock. Every peer follows one that joined earlier, so there are no cycles.
// When the first peer leaves, the oldest that remains continues with its own clock: session time survives.
// Of the recent exchanges the one with the shortest round trip is used, because a queue in one direction
// lengthens the round trip as well. Corrections are slewed; an error above 100 ms, as after a long partition,
// is corrected by a clock step.

#include <fray/stats.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstdint>

namespace fray {

class ClockSync {
public:
    /// Our own clock is session time until the first sample.
    ClockSync() = default;

    [[nodiscard]] SessionInstant session_time(Instant now) const;
    /// One exchange: the ping left at `asked`, the pong arrived at `now`. The pong left the other side at
    /// session time `theirs`, after the ping had waited there for `hold`.
    void sample(Instant now, Instant asked, SessionInstant theirs, Duration hold);
    /// The reference changed: its samples are not mixed with those of the former one.
    void change_reference();
    /// Leaves the session: our own clock is session time again.
    void reset() { *this = ClockSync{}; }

    /// Enough samples for the usual interval between pings.
    [[nodiscard]] bool settled() const { return since_change_ >= kSamples; }
    [[nodiscard]] ClockStats stats() const;

private:
    static constexpr std::size_t kSamples = 8;
    static constexpr std::size_t kTrend = 16;
    struct Sample {
        Instant at;
        Duration offset{};
        Duration rtt{};
    };

    [[nodiscard]] Sample best() const;
    void follow(Instant now, const Sample& best);
    void note_trend(const Sample& best);

    std::array<Sample, kSamples> recent_{};
    std::array<Sample, kTrend> trend_{};  // best samples, seconds apart: their slope is the drift
    std::uint64_t since_change_ = 0;
    std::uint64_t total_ = 0;
    std::size_t trend_count_ = 0;
    Instant anchor_{};        // offset_ and correction_ refer to this instant
    Duration offset_{0};      // session minus local at the anchor
    Duration correction_{0};  // slewed in over kSlew
    std::int64_t drift_ppb_ = 0;
};

}  // namespace fray
