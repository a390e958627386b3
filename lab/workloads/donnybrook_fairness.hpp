#pragma once
// Fairness (Donnybrook, section IV-B): how well the scores of an hour of play reflect skill. The scores of a
// long match without a limit of upload (HiBW) are the expected ones. The same bots play again under a
// condition, and the scores of each hour are correlated with the expected scores.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class DonnybrookFairness final : public TabledExperiment {
public:
    DonnybrookFairness();
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
