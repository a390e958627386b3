#include "consistency/bucket_sync.hpp"

namespace fray {

Shown BucketSyncAlgorithm::show(const Subject& subject, const Timeline& timeline,
                                SessionInstant moment) const {
    if (moment > timeline.newest().when) return predict_by_model(subject, timeline, moment);
    return as_it_was(*subject.world, timeline, moment);
}

}  // namespace fray
