#pragma once
// Experiment "consistency_schedules": is it worthwhile to follow a network that changes all the time? One run
// plays the same game over the same schedule with the adaptive algorithm as shipped, and with each fixed lag
// that it may choose; the best of these is the choice in hindsight.

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
