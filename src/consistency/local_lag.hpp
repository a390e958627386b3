#pragma once
// Section 5.3: all screens are the same time behind, so that they show the same. What did not arrive in time
// is predicted; when it arrives it takes its place in the timeline, and what is shown follows from it at once
// (the repair of Mauve's Time Warp, for an entity that nobody but its owner moves).

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
