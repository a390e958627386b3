#include "consistency/adaptive.hpp"

#include "core/motion.hpp"

#include <algorithm>

namespace fray {

Shown AdaptiveAlgorithm::show(const Subject& subject, const Timeline& timeline, SessionInstant moment) const {
    const Moment& last = timeline.newest();
    if (moment <= last.when) return as_it_was(*subject.world, timeline, moment);
    // A forecast asks the motion model many times: whatever horizon its owner wants, no longer than this.
    const Duration ahead = std::min(beyond(subject, timeline, moment), kMaxExtrapolation);
    return {habits_.ahead_of(subject, last, ahead), last.when, last.when + ahead};
}

void AdaptiveAlgorithm::learn(const Subject&, const Timeline& timeline, SessionInstant) {
    habits_.learn(timeline);
}

void AdaptiveAlgorithm::inherit(const ConsistencyAlgorithm& former) {
    if (const auto* adaptive = dynamic_cast<const AdaptiveAlgorithm*>(&former)) habits_ = adaptive->habits_;
}

Duration best_lag(const SeenNetwork& network, Duration interval, Duration most) {
    const double ahead =
        seconds(network.delay) + seconds(interval) * (0.5 + network.loss) + 2 * seconds(network.jitter);
    // The cost falls while 2 (ahead - lag) / 0.1^2 > 2 / 0.05.
    constexpr double kBearable = 0.1 * 0.1 / 0.05;
    return std::clamp(from_seconds(ahead - kBearable), Duration{0}, most);
}

}  // namespace fray
