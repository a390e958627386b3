#pragma once
// Players that move, look and fight as recorded in OpenArena, each with a peer of its own: whether attention
// finds the players that one aims at and fights with, and how far guided replicas are from the truth when
// updates come at a given interval, beside dead reckoning.

#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {

class DonnybrookTraces final : public TabledExperiment {
public:
    DonnybrookTraces();
    [[nodiscard]] Result<RunOutput> run(const Parameters& parameters, Seed seed,
                                        RunContext& context) const override;
};

}  // namespace fray::lab
