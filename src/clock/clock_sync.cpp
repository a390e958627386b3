#include "clock/clock_sync.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr Duration kSlew{1s};
constexpr Duration kStep{100ms};  // a larger error, as after a partition, is corrected at once
constexpr Duration kTrendSpacing{2s};
constexpr std::int64_t kMostDriftPpb = 500'000;  // a clock worse than 500 ppm is broken
constexpr double kUsualDrift = 100e-6;           // of a typical clock
constexpr double kLeastNoise = 0.5e-3;           // seconds: of an offset whose round trip met no queue
constexpr std::uint64_t kTrusted = 4;            // exchanges with a new reference before it is followed
constexpr Duration kAging{15s};  // a sample counts as if its round trip grew by 1 ms per kAging

Duration scale_ppb(Duration d, std::int64_t ppb) {
    return Duration{
        static_cast<std::int64_t>(static_cast<double>(d.count()) * static_cast<double>(ppb) * 1e-9)};
}

}  // namespace

SessionInstant ClockSync::session_time(Instant now) const {
    const Duration since = now - anchor_;
    Duration shift = offset_;
    if (total_ != 0) {
        shift += scale_ppb(since, drift_ppb_);
        shift += since >= kSlew ? correction_ : correction_ * std::max(since, -kSlew).count() / kSlew.count();
    }
    return SessionInstant{now.time_since_epoch() + shift};
}

void ClockSync::change_reference() {
    since_change_ = 0;
    trend_count_ = 0;
}

void ClockSync::sample(Instant now, Instant asked, SessionInstant theirs, Duration hold) {
    const Duration rtt = std::max(Duration{0}, now - asked - hold);
    const Duration offset = theirs.time_since_epoch() + rtt / 2 - now.time_since_epoch();
    recent_[since_change_ % kSamples] = Sample{now, offset, rtt};
    ++since_change_;
    ++total_;
    const Sample believed = best();
    if (settled()) note_trend(believed);
    const bool first_peer = since_change_ == total_;
    if (first_peer || since_change_ >= kTrusted) follow(now, believed);
}

ClockSync::Sample ClockSync::best() const {
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(since_change_, kSamples));
    const Sample& newest = recent_[(since_change_ - 1) % kSamples];
    const auto cost = [&](const Sample& s) { return s.rtt + (newest.at - s.at) / (kAging / 1ms); };
    return *std::min_element(recent_.begin(), recent_.begin() + count,
                             [&](const Sample& a, const Sample& b) { return cost(a) < cost(b); });
}

void ClockSync::note_trend(const Sample& believed) {
    if (trend_count_ != 0 && believed.at - trend_[(trend_count_ - 1) % kTrend].at < kTrendSpacing) return;
    trend_[trend_count_++ % kTrend] = believed;
    const std::size_t held = std::min(trend_count_, kTrend);
    const Sample& oldest = trend_[(trend_count_ - held) % kTrend];
    Duration shortest = oldest.rtt;
    for (std::size_t i = 0; i < held; ++i) shortest = std::min(shortest, trend_[i].rtt);
    // Weighted least squares, in seconds from the oldest: the longer the round trip, the lower the weight.
    // The prior (kUsualDrift) keeps a few noisy points from being taken for drift.
    double w = 0, wt = 0, wo = 0, wtt = 0, wto = 0;
    for (std::size_t i = 0; i < held; ++i) {
        const double noise = kLeastNoise + seconds(trend_[i].rtt - shortest) / 2;
        const double weight = 1 / (noise * noise);
        const double t = seconds(trend_[i].at - oldest.at);
        const double o = seconds(trend_[i].offset - oldest.offset);
        w += weight, wt += weight * t, wo += weight * o, wtt += weight * t * t, wto += weight * t * o;
    }
    const double slope = (wto - wt * wo / w) / (wtt - wt * wt / w + 1 / (kUsualDrift * kUsualDrift));
    drift_ppb_ = std::clamp(static_cast<std::int64_t>(slope * 1e9), -kMostDriftPpb, kMostDriftPpb);
}

void ClockSync::follow(Instant now, const Sample& believed) {
    const Duration target = believed.offset + scale_ppb(now - believed.at, drift_ppb_);
    const Duration shown = session_time(now).time_since_epoch() - now.time_since_epoch();
    const Duration error = target - shown;
    const bool step = total_ == 1 || error > kStep || error < -kStep;
    anchor_ = now;
    offset_ = step ? target : shown;
    correction_ = step ? Duration{0} : error;
}

ClockStats ClockSync::stats() const {
    return ClockStats{.offset = offset_ + correction_,
                      .drift = static_cast<double>(drift_ppb_) * 1e-9,
                      .hops = 0,
                      .samples = total_};
}

}  // namespace fray
