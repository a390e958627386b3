#include "games/panzer/match/network_meter.hpp"

#include "games/panzer/match/match_options.hpp"

#include <algorithm>
#include <utility>

namespace fray::panzer {

void NetworkMeter::frame(const Commands& peer, std::span<const Replica> replicas, const Vec2& eye) {
    measure_replicas(replicas, eye);
    if (known_.size() > 2 * replicas.size()) forget_gone(replicas);
    const Stats stats = peer.peer().stats();
    measure_upload(stats, peer.now());
    focused_ += stats.focus.in_focus;
    gaps_ms_ += millis(stats.focus.best_effort_gap);
    if (frames_ % kSampleEvery == 0) measure_links(stats);
    ++frames_;
}

void NetworkMeter::measure_upload(const Stats& stats, Instant now) {
    const std::uint64_t bytes = stats.ledger.total_bytes();
    if (frames_ == 0) {
        first_ = now;
        first_bytes_ = bytes;
    }
    last_ = now;
    last_bytes_ = bytes;
    sent_[frames_ % sent_.size()] = {now, bytes};
    if (frames_ < kFrames) return;
    const Sent& before = sent_[(frames_ + 1) % sent_.size()];
    // A process that was not scheduled in time has longer frames: the rate counts.
    const double span = std::max(1.0, seconds(now - before.at));
    const auto in_second = static_cast<std::uint64_t>(static_cast<double>(bytes - before.bytes) / span);
    most_in_second_ = std::max(most_in_second_, in_second);
}

void NetworkMeter::measure_replicas(std::span<const Replica> replicas, const Vec2& eye) {
    const bool is_sampled = frames_ % kSampleEvery == 0;
    for (const Replica& replica : replicas) {
        if (replica.type != kTankType) continue;
        Known& known = known_[replica.id];
        const Tank tank = tank_of(replica.pose, replica.payload);
        const Known before = std::exchange(known, {replica.corrections, tank.alive()});
        if (!tank.alive() || square_length(tank.position - eye) > kViewRange * kViewRange) continue;
        ++replica_frames_;
        guided_frames_ += replica.mode == ReplicaMode::direct ? 0U : 1U;
        // A tank that enters somewhere else is not corrected, and neither is one that appeared anew.
        if (before.is_alive && replica.corrections.count >= before.corrections.count) {
            corrected_ += replica.corrections.count - before.corrections.count;
            corrected_by_ += replica.corrections.sum - before.corrections.sum;
        }
        if (!is_sampled) continue;
        const auto ms = std::clamp<std::int64_t>(micros(replica.age) / 1000, 0, kMostAge);
        ++ages_[static_cast<std::size_t>(ms)];
        ++age_count_;
    }
}

/// Tanks that are gone are forgotten from time to time.
void NetworkMeter::forget_gone(std::span<const Replica> replicas) {
    std::erase_if(known_, [&](const auto& entry) {
        return std::ranges::find(replicas, entry.first, &Replica::id) == replicas.end();
    });
}

void NetworkMeter::measure_links(const Stats& stats) {
    for (const LinkStats& link : stats.links) {
        if (link.rtt == Duration{}) continue;
        rtt_sum_ms_ += millis(link.rtt);
        ++rtt_count_;
    }
}

double NetworkMeter::age_quantile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(age_count_));
    std::uint64_t below = 0;
    for (std::size_t ms = 0; ms < ages_.size(); ++ms) {
        below += ages_[ms];
        if (below > wanted) return static_cast<double>(ms);
    }
    return 0;
}

NetworkReport NetworkMeter::report() const {
    NetworkReport report;
    constexpr double kBitsPerByte = 8.0 / 1000;  // in kbit
    const double span = seconds(last_ - first_);
    if (span > 0)
        report.upload_kbps_mean = static_cast<double>(last_bytes_ - first_bytes_) * kBitsPerByte / span;
    report.upload_kbps_most = static_cast<double>(most_in_second_) * kBitsPerByte;
    report.update_age_ms_p50 = age_quantile(0.5);
    report.update_age_ms_p95 = age_quantile(0.95);
    if (rtt_count_ != 0) report.rtt_ms = rtt_sum_ms_ / static_cast<double>(rtt_count_);
    if (frames_ != 0) {
        report.focus_size = static_cast<double>(focused_) / static_cast<double>(frames_);
        report.best_effort_gap_ms = gaps_ms_ / static_cast<double>(frames_);
    }
    if (replica_frames_ != 0)
        report.guided_pct =
            100.0 * static_cast<double>(guided_frames_) / static_cast<double>(replica_frames_);
    const double replica_seconds = static_cast<double>(replica_frames_) / kFrames;
    if (replica_seconds > 0) report.corrections_per_s = static_cast<double>(corrected_) / replica_seconds;
    if (corrected_ != 0) report.correction_m = corrected_by_ / static_cast<double>(corrected_);
    return report;
}

}  // namespace fray::panzer
