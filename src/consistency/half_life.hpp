#pragma once
// Section 5.4: the owner's screen is optimistic; the others wait until two words have come, and show what was
// between them. Nothing is predicted: without the second word it stands at the first.

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
