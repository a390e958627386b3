#include "clock/clock_vote.hpp"

#include <algorithm>
#include <cstddef>

namespace fray {

namespace {

constexpr std::size_t kLeastAnswers = 3;  // before a tie can overrule the time from the join

bool is_near(const ClockReading& reading) {
    const Duration most = kClockStep + reading.rtt / 2;
    return reading.error <= most && reading.error >= -most;
}

/// The largest group of readings, sorted, that agree to kClockStep.
std::span<const ClockReading> largest_group(std::span<const ClockReading> sorted) {
    std::span<const ClockReading> best;
    for (std::size_t first = 0, end = 0; first < sorted.size(); ++first) {
        while (end < sorted.size() && sorted[end].error - sorted[first].error <= kClockStep) ++end;
        if (end - first > best.size()) best = sorted.subspan(first, end - first);
    }
    return best;
}

/// More clocks agree on another time than on ours. If as many do, as after two sessions met, the older side
/// wins.
std::optional<Duration> find_step(std::span<const ClockReading> far, std::size_t ours, bool tie_counts) {
    const auto group = largest_group(far);
    if (group.size() < ours) return std::nullopt;
    const auto older = std::ranges::count_if(group, [](const ClockReading& r) { return r.older; });
    const bool wins_tie = tie_counts && 2 * static_cast<std::size_t>(older) > group.size();
    if (group.size() == ours && !wins_tie) return std::nullopt;
    return group[group.size() / 2].error;
}

/// The middle of all clocks without the lowest and the highest third. Our own has the error 0.
Duration find_middle(std::span<const ClockReading> sorted) {
    const auto later = std::ranges::find_if(sorted, [](const ClockReading& r) { return r.error >= 0us; });
    const auto own = static_cast<std::size_t>(later - sorted.begin());
    const auto at = [&](std::size_t i) {
        return i < own ? sorted[i].error : i == own ? Duration{0} : sorted[i - 1].error;
    };
    const std::size_t all = sorted.size() + 1;
    const std::size_t cut = all / 3;
    return (at(cut) + at(all - 1 - cut)) / 2;
}

}  // namespace

ClockVote count_votes(std::span<ClockReading> readings, bool is_confirmed) {
    std::ranges::sort(readings, {}, &ClockReading::error);
    const auto far = std::ranges::stable_partition(readings, is_near);
    const auto near = readings.first(readings.size() - far.size());
    // The time from the join is no second opinion if the peer that we joined through answers as well.
    const std::size_t ours = is_confirmed ? near.size() + 1 : std::max<std::size_t>(near.size(), 1);
    ClockVote vote;
    vote.step = find_step(far, ours, is_confirmed || readings.size() >= kLeastAnswers);
    if (near.size() >= 2) vote.middle = find_middle(near);  // with one, either clock may be wrong
    return vote;
}

}  // namespace fray
