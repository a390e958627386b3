#include "lab/metrics/clock_meter.hpp"

#include <cmath>
#include <optional>

namespace fray::lab {

ClockMeter::ClockMeter(const Swarm& swarm, Duration settling)
    : swarm_{swarm}, settling_{settling}, errors_{0, 0.01, 100'000} {}  // to 1 s

void ClockMeter::on_started(Duration at, PeerIndex index, const Peer&) {
    if (index >= since_.size()) since_.resize(index + 1);
    since_[index] = at;
}

void ClockMeter::sample() {
    std::optional<PeerIndex> oldest;
    for (PeerIndex i = 0; i < since_.size(); ++i) {
        if (swarm_.alive(i) && (!oldest || since_[i] < since_[*oldest])) oldest = i;
    }
    if (!oldest) return;
    const SessionInstant truth = swarm_.peer(*oldest).session_time(swarm_.local_now(*oldest));
    for (PeerIndex i = 0; i < since_.size(); ++i) {
        if (i == *oldest || !swarm_.alive(i) || swarm_.now() - since_[i] < settling_) continue;
        errors_.add(std::abs(millis(swarm_.peer(i).session_time(swarm_.local_now(i)) - truth)));
    }
}

}  // namespace fray::lab
