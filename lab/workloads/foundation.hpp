#pragma once
// The experiments behind the foundation plans: one full mesh of walking players in a simulated network.

#include "lab/runner/experiment.hpp"

#include <vector>

namespace fray::lab {

/// All-to-all under loss and an upload cap.
class FoundationMesh : public Experiment {
public:
    FoundationMesh();
    [[nodiscard]] std::string_view name() const override { return "foundation_mesh"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    std::vector<ParameterSpec> parameters_;
    std::vector<ColumnSpec> columns_;
};

/// Loss, copies, reordering, crashes and rejoins, and a partition that heals.
class FoundationFaults : public Experiment {
public:
    FoundationFaults();
    [[nodiscard]] std::string_view name() const override { return "foundation_faults"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    std::vector<ParameterSpec> parameters_;
    std::vector<ColumnSpec> columns_;
};

/// What the built-in networks are like, seen from a game: pings by messages.
class FoundationProfiles : public Experiment {
public:
    FoundationProfiles();
    [[nodiscard]] std::string_view name() const override { return "foundation_profiles"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    std::vector<ParameterSpec> parameters_;
    std::vector<ColumnSpec> columns_;
};

}  // namespace fray::lab
