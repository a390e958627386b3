#pragma once
// The experiment behind the plan time_warp_oracle: matches on Time Warp with losses, crashes, newcomers and a
// lag that changes; a witness executes everything once and in order, and compares all peers with it.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class TimeWarpOracle : public TabledExperiment {
public:
    TimeWarpOracle();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
