#include "lab/runner/figure_loader.hpp"

#include "lab/runner/nearest.hpp"
#include "lab/runner/selection_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fray::lab {
namespace {

const std::vector<std::string> kFigureKeys{
    "title",  "paper", "note",       "kind",    "marks_from", "curve",   "x",       "x_names", "y",
    "series", "where", "categories", "x_label", "y_label",    "x_scale", "y_scale", "marks"};
const std::vector<std::string> kMarkKeys{"x", "y", "y_low", "y_high", "series", "label"};

class FigureLoader {
public:
    FigureLoader(const toml::table& table, const Plan& plan, Complaint& complaint)
        : table_{table},
          reader_{table, "[[figure]]", kFigureKeys, complaint},
          plan_{plan},
          columns_{plan.columns()},
          parameters_{plan.parameter_names()},
          complaint_{complaint} {}

    Figure load();

private:
    void load_texts();
    void load_columns();
    void load_x();
    void load_axes();
    void load_marks();
    FigureMark mark(const toml::table& table);
    void check_mark(const toml::table& table, const FigureMark& mark);
    void check_parameters(std::string_view key, const std::vector<std::string>& names);
    [[nodiscard]] std::set<std::string> series_names() const;
    void check_rows();
    [[nodiscard]] std::string x_text(const Table& table, const Row& row) const;
    [[nodiscard]] bool where_needs_only_parameters() const;
    [[nodiscard]] std::string axis_label(const std::string& column) const;

    const toml::table& table_;
    TableReader reader_;
    const Plan& plan_;
    std::vector<std::string> columns_;
    std::vector<std::string> parameters_;
    Complaint& complaint_;
    Figure figure_{};
};

/// The plan's cases as a table without measurements.
Table parameter_table(const Plan& plan) {
    Table table{.columns = plan.parameter_names(), .varied_columns = plan.varied.size()};
    table.parameter_columns = table.columns.size();
    for (const Case& one : plan.cases) {
        Row row;
        for (const std::string& name : table.columns) row.push_back({.value = *one.all.find(name)});
        table.rows.push_back(std::move(row));
    }
    return table;
}

void FigureLoader::load_texts() {
    figure_.title = reader_.text("title");
    figure_.paper = reader_.text_or("paper", plan_.paper);
    figure_.note = reader_.text_or("note", "");
    const std::vector<std::string> kinds{"line", "bar", "step"};
    const std::string kind = reader_.choice("kind", kinds, "line");
    figure_.kind = static_cast<FigureKind>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
    const std::vector<std::string> sources{"printed", "text", "none"};
    const std::string source = reader_.choice("marks_from", sources, "none");
    figure_.source =
        static_cast<MarkSource>(std::find(sources.begin(), sources.end(), source) - sources.begin());
}

void FigureLoader::check_parameters(std::string_view key, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (std::find(parameters_.begin(), parameters_.end(), name) != parameters_.end()) continue;
        reader_.complain(
            key, fmt::format("names {}, which is no parameter{}", name, suggestion(name, parameters_)));
    }
}

void FigureLoader::load_columns() {
    figure_.curve = reader_.text_or("curve", "");
    figure_.y = reader_.texts("y");
    if (figure_.y.empty()) reader_.complain("y", "is missing (a list of columns was expected)");
    figure_.series = reader_.texts("series");
    check_parameters("series", figure_.series);
    figure_.where = load_selection(reader_.table("where"), columns_, complaint_);
    if (!figure_.curve.empty()) return;  // its columns are known only when it has run
    for (const std::string& name : figure_.y) {
        if (std::find(columns_.begin(), columns_.end(), name) == columns_.end())
            reader_.complain("y",
                             fmt::format("names {}, which is no column{}", name, suggestion(name, columns_)));
    }
}

void FigureLoader::load_x() {
    figure_.x = reader_.text_or("x", "");
    figure_.x_names = reader_.texts("x_names");
    if (!figure_.x.empty() && figure_.x != kCaseAxis && figure_.curve.empty())
        check_column(reader_.find("x")->source(), figure_.x, columns_, complaint_);
    if (figure_.x.empty() && !figure_.curve.empty())
        reader_.complain("x", "is missing (a column of the curve was expected)");
    if (!figure_.x.empty() && !figure_.x_names.empty())
        reader_.complain("x_names", "goes with columns of y as places on the x axis, without x");
    if (figure_.x == kCaseAxis && !figure_.curve.empty())
        reader_.complain("x", "must be a column of the curve");
    if (!figure_.x.empty()) return;
    if (figure_.x_names.empty()) figure_.x_names = figure_.y;
    if (figure_.x_names.size() != figure_.y.size())
        reader_.complain("x_names",
                         fmt::format("must name {} places, one per column of y", figure_.y.size()));
}

std::string FigureLoader::axis_label(const std::string& column) const {
    std::string label = column;
    std::replace(label.begin(), label.end(), '_', ' ');
    return label;
}

