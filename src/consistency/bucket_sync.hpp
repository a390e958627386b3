#pragma once
// Section 4.3, the variant of local lag that Age of Empires uses: what is done in one bucket takes effect at
// the beginning of a later one, on all screens. The first bucket of the wait is in InputBuckets, which tells
// the game what to do now; the others are a lag of all screens.

#include "consistency/algorithm.hpp"

namespace fray {

class BucketSyncAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit BucketSyncAlgorithm(const BucketSync& options) : lag_{options.bucket * (options.depth - 1)} {}

    [[nodiscard]] Duration own_lag() const override { return lag_; }
    [[nodiscard]] Duration remote_lag() const override { return lag_; }
    /// Within a bucket nothing new is done: the motion model goes on with what the last word said.
    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;

private:
    Duration lag_;
};

}  // namespace fray
