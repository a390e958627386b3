#include "consistency/algorithm.hpp"

#include "consistency/adaptive.hpp"
#include "consistency/bucket_sync.hpp"
#include "consistency/centralized_serialization.hpp"
#include "consistency/everquest.hpp"
#include "consistency/half_life.hpp"
#include "consistency/local_lag.hpp"
#include "core/motion.hpp"

#include <algorithm>

namespace fray {

namespace {

struct Maker {
    std::unique_ptr<ConsistencyAlgorithm> operator()(const EverQuest& o) const {
        return std::make_unique<EverQuestAlgorithm>(o);
    }
    std::unique_ptr<ConsistencyAlgorithm> operator()(const CentralizedSerialization& o) const {
        return std::make_unique<CentralizedSerializationAlgorithm>(o);
    }
    std::unique_ptr<ConsistencyAlgorithm> operator()(const LocalLag& o) const {
        return std::make_unique<LocalLagAlgorithm>(o);
    }
    std::unique_ptr<ConsistencyAlgorithm> operator()(const BucketSync& o) const {
        return std::make_unique<BucketSyncAlgorithm>(o);
    }
    std::unique_ptr<ConsistencyAlgorithm> operator()(const HalfLife& o) const {
        return std::make_unique<HalfLifeAlgorithm>(o);
    }
    std::unique_ptr<ConsistencyAlgorithm> operator()(const Adaptive& o) const {
        return std::make_unique<AdaptiveAlgorithm>(o);
    }
};

}  // namespace

void ConsistencyAlgorithm::learn(const Subject&, const Timeline&, SessionInstant) {}
void ConsistencyAlgorithm::inherit(const ConsistencyAlgorithm&) {}

std::unique_ptr<ConsistencyAlgorithm> make_algorithm(const Consistency& consistency) {
    return std::visit(Maker{}, consistency.algorithm);
}

Duration beyond(const Subject& subject, const Timeline& timeline, SessionInstant moment) {
    return std::clamp(moment - timeline.newest().when, Duration{0}, subject.horizon);
}

Shown predict_straight(const Subject& subject, const Timeline& timeline, SessionInstant moment) {
    const Moment& newest = timeline.newest();
    if (moment <= newest.when) return as_it_was(*subject.world, timeline, moment);
    const Duration ahead = beyond(subject, timeline, moment);
    return {straight_on(*subject.world, newest.pose, ahead), newest.when, newest.when + ahead};
}

Shown predict_by_model(const Subject& subject, const Timeline& timeline, SessionInstant moment) {
    const Moment& newest = timeline.newest();
    if (moment <= newest.when) return as_it_was(*subject.world, timeline, moment);
    return extrapolate(subject,
                       {.number = {},
                        .type = subject.type,
                        .pose = newest.pose,
                        .when = newest.when,
                        .payload = newest.payload,
                        .input = newest.input},
                       moment);
}

Shown extrapolate(const Subject& subject, const HeardState& newest, SessionInstant moment) {
    const Duration ahead = std::clamp(moment - newest.when, Duration{0}, subject.horizon);
    const Pose pose = go_on(*subject.world, newest.type, newest.pose, newest.payload, newest.input, ahead);
    return {pose, newest.when, newest.when + ahead};
}

}  // namespace fray
