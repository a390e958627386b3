#pragma once
// Section 5.3: all screens are behind by the same time, so they show the same. An update that did not arrive
// in time is predicted. When it arrives it is inserted into the timeline and the shown pose is repaired at
// once (Mauve's Time Warp, for an entity that only its owner moves).

#include "consistency/algorithm.hpp"

namespace fray {

class LocalLagAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit LocalLagAlgorithm(const LocalLag& options) : lag_{options.lag} {}

    [[nodiscard]] Duration own_lag() const override { return lag_; }
    [[nodiscard]] Duration remote_lag() const override { return lag_; }
    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;

private:
    Duration lag_;
};

}  // namespace fray
