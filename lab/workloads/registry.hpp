#pragma once
// All experiments. A plan names one of them.

#include "lab/runner/experiment.hpp"

namespace fray::lab {

[[nodiscard]] Registry all_experiments();

}  // namespace fray::lab
