#pragma once
// The experiments behind the foundation plans: one full mesh of walking players in a simulated network.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

/// All-to-all under loss and an upload cap.
class FoundationMesh : public TabledExperiment {
public:
    FoundationMesh();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// Loss, copies, reordering, crashes and rejoins, and a partition that heals.
class FoundationFaults : public TabledExperiment {
public:
    FoundationFaults();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// What networks are like, built-in and measured ones, seen from a game: pings by messages.
class FoundationProfiles : public TabledExperiment {
public:
    FoundationProfiles();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
