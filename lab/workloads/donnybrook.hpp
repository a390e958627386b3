#pragma once
// The experiments behind the Donnybrook plans: many players in one place, on a home upload.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

/// Players in a full mesh that all see each other (Fig. 4): how often each one hears of the others, by
/// broadcast and with focus sets.
class DonnybrookScalability : public TabledExperiment {
public:
    DonnybrookScalability();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
