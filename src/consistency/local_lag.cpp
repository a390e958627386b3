#include "consistency/local_lag.hpp"

namespace fray {

Shown LocalLagAlgorithm::show(const Subject& subject, const Timeline& timeline, SessionInstant moment) const {
    return predict_straight(subject, timeline, moment);
}

}  // namespace fray
