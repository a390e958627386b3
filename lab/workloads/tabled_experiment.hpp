#pragma once
// Common to all experiments: parameters and columns, combined once from groups.

#include "lab/runner/experiment.hpp"

#include <initializer_list>
#include <utility>
#include <vector>

namespace fray::lab {

/// Concatenates the groups.
template <class Spec>
[[nodiscard]] std::vector<Spec> joined(std::initializer_list<std::vector<Spec>> groups) {
    std::vector<Spec> all;
    for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

class TabledExperiment : public Experiment {
public:
    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] std::span<const ParameterSpec> parameters() const override { return parameters_; }
    [[nodiscard]] std::span<const ColumnSpec> columns() const override { return columns_; }

protected:
    /// name: must be a literal, because it is kept.
    TabledExperiment(std::string_view name, std::vector<ParameterSpec> parameters,
                     std::vector<ColumnSpec> columns)
        : name_{name}, parameters_{std::move(parameters)}, columns_{std::move(columns)} {}

private:
    std::string_view name_;
    std::vector<ParameterSpec> parameters_;
    std::vector<ColumnSpec> columns_;
};

}  // namespace fray::lab