void FigureLoader::load_axes() {
    const std::string y = figure_.y.empty() ? std::string{} : figure_.y.front();
    figure_.x_axis.label =
        reader_.text_or("x_label", figure_.x == kCaseAxis ? std::string{} : axis_label(figure_.x));
    figure_.y_axis.label = reader_.text_or("y_label", axis_label(y));
    figure_.x_axis.log = reader_.choice("x_scale", {"linear", "log"}, "linear") == "log";
    figure_.y_axis.log = reader_.choice("y_scale", {"linear", "log"}, "linear") == "log";
    const bool places = figure_.x.empty() || figure_.x == kCaseAxis || figure_.kind == FigureKind::bar;
    figure_.categories = reader_.flag_or("categories", places);
    if (figure_.categories && figure_.x_axis.log)
        reader_.complain("x_scale", "does not go with categories, which are at equal distances");
    if (figure_.y_axis.log && figure_.kind != FigureKind::line)
        reader_.complain("y_scale", "must be linear for bars and steps, which begin at 0");
}

FigureMark FigureLoader::mark(const toml::table& table) {
    TableReader reader{table, "marks", kMarkKeys, complaint_};
    FigureMark mark;
    if (const toml::node* x = reader.find("x")) mark.x = read_value(*x, "x", complaint_);
    mark.y = reader.number("y");
    mark.y_low = reader.number("y_low");
    mark.y_high = reader.number("y_high");
    mark.series = reader.text_or("series", "");
    mark.label = reader.text("label");
    return mark;
}

void FigureLoader::check_mark(const toml::table& table, const FigureMark& mark) {
    const bool band = mark.y_low.has_value() && mark.y_high.has_value();
    const bool half_a_band = mark.y_low.has_value() != mark.y_high.has_value();
    const bool nothing = !mark.y && !band && !as_number(mark.x);
    if (half_a_band || nothing || (band && mark.y))
        complaint_.about(table, "marks: y, or y_low and y_high, or a number x was expected");
    if (band && *mark.y_low > *mark.y_high) complaint_.about(table, "marks: y_low must not be above y_high");
    // A quick version may leave out cases, and so the series of a mark.
    if (mark.series.empty() || plan_.is_smaller()) return;
    const std::set<std::string> names = series_names();
    if (names.contains(mark.series)) return;
    const std::vector<std::string> list(names.begin(), names.end());
    complaint_.about(
        table, fmt::format("marks: no series is named {}{}", mark.series, suggestion(mark.series, list)));
}

std::set<std::string> FigureLoader::series_names() const {
    const Table table = parameter_table(plan_);
    std::set<std::string> names;
    for (const Row& row : table.rows) {
        const std::string name = series_name(figure_.series, table, row);
        names.insert(name);
        for (const std::string& column : figure_.y)
            names.insert(name.empty() ? column : fmt::format("{}, {}", column, name));
    }
    return names;
}

void FigureLoader::load_marks() {
    const toml::node* node = reader_.find("marks");
    if (node != nullptr && figure_.source == MarkSource::none)
        reader_.complain("marks_from",
                         "is missing: are the marks printed in the paper, or said in its text?");
    for (const toml::table* table : reader_.tables("marks")) {
        FigureMark one = mark(*table);
        if (complaint_.none()) check_mark(*table, one);
        figure_.marks.push_back(std::move(one));
    }
}

bool FigureLoader::where_needs_only_parameters() const {
    return std::all_of(figure_.where.begin(), figure_.where.end(), [this](const Condition& condition) {
        return std::find(parameters_.begin(), parameters_.end(), condition.column) != parameters_.end();
    });
}

/// Of a parameter or a case; empty for places that all rows share.
std::string FigureLoader::x_text(const Table& table, const Row& row) const {
    if (figure_.x.empty() || !figure_.curve.empty()) return {};
    if (figure_.x == kCaseAxis) return case_name(figure_, table, row);
    return to_text(row[*table.column(figure_.x)].value);
}

/// Two rows at one place of one series would be drawn over each other.
void FigureLoader::check_rows() {
    const bool x_is_parameter =
        figure_.x.empty() || figure_.x == kCaseAxis ||
        std::find(parameters_.begin(), parameters_.end(), figure_.x) != parameters_.end();
    if (!where_needs_only_parameters() || (!x_is_parameter && figure_.curve.empty())) return;
    const Table table = parameter_table(plan_);
    std::set<std::string> seen;
    for (const Row& row : table.rows) {
        if (!matches(figure_.where, table, row)) continue;
        const std::string x = x_text(table, row);
        const std::string name = series_name(figure_.series, table, row);
        if (seen.insert(x + '\n' + name).second) continue;
        return complaint_.about(table_,
                                fmt::format("[[figure]]: two rows would be drawn at the same place ({}); "
                                            "name what distinguishes them in series or where",
                                            row_label(table, row)));
    }
}

Figure FigureLoader::load() {
    load_texts();
    load_columns();
    load_x();
    load_axes();
    if (complaint_.none()) load_marks();
    if (complaint_.none()) check_rows();
    return figure_;
}

}  // namespace

Figure load_figure(const toml::table& table, const Plan& plan, Complaint& complaint) {
    return FigureLoader{table, plan, complaint}.load();
}

}  // namespace fray::lab
