#pragma once
// The self-contained page: the built web/ with the results in it.

#include "lab/report/collect.hpp"

#include <string>
#include <string_view>

namespace fray::lab {

/// What the page shows, as web/src/data.ts reads it. program: one line about who made the page.
[[nodiscard]] Json page_data(const Collected& collected, std::string_view program);
/// The page as a file. Texts of results are data in it, never markup.
[[nodiscard]] std::string report_page(const Collected& collected, std::string_view program);
/// The command that repeats a result: "fray lab run NAME --quick --seed 1 --replications 2".
[[nodiscard]] std::string command_of(const PlanResult& plan);

}  // namespace fray::lab
