#pragma once
// Whether a figure of a paper, or a plan, comes out.

#include "lab/report/collect.hpp"
#include "lab/report/papers.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

enum class FigureVerdict : std::uint8_t { holds, in_part, does_not, not_run };
[[nodiscard]] std::string_view to_string(FigureVerdict verdict);

struct Judged {
    FigureVerdict verdict = FigureVerdict::not_run;
    std::string reason{};        ///< for not_run, and how many claims hold otherwise
    std::vector<Json> claims{};  ///< that decided
};

/// By the claims that say what the paper says.
[[nodiscard]] Judged judge(const PaperFigure& figure, const std::vector<PlanResult>& plans);
/// By all claims of the plan.
[[nodiscard]] Judged judge(const PlanResult& plan);

}  // namespace fray::lab
