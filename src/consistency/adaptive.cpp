#include "consistency/adaptive.hpp"

#include "core/motion.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr double kNoticed = 0.05;   // s: of response time
constexpr double kTolerable = 0.1;  // s: of extrapolation

}  // namespace

Shown AdaptiveAlgorithm::show(const Subject& subject, const Timeline& timeline, SessionInstant moment) const {
    const Moment& last = timeline.newest();
    if (moment <= last.when) return as_it_was(*subject.world, timeline, moment);
    // Habits call the motion model many times: bounds the work, whatever horizon the owner chose.
    const Duration ahead = std::min(beyond(subject, timeline, moment), kMaxExtrapolation);
    return {habits_.ahead_of(subject, last, ahead), last.when, last.when + ahead};
}

void AdaptiveAlgorithm::learn(const Subject&, const Timeline& timeline, SessionInstant) {
    habits_.learn(timeline);
}

void AdaptiveAlgorithm::inherit(const ConsistencyAlgorithm& former) {
    if (const auto* adaptive = dynamic_cast<const AdaptiveAlgorithm*>(&former)) habits_ = adaptive->habits_;
}

double lag_cost(Duration lag, Duration ahead) {
    const double forecast = std::max(seconds(ahead), 0.0) / kTolerable;
    return 2 * seconds(lag) / kNoticed + forecast * forecast;
}

Duration best_lag(const SeenNetwork& network, Duration interval, const Adaptive& options) {
    const double ahead =
        seconds(network.delay) + seconds(interval) * (0.5 + network.loss) + 2 * seconds(network.jitter);
    // The cost falls while 2 (ahead - lag) / tolerable^2 > 2 / noticed.
    constexpr double kBearable = kTolerable * kTolerable / kNoticed;
    return std::clamp(from_seconds(ahead - kBearable), options.least_lag, options.most_lag);
}

}  // namespace fray
