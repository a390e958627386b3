#pragma once
// Experiment "consistency": a recorded game of Snagger under one consistency algorithm and one network.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class ConsistencyExperiment final : public TabledExperiment {
public:
    ConsistencyExperiment();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
