#pragma once
// One session time for all, from exchanges as in NTP (Panzer Battalion, section 3.2).
//
// Session time is the first peer's clock. Every peer follows one that joined before it, so there are no
// circles, and when the first one leaves, the oldest that remains runs on freely: session time survives.
// Of the recent exchanges the one with the shortest round trip is believed, because what a queue added to
// one direction it added to the round trip as well. Corrections are slewed; only errors above 100 ms, after a
// long separation, are jumped over.

#include <fray/stats.hpp>
#include <fray/time.hpp>

#include <array>
#include <cstdint>

namespace fray {

class ClockSync {
public:
    /// Our own clock is session time, until a first sample says otherwise.
    ClockSync() = default;

    [[nodiscard]] SessionInstant session_time(Instant now) const;
    /// One exchange: we asked at `asked`, the answer was here at `now`; it left the other side at session
    /// time `theirs`, after the question had waited `hold` there.
    void sample(Instant now, Instant asked, SessionInstant theirs, Duration hold);
    /// Another peer is followed from now on: its samples do not mix with the former's.
    void change_reference();
    /// Leaves the session: our own clock again.
    void reset() { *this = ClockSync{}; }

    /// Few samples yet: ask often.
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
    std::array<Sample, kTrend> trend_{};  // believed offsets, seconds apart: their slope is the drift
    std::uint64_t since_change_ = 0;
    std::uint64_t total_ = 0;
    std::size_t trend_count_ = 0;
    Instant anchor_{};        // offset_ and correction_ are meant from here
    Duration offset_{0};      // session minus local at the anchor
    Duration correction_{0};  // still to be slewed in, over kSlew
    std::int64_t drift_ppb_ = 0;
};

}  // namespace fray
