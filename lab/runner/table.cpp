#include "lab/runner/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fray::lab {

std::optional<std::size_t> Table::column(std::string_view name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
}

std::string row_label(const Table& table, const Row& row) {
    std::string label;
    for (std::size_t i = 0; i < table.varied_columns; ++i)
        label += fmt::format("{}{}={}", i == 0 ? "" : ", ", table.columns[i], to_short_text(row[i].value));
    return label;
}

std::string to_short_text(const Cell& cell) { return with_interval(cell.value, cell.summary.ci95()); }

std::string with_interval(const Value& mean, double half_width) {
    // Of the mean: an interval below this does not show in the digits that are printed.
    constexpr double kPrintedShare = 5e-5;
    const double size = std::abs(as_number(mean).value_or(0));
    if (half_width <= size * kPrintedShare) return to_short_text(mean);
    const std::string interval = rounded_text(half_width, 2);
    return interval == "~0" ? to_short_text(mean) : fmt::format("{} ± {}", to_short_text(mean), interval);
}

}  // namespace fray::lab
