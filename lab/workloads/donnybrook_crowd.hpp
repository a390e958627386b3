#pragma once
// The experiments behind the plans of the crowd overlay: hundreds of tanks that all see each other, each with
// a home's upload.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

/// How long a crowd takes to form, and what its screens show then; where the bytes go, by purpose.
class DonnybrookCrowd : public TabledExperiment {
public:
    DonnybrookCrowd();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

/// Everybody watches one tank whose peer cannot feed them all.
class DonnybrookSkew : public TabledExperiment {
public:
    DonnybrookSkew();
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<void> check_files(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
