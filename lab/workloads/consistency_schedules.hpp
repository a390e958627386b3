#pragma once
// Experiment "consistency_schedules": over a network that changes all the time, does it pay to follow it? One
// run plays the same game over the same schedule with the adaptive algorithm as it ships, and with its lag
// fixed, once for every lag it may choose; the best of these is what hindsight would have chosen.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class ConsistencySchedules final : public TabledExperiment {
public:
    ConsistencySchedules();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
