#include "clock/clock_sync.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kSlew{1s};
constexpr Duration kTrendSpacing{2s};
constexpr std::int64_t kMostDriftPpb = 500'000;   // a clock worse than 500 ppm is broken
constexpr std::int64_t kUsualDriftPpb = 100'000;  // of a typical clock
constexpr double kUsualDrift = static_cast<double>(kUsualDriftPpb) * 1e-9;
constexpr double kLeastNoise = 0.5e-3;  // seconds: of an offset whose round trip met no queue

Duration scale_ppb(Duration d, std::int64_t ppb) {
    return Duration{
        static_cast<std::int64_t>(static_cast<double>(d.count()) * static_cast<double>(ppb) * 1e-9)};
}

}  // namespace

Duration ClockSync::shown_offset(Instant now) const {
    const Duration since = now - anchor_;
    Duration shift = offset_;
    if (exchanges_ != 0) {
        shift += scale_ppb(since, drift_ppb_);
        shift += since >= kSlew ? correction_ : correction_ * std::max(since, -kSlew).count() / kSlew.count();
    }
    return shift;
}

SessionInstant ClockSync::session_time(Instant now) const {
    return SessionInstant{now.time_since_epoch() + shown_offset(now)};
}

void ClockSync::start(const ClockSample& sample) {
    reset();
    exchanges_ = 1;
    anchor_ = sample.at;
    offset_ = sample.offset;
}

Duration ClockSync::error_of(Instant now, const ClockSample& sample) const {
    // The drift was learnt from the reference, which may lie: an old reading must not move along with it.
    const std::int64_t drift = std::clamp(drift_ppb_, -kUsualDriftPpb, kUsualDriftPpb);
    return sample.offset + scale_ppb(now - sample.at, drift) - shown_offset(now);
}

bool ClockSync::correct(Instant now, const std::optional<Reference>& reference, const ClockVote& vote) {
    const Duration shown = shown_offset(now);
    ++exchanges_;
    if (vote.step) {
        trend_count_ = 0;
        anchor_ = now;
        offset_ = shown + *vote.step;
        correction_ = Duration{0};
        return true;
    }
    if (reference && reference->is_steady) note_trend(reference->best);
    Duration error{0};
    if (reference) {
        const ClockSample& best = reference->best;
        error = best.offset + scale_ppb(now - best.at, drift_ppb_) - shown;
    }
    if (vote.middle) error = std::clamp(error, *vote.middle - kClockBand, *vote.middle + kClockBand);
    anchor_ = now;
    offset_ = shown;
    correction_ = std::clamp(error, -kMostSlew, kMostSlew);
    return false;
}

void ClockSync::note_trend(const ClockSample& believed) {
    if (trend_count_ != 0 && believed.at - trend_[(trend_count_ - 1) % kTrend].at < kTrendSpacing) return;
    trend_[trend_count_++ % kTrend] = believed;
    const std::size_t held = std::min(trend_count_, kTrend);
    const ClockSample& oldest = trend_[(trend_count_ - held) % kTrend];
    Duration shortest = oldest.rtt;
    for (std::size_t i = 0; i < held; ++i) shortest = std::min(shortest, trend_[i].rtt);
    // Weighted least squares, in seconds from the oldest: the longer the round trip, the lower the weight.
    double w = 0, wt = 0, wo = 0, wtt = 0, wto = 0, woo = 0;
    for (std::size_t i = 0; i < held; ++i) {
        const double noise = kLeastNoise + seconds(trend_[i].rtt - shortest) / 2;
        const double weight = 1 / (noise * noise);
        const double t = seconds(trend_[i].at - oldest.at);
        const double o = seconds(trend_[i].offset - oldest.offset);
        w += weight, wt += weight * t, wo += weight * o;
        wtt += weight * t * t, wto += weight * t * o, woo += weight * o * o;
    }
    if (held < 3) return;
    const double spread = wtt - wt * wt / w;
    const double fit = (wto - wt * wo / w) / spread;
    // The prior (kUsualDrift) keeps a few noisy points from being taken for drift. It counts the more, the
    // further the points are from their line.
    const double scatter = (woo - wo * wo / w - fit * fit * spread) / static_cast<double>(held - 2);
    const double slope = fit * spread / (spread + std::max(1.0, scatter) / (kUsualDrift * kUsualDrift));
    drift_ppb_ = std::clamp(static_cast<std::int64_t>(slope * 1e9), -kMostDriftPpb, kMostDriftPpb);
}

ClockStats ClockSync::stats() const {
    return ClockStats{.offset = offset_ + correction_,
                      .drift = static_cast<double>(drift_ppb_) * 1e-9,
                      .hops = 0,
                      .samples = exchanges_};
}

}  // namespace fray
