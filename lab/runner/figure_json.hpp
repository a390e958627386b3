#pragma once
// Drawn figures as they stand in result.json, for fray report. Includes nlohmann/json.

#include "lab/runner/figure.hpp"
#include "lab/runner/json_value.hpp"

#include <span>

namespace fray::lab {

[[nodiscard]] Json figures_json(std::span<const DrawnFigure> figures);

}  // namespace fray::lab
