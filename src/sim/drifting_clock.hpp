#pragma once
// A peer's clock: local = offset + (1 + drift) * true, in whole microseconds, exact in both directions.

#include <fray/time.hpp>

#include "sim/event_queue.hpp"

#include <cstdint>

namespace fray::sim {

class DriftingClock {
public:
    DriftingClock() = default;
    /// drift: parts per billion, within +-1,000,000.
    DriftingClock(Duration offset, std::int64_t drift_ppb)
        : offset_{offset.count()}, drift_{drift_ppb * (1LL << kDriftBits) / 1'000'000'000} {}

    /// Never decreases while `at` does not.
    [[nodiscard]] Instant local(Micros at) const { return Instant{Duration{offset_ + at + drifted(at)}}; }

    /// The first true time at which the clock shows at least `local`; never before zero.
    [[nodiscard]] Micros true_time(Instant local_time) const {
        if (local_time > kLatest) return kNeverMicros;
        const std::int64_t passed = local_time.time_since_epoch().count() - offset_;
        if (passed <= 0) return 0;
        if (drift_ == 0) return passed;
        // Each round leaves a thousandth of the error at most (the drift of the drift); the rest goes step by
        // step.
        Micros guess = passed;
        for (int i = 0; i < 6; ++i) guess = passed - drifted(guess);
        while (local(guess) < local_time) ++guess;
        while (guess > 0 && local(guess - 1) >= local_time) --guess;
        return guess;
    }

private:
    __extension__ using Wide = __int128;
    static constexpr unsigned kDriftBits = 40;
    static constexpr Instant kLatest{Duration{INT64_MAX / 4}};  // beyond it, arithmetic could overflow

    [[nodiscard]] std::int64_t drifted(Micros at) const {
        return static_cast<std::int64_t>((static_cast<Wide>(at) * drift_) >> kDriftBits);
    }

    std::int64_t offset_ = 0;
    std::int64_t drift_ = 0;  // in units of 2^-40
};

}  // namespace fray::sim
