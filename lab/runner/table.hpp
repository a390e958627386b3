#pragma once
// The aggregated result of a plan: one row per case.

#include "lab/metrics/statistics.hpp"
#include "lab/runner/value.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

struct Cell {
    Value value{};
    Summary summary{};           ///< of the runs, if the value is their mean
    std::vector<double> runs{};  ///< their values, by replication
};
using Row = std::vector<Cell>;

/// Column order: parameters that differ between cases, other parameters, measurements.
struct Table {
    std::vector<std::string> columns{};
    std::size_t varied_columns = 0;
    std::size_t parameter_columns = 0;
    std::vector<Row> rows{};

    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// The parameters that distinguish this row from the others: "players=600, mode=paper".
[[nodiscard]] std::string row_label(const Table& table, const Row& row);
/// "1.15 ± 0.02" if there is a spread.
[[nodiscard]] std::string to_short_text(const Cell& cell);
/// The same from a mean and half the width of its interval; without the latter if it is 0 or below rounding.
[[nodiscard]] std::string with_interval(const Value& mean, double half_width);

}  // namespace fray::lab
