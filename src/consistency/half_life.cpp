#include "consistency/half_life.hpp"

namespace fray {

Shown HalfLifeAlgorithm::show(const Subject& subject, const Timeline& timeline, SessionInstant moment) const {
    return as_it_was(*subject.world, timeline, moment);
}

}  // namespace fray
