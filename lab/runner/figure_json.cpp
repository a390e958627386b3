#include "lab/runner/figure_json.hpp"

namespace fray::lab {
namespace {

Json axis_json(const FigureAxis& axis) {
    return {{"label", axis.label}, {"scale", axis.log ? "log" : "linear"}};
}

/// Keys without a value are left out.
Json mark_json(const FigureMark& mark) {
    Json json{{"label", mark.label}};
    if (!std::holds_alternative<std::monostate>(mark.x)) json["x"] = to_json(mark.x);
    if (mark.y) json["y"] = *mark.y;
    if (mark.y_low) json["y_low"] = *mark.y_low;
    if (mark.y_high) json["y_high"] = *mark.y_high;
    if (!mark.series.empty()) json["series"] = mark.series;
    return json;
}

/// A point is [x, y] or [x, y, half width of the interval]: short, because curves have hundreds.
Json series_json(const FigureSeries& series) {
    Json points = Json::array();
    for (const FigurePoint& point : series.points) {
        Json numbers = Json::array({to_json(point.x), point.y});
        if (point.ci95) numbers.push_back(*point.ci95);
        points.push_back(std::move(numbers));
    }
    return {{"name", series.name}, {"points", std::move(points)}};
}

Json figure_json(const DrawnFigure& drawn) {
    const Figure& figure = drawn.figure;
    Json marks = Json::array();
    for (const FigureMark& mark : figure.marks) marks.push_back(mark_json(mark));
    Json series = Json::array();
    for (const FigureSeries& one : drawn.series) series.push_back(series_json(one));
    return {{"title", figure.title},
            {"paper", figure.paper},
            {"note", figure.note},
            {"kind", to_string(figure.kind)},
            {"marks_from", to_string(figure.source)},
            {"categories", figure.categories},
            {"x", axis_json(figure.x_axis)},
            {"y", axis_json(figure.y_axis)},
            {"series", std::move(series)},
            {"marks", std::move(marks)},
            {"problem", drawn.problem}};
}

}  // namespace

Json figures_json(std::span<const DrawnFigure> figures) {
    Json all = Json::array();
    for (const DrawnFigure& drawn : figures) all.push_back(figure_json(drawn));
    return all;
}

}  // namespace fray::lab
