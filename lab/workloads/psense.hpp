#pragma once
// The experiment behind the psense plans: moving players and how well they know each other, over pSense or a
// client/server system.

#include "lab/runner/experiment.hpp"

#include <vector>

namespace fray::lab {

class PSenseExperiment : public Experiment {
public:
    PSenseExperiment();
    [[nodiscard]] std::string_view name() const override { return "psense"; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }
    [[nodiscard]] Result<void> check(const Parameters& parameters) const override;
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;

private:
    std::vector<ParameterSpec> parameters_;
    std::vector<ColumnSpec> columns_;
};

}  // namespace fray::lab
