#pragma once
// The experiments behind the foundation plans: walking players in a simulated network, most of them in one
// full mesh.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

/// All-to-all under loss and an upload cap.
class FoundationMesh : public TabledExperiment {
public:
    FoundationMesh();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] bool records(const Parameters&) const override { return true; }
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// Loss, copies, reordering, crashes and rejoins, and a partition that heals.
class FoundationFaults : public TabledExperiment {
public:
    FoundationFaults();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] bool records(const Parameters&) const override { return true; }
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// How long a session takes to form when all peers join at once: a full mesh over a network with a capped
/// upload, or an open world of pSense in rounds. The game calls join once and never again.
class FoundationForming : public TabledExperiment {
public:
    FoundationForming();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] bool records(const Parameters&) const override { return true; }
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// Built-in and measured networks as a game sees them: pings by messages.
class FoundationProfiles : public TabledExperiment {
public:
    FoundationProfiles();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] bool records(const Parameters&) const override { return true; }
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
