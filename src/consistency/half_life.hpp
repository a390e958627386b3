#pragma once
// Section 5.4: the owner's screen is optimistic; the others show the entity `remote_lag` ago, interpolated
// between two updates. Nothing is predicted: without the second update the entity stands still at the first.

#include "consistency/algorithm.hpp"

namespace fray {

class HalfLifeAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit HalfLifeAlgorithm(const HalfLife& options) : lag_{options.remote_lag} {}

    [[nodiscard]] Duration remote_lag() const override { return lag_; }
    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;

private:
    Duration lag_;
};

}  // namespace fray
