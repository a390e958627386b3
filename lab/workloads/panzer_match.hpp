#pragma once
// The experiment behind the plan panzer_match: bots play Panzer on Fray, one peer per tank, over a simulated
// network.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class PanzerMatch : public TabledExperiment {
public:
    PanzerMatch();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
