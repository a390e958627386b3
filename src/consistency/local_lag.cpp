#include "consistency/local_lag.hpp"

namespace fray {

Shown LocalLagAlgorithm::show(const Subject& subject, const Timeline& timeline, SessionInstant moment) const {
    if (moment > timeline.newest().when) return predict_straight(subject, timeline, moment);
    return as_it_was(*subject.world, timeline, moment);
}

}  // namespace fray
