#include "lab/runner/figure.hpp"

#include "lab/metrics/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fray::lab {
namespace {

constexpr std::string_view kInterval = "_ci95";

/// Adds a point to the series of this name, which keeps the order in which names occur first.
void add_point(DrawnFigure& drawn, const std::string& name, FigurePoint point) {
    auto found = std::find_if(drawn.series.begin(), drawn.series.end(),
                              [&](const FigureSeries& series) { return series.name == name; });
    if (found == drawn.series.end()) {
        drawn.series.push_back({.name = name});
        found = drawn.series.end() - 1;
    }
    found->points.push_back(std::move(point));
}

/// The columns that distinguish the series besides the parameters: y, if there are several over one x.
std::string with_column(const std::string& name, const Figure& figure, const std::string& column) {
    if (figure.x.empty() || figure.y.size() < 2) return name;
    return name.empty() ? column : fmt::format("{}, {}", column, name);
}

std::optional<double> interval_of(const Table& table, const Row& row, std::string_view column) {
    const auto found = table.column(std::string{column} + std::string{kInterval});
    return found ? as_number(row[*found].value) : std::nullopt;
}

Value x_value(const Figure& figure, const Table& table, const Row& row, std::size_t y) {
    if (figure.x.empty()) return Value{figure.x_names.at(y)};
    if (figure.x == kCaseAxis) return Value{case_name(figure, table, row)};
    return row[*table.column(figure.x)].value;
}

void add_row(DrawnFigure& drawn, const Table& table, const Row& row) {
    const Figure& figure = drawn.figure;
    const std::string name = series_name(figure.series, table, row);
    for (std::size_t i = 0; i < figure.y.size(); ++i) {
        const auto y = as_number(row[*table.column(figure.y[i])].value);
        const Value x = x_value(figure, table, row, i);
        if (!y || std::holds_alternative<std::monostate>(x)) continue;
        add_point(drawn, with_column(name, figure, figure.y[i]),
                  {.x = x, .y = *y, .ci95 = interval_of(table, row, figure.y[i])});
    }
}

std::string missing_column(const Figure& figure, const Table& table) {
    std::vector<std::string> names = figure.series;
    if (figure.curve.empty()) {
        names.insert(names.end(), figure.y.begin(), figure.y.end());
        if (!figure.x.empty() && figure.x != kCaseAxis) names.push_back(figure.x);
    }
    for (const std::string& name : names) {
        if (!table.column(name)) return name;
    }
    return {};
}

std::optional<std::size_t> place_of(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

/// Values of all runs of one row, by x.
using Samples = std::map<double, std::vector<double>>;

void collect(const Curve& curve, std::size_t x, std::size_t y, Samples& samples) {
    for (const auto& values : curve.rows) {
        if (std::max(x, y) < values.size()) samples[values[x]].push_back(values[y]);
    }
}

Samples samples_of(const Figure& figure, const std::string& column, std::size_t row,
                   std::span<const CaseCurves> curves) {
    Samples samples;
    for (const CaseCurves& run : curves) {
        if (run.row != row) continue;
        for (const Curve& curve : run.curves) {
            const auto x = place_of(curve.columns, figure.x);
            const auto y = place_of(curve.columns, column);
            if (curve.name == figure.curve && x && y) collect(curve, *x, *y, samples);
        }
    }
    return samples;
}

void add_curves(DrawnFigure& drawn, const Table& table, std::size_t row, std::span<const CaseCurves> curves) {
    const Figure& figure = drawn.figure;
    const std::string name = series_name(figure.series, table, table.rows[row]);
    for (const std::string& column : figure.y) {
        for (const auto& [x, values] : samples_of(figure, column, row, curves)) {
            const Summary summary = summarize(values);
            const auto interval = summary.count < 2 ? std::nullopt : std::optional{summary.ci95()};
            add_point(drawn, with_column(name, figure, column),
                      {.x = Value{x}, .y = summary.mean, .ci95 = interval});
        }
    }
}

/// Lines are drawn from left to right, in whatever order the plan has its cases.
void sort_points(DrawnFigure& drawn) {
    if (drawn.figure.categories) return;
    for (FigureSeries& series : drawn.series) {
        std::stable_sort(series.points.begin(), series.points.end(),
                         [](const FigurePoint& a, const FigurePoint& b) {
                             return as_number(a.x).value_or(0) < as_number(b.x).value_or(0);
                         });
    }
}

}  // namespace

std::string_view to_string(FigureKind kind) {
    constexpr std::string_view kNames[] = {"line", "bar", "step"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(MarkSource source) {
    constexpr std::string_view kNames[] = {"printed", "text", "none"};
    return kNames[static_cast<std::size_t>(source)];
}

std::string series_name(std::span<const std::string> columns, const Table& table, const Row& row) {
    std::string name;
    for (const std::string& column : columns) {
        const Value& value = row[*table.column(column)].value;
        const bool is_text = std::holds_alternative<std::string>(value);
        name += fmt::format("{}{}{}", name.empty() ? "" : ", ", is_text ? "" : column + " ",
                            to_short_text(value));
    }
    return name;
}

std::string case_name(const Figure& figure, const Table& table, const Row& row) {
    std::vector<std::string> differing;
    for (std::size_t i = 0; i < table.varied_columns; ++i) {
        const std::string& name = table.columns[i];
        const bool named = place_of(figure.series, name).has_value() ||
                           std::any_of(figure.where.begin(), figure.where.end(),
                                       [&](const Condition& condition) { return condition.column == name; });
        if (!named && !same(row[i].value, table.rows.front()[i].value)) differing.push_back(name);
    }
    return differing.empty() ? "first case" : series_name(differing, table, row);
}

DrawnFigure draw(const Figure& figure, const Table& table, std::span<const CaseCurves> curves) {
    DrawnFigure drawn{.figure = figure};
    if (const std::string missing = missing_column(figure, table); !missing.empty()) {
        drawn.problem = fmt::format("the result has no column {}", missing);
        return drawn;
    }
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (!matches(figure.where, table, table.rows[i])) continue;
        if (figure.curve.empty())
            add_row(drawn, table, table.rows[i]);
        else
            add_curves(drawn, table, i, curves);
    }
    sort_points(drawn);
    if (drawn.series.empty()) drawn.problem = "this version of the plan measures nothing that is drawn here";
    return drawn;
}

}  // namespace fray::lab
