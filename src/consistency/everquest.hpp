#pragma once
// Section 5.2: the owner's screen is optimistic, the others predict by dead reckoning from the last update. A
// validator, if chosen, relays valid updates and overrules the others.

#include "consistency/algorithm.hpp"

namespace fray {

class EverQuestAlgorithm final : public ConsistencyAlgorithm {
public:
    explicit EverQuestAlgorithm(const EverQuest& options) : options_{options} {}

    [[nodiscard]] Shown show(const Subject& subject, const Timeline& timeline,
                             SessionInstant moment) const override;
    [[nodiscard]] std::optional<PeerId> through() const override { return options_.validator; }

private:
    EverQuest options_;
};

}  // namespace fray
