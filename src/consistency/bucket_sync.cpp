#include "consistency/bucket_sync.hpp"

namespace fray {

Shown BucketSyncAlgorithm::show(const Subject& subject, const Timeline& timeline,
                                SessionInstant moment) const {
    return predict_by_model(subject, timeline, moment);
}

}  // namespace fray
