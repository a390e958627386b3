#pragma once
// The experiment behind the plans time_warp_rollbacks, time_warp_lateness and time_warp_behaviour: bots play
// Panzer in event mode, Time Warp as it was published (Panzer Battalion).

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class TimeWarpEvent : public TabledExperiment {
public:
    TimeWarpEvent();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
