#pragma once
// Session time from exchanges as in NTP (Panzer Battalion, section 3.2).
//
// Session time is the first peer's clock. Every peer follows one that joined earlier, its reference, so there
// are no cycles. When the first peer leaves, the oldest that remains continues with its own clock: session
// time survives. A reference may lie: it is followed only within kClockBand of the middle of all clocks
// (clock_vote.hpp). Corrections are slewed by at most kMostSlew per second; only a vote causes a clock step.

#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "clock/clock_vote.hpp"
#include "clock/peer_clock.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace fray {

/// How much session time may gain or lose per second because of what other peers say.
inline constexpr Duration kMostSlew{10ms};

class ClockSync {
public:
    /// Our own clock is session time until start().
    ClockSync() = default;

    [[nodiscard]] SessionInstant session_time(Instant now) const;
    /// Takes session time from this exchange, at once.
    void start(const ClockSample& sample);
    /// The reference, if there is one that we may follow.
    struct Reference {
        ClockSample best;        ///< of the recent exchanges with it
        bool is_steady = false;  ///< enough exchanges to learn the drift
    };
    /// Another exchange was made. Returns whether the clock was stepped.
    bool correct(Instant now, const std::optional<Reference>& reference, const ClockVote& vote);
    /// The reference changed: its drift is not mixed with that of the former one.
    void change_reference() { trend_count_ = 0; }
    /// Leaves the session: our own clock is session time again.
    void reset() { *this = ClockSync{}; }

    /// Session time at `now` according to an earlier exchange, minus what this clock shows.
    [[nodiscard]] Duration error_of(Instant now, const ClockSample& sample) const;
    [[nodiscard]] std::uint64_t exchanges() const { return exchanges_; }
    [[nodiscard]] ClockStats stats() const;

private:
    static constexpr std::size_t kTrend = 16;

    [[nodiscard]] Duration shown_offset(Instant now) const;
    void note_trend(const ClockSample& best);

    std::array<ClockSample, kTrend> trend_{};  // best samples, seconds apart: their slope is the drift
    std::uint64_t exchanges_ = 0;
    std::size_t trend_count_ = 0;
    Instant anchor_{};        // offset_ and correction_ refer to this instant
    Duration offset_{0};      // session minus local at the anchor
    Duration correction_{0};  // slewed in over kSlew
    std::int64_t drift_ppb_ = 0;
};

}  // namespace fray
