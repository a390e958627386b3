#pragma once
// The experiment behind the psense plans: moving players and how well they know each other, over pSense or a
// client/server system.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class PSenseExperiment : public TabledExperiment {
public:
    PSenseExperiment();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] bool records(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
