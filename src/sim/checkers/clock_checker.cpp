#include "sim/checkers/clock_checker.hpp"

#include <algorithm>

namespace fray::sim {

void ClockChecker::on_started(Duration at, PeerIndex index, const Peer&) {
    if (joined_.size() <= index) joined_.resize(index + std::size_t{1});
    joined_[index].reset();
    if (!any_started_) joined_[index] = at;
    any_started_ = true;
}

void ClockChecker::on_event(Duration at, PeerIndex index, const Event& event) {
    if (std::holds_alternative<Joined>(event)) joined_[index] = at;
}

void ClockChecker::sample() {
    if (swarm().size() == 0) return;
    const SessionInstant truth = swarm().session_time(swarm().now());
    for (PeerIndex index = 0; index < swarm().size(); ++index) {
        if (!swarm().alive(index) || !joined_[index] || swarm().now() < *joined_[index] + settle_) continue;
        const SessionInstant shown = swarm().peer(index).session_time(swarm().local_now(index));
        const Duration error = shown - truth;
        errors_.push_back(error.count() < 0 ? -error : error);
        if (errors_.back() <= most_) continue;
        violation("peer " + std::to_string(index) + " is " + std::to_string(error.count()) + " us off at " +
                  time_text(swarm().now()));
    }
}

Duration ClockChecker::quantile(double share) const {
    if (errors_.empty()) return {};
    std::vector<Duration> sorted = errors_;
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
    return sorted[static_cast<std::size_t>(at)];
}

}  // namespace fray::sim
