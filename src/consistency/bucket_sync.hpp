#pragma once
// Section 4.3, the variant of local lag that Age of Empires uses: the input of one bucket takes effect at the
// beginning of a later one, on all screens. InputBuckets accounts for the first bucket of this delay: it
// tells the game which input to apply now. The rest is a lag of all screens.

#include "consistency/algorithm.hpp"

namespace fray {

class BucketSyncAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit BucketSyncAlgorithm(const BucketSync& options) : lag_{options.bucket * (options.depth - 1)} {}

    [[nodiscard]] Duration own_lag() const override { return lag_; }
    [[nodiscard]] Duration remote_lag() const override { return lag_; }
    /// The input does not change within a bucket: the motion model continues with that of the last update.
    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;

private:
    Duration lag_;
};

}  // namespace fray
