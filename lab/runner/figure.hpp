#pragma once
// A figure of a plan, as data: which columns are drawn over which, and what the paper printed. Described in
// lab/plans/README.md. fray report draws it; nothing here knows how.

#include "lab/runner/claim.hpp"
#include "lab/runner/experiment.hpp"
#include "lab/runner/table.hpp"
#include "lab/runner/value.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fray::lab {

enum class FigureKind : std::uint8_t {
    line,
    bar,
    step,  ///< a histogram: x is the lower edge of a bin
};
[[nodiscard]] std::string_view to_string(FigureKind kind);

/// Where the marks come from.
enum class MarkSource : std::uint8_t {
    printed,  ///< numbers printed in the paper's table or figure
    text,     ///< the figure prints none: what the paper's text says about it
    none,     ///< no paper has this figure
};
[[nodiscard]] std::string_view to_string(MarkSource source);

/// What the paper says: a point (x, y), a level (y), or a band (y_low to y_high), which may be limited to an
/// x.
struct FigureMark {
    Value x{};
    std::optional<double> y{};
    std::optional<double> y_low{};
    std::optional<double> y_high{};
    std::string series{};  ///< the name of the series it belongs to; empty: all
    std::string label{};
};

struct FigureAxis {
    std::string label{};
    bool log = false;
};

inline constexpr std::string_view kCaseAxis = "case";

struct Figure {
    std::string title;
    std::string paper;  ///< "pSense Fig. 3b"
    std::string note{};
    FigureKind kind = FigureKind::line;
    MarkSource source = MarkSource::none;
    std::string curve{};  ///< values over time instead of rows: of the experiment's curve with this name
    /// A column; kCaseAxis: what distinguishes each row; empty: each column of y is a place on the x axis.
    std::string x{};
    std::vector<std::string> x_names{};  ///< of these places
    std::vector<std::string> y{};
    std::vector<std::string> series{};  ///< parameters: one line or colour per combination of their values
    Selection where{};
    bool categories = false;  ///< every x is a place of its own, at equal distances
    FigureAxis x_axis{};
    FigureAxis y_axis{};
    std::vector<FigureMark> marks{};
};

struct FigurePoint {
    Value x{};
    double y = 0;
    std::optional<double> ci95{};  ///< half the width of the interval
};

struct FigureSeries {
    std::string name;
    std::vector<FigurePoint> points{};
};

/// A figure with its values.
struct DrawnFigure {
    Figure figure;
    std::vector<FigureSeries> series{};
    std::string problem{};  ///< why there are no values; empty: there are
};

/// The curves of one run.
struct CaseCurves {
    std::size_t row = 0;  ///< of the table
    std::span<const Curve> curves{};
};

/// "psense, players 300": text values alone, others with the column's name.
[[nodiscard]] std::string series_name(std::span<const std::string> columns, const Table& table,
                                      const Row& row);

/// The parameters of a row that differ from the first row, without those that series and where name:
/// "hop_limit 1, area 3".
[[nodiscard]] std::string case_name(const Figure& figure, const Table& table, const Row& row);

/// Cells without a number are left out. Values of curves are means over the runs.
[[nodiscard]] DrawnFigure draw(const Figure& figure, const Table& table, std::span<const CaseCurves> curves);

}  // namespace fray::lab
