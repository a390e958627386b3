#include "consistency/everquest.hpp"

namespace fray {

Shown EverQuestAlgorithm::show(const Subject& subject, const Timeline& timeline,
                               SessionInstant moment) const {
    return options_.motion_model ? predict_by_model(subject, timeline, moment)
                                 : predict_straight(subject, timeline, moment);
}

}  // namespace fray
