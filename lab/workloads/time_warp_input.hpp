#pragma once
// The experiment behind the plans time_warp_players, time_warp_engine and time_warp_network: bots play Panzer
// on Time Warp in input mode, one peer per tank, over a simulated network.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class TimeWarpInput : public TabledExperiment {
public:
    TimeWarpInput();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
