#pragma once
// The experiment of the plans time_warp_*: bots play Panzer on Time Warp, one peer per tank, over a simulated
// network. The parameter `engine` says which of the two modes: events, as published, or inputs.

#include "lab/workloads/tabled_experiment.hpp"
#include "lab/workloads/time_warp_event.hpp"
#include "lab/workloads/time_warp_input.hpp"

namespace fray::lab {

class TimeWarpMatch : public TabledExperiment {
public:
    TimeWarpMatch();
    /// Refuses a value for the other engine.
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    [[nodiscard]] const Experiment& engine(const Parameters& parameters) const;

    TimeWarpEvent event_;
    TimeWarpInput input_;
};

}  // namespace fray::lab
