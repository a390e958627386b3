#include "lab/runner/table.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string to_short_text(const Cell& cell) {
    const double spread = cell.summary.ci95();
    if (spread == 0) return to_short_text(cell.value);
    return fmt::format("{} ± {}", to_short_text(cell.value), fmt::format("{:.2g}", spread));
}

}  // namespace fray::lab
