#include "games/panzer/match/warp_meter.hpp"

#include <algorithm>

namespace fray::panzer {

namespace {

constexpr std::size_t kMostCounted = 4096;
constexpr std::uint64_t kErrorEvery = 10;  // frames

void count(std::vector<std::uint32_t>& counts, std::int64_t value) {
    counts.resize(kMostCounted);
    ++counts[static_cast<std::size_t>(std::clamp<std::int64_t>(value, 0, kMostCounted - 1))];
}

/// The value below which this share lies.
double quantile(const std::vector<std::uint32_t>& counts, double share) {
    std::uint64_t all = 0;
    for (const std::uint32_t one : counts) all += one;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        below += counts[i];
        if (all != 0 && static_cast<double>(below) >= share * static_cast<double>(all))
            return static_cast<double>(i);
    }
    return 0;
}

/// The share of values that are below.
double share_below(const std::vector<std::uint32_t>& counts, double value) {
    std::uint64_t all = 0;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        all += counts[i];
        if (static_cast<double>(i) < value) below += counts[i];
    }
    return all == 0 ? 0 : static_cast<double>(below) / static_cast<double>(all);
}

}  // namespace

void WarpMeter::frame(WarpMatch<WarpBattle>& match, Battle& battle, Duration since_last) {
    const auto rollbacks = match.warp()->take_rollbacks();
    rollbacks_ += rollbacks.size();
    for (const PartRollback& rollback : rollbacks) count(depths_, rollback.depth);
    for (const auto& recorded : match.take_final()) {
        const Happening& happening = recorded.outcome.happening;
        if (happening.kind != Happening::Kind::death) continue;
        count(finals_, match.warp()->present() - recorded.tick - 1);
        deaths_.resize(std::max<std::size_t>(deaths_.size(), happening.other + std::size_t{1}));
        ++deaths_[happening.other];
    }
    for (const Desync& desync : match.take_desyncs()) {
        desyncs_ += desync.peer == match.streams().self() ? 1U : 0U;
        last_desync_ = "tick " + std::to_string(desync.tick) + ", " + desync.text;
    }
    shown_.frame(battle, match.warp()->outcomes_since(match.horizon()), match.streams().seat());
    bool has_jumped = false;
    for (std::size_t i = 0; i < battle.tanks.size(); ++i) {
        const Tank& tank = battle.tanks[i];
        const bool jumps = jumps_.show(i, tank, static_cast<float>(seconds(since_last)));
        has_jumped = has_jumped || jumps;
        constexpr float kCentimetres = 100;
        if (frames_ % kErrorEvery == 0 && tank.alive())
            count(errors_, static_cast<std::int64_t>(shown_.error(i) * kCentimetres));
    }
    // A repair may go on in later frames. The first frame of a newcomer shows what was there before it came.
    const bool is_rollback = !rollbacks.empty() || was_repairing_;
    if (has_jumped && is_rollback && !is_first_) ++visible_;
    was_repairing_ = match.warp()->is_repairing();
    is_first_ = false;
    ++frames_;
}

void WarpMeter::press(Tick delay) {
    ++presses_;
    delays_ += static_cast<std::uint64_t>(delay + 1);
}

WarpReport WarpMeter::report(const WarpMatch<WarpBattle>& match, std::span<const Record> records) const {
    constexpr double kTickMs = 16.667;
    WarpReport report;
    report.rollbacks = rollbacks_;
    report.depth_ms_p50 = quantile(depths_, 0.5) * kTickMs;
    report.depth_ms_p99 = quantile(depths_, 0.99) * kTickMs;
    report.late_below_50ms = share_below(depths_, 50 / kTickMs);
    report.late_below_100ms = share_below(depths_, 100 / kTickMs);
    report.visible = visible_;
    report.shown_error_m_p95 = quantile(errors_, 0.95) / 100;
    for (std::size_t i = 0; i < deaths_.size() && i < records.size(); ++i)
        report.reversed_deaths += deaths_[i] > records[i].deaths ? deaths_[i] - records[i].deaths : 0;
    report.death_final_ms_p50 = quantile(finals_, 0.5) * kTickMs;
    report.death_final_ms_p95 = quantile(finals_, 0.95) * kTickMs;
    report.response_ms =
        presses_ == 0 ? 0 : static_cast<double>(delays_) / static_cast<double>(presses_) * kTickMs;
    report.messages = presses_;
    report.desyncs = desyncs_;
    report.last_desync = last_desync_;
    report.refused = match.counts().refused_lines;
    const StreamCounts& streams = match.streams().counts();
    report.refused += streams.before_promise + streams.too_far + streams.malformed + streams.bad_states;
    const PartWarpCounts& counts = match.warp()->counts();
    report.ticks = counts.ticks;
    report.tank_ticks_again = counts.part_ticks_reexecuted;
    report.stalled_ticks = counts.stalled_ticks;
    return report;
}

}  // namespace fray::panzer
