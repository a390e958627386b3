#pragma once
// Every figure and table of the four papers, and the plans that measure it.

#include <span>
#include <string_view>
#include <vector>

namespace fray::lab {

struct PaperFigure {
    std::string_view id;     ///< "Fig. 3a"
    std::string_view title;  ///< what it shows
    std::vector<std::string_view> plans{};
    /// The `paper` of the plan's [[figure]], as the claims name it; empty: all claims of the plan are about
    /// it.
    std::string_view figure{};
    /// Why there is no verdict: a drawing, or an experiment with people. Empty: the plans give one.
    std::string_view no_verdict{};
};

struct Paper {
    std::string_view name;  ///< short, as in docs/references.md
    std::string_view title;
    std::vector<PaperFigure> figures;
};

[[nodiscard]] std::span<const Paper> all_papers();

}  // namespace fray::lab
