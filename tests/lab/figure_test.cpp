#include "lab/runner/figure.hpp"

#include "fake_experiment.hpp"
#include "lab/runner/figure_json.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

constexpr const char* kSweep = "[sweep]\npeers = [2, 4]\nsystem = [\"psense\", \"server\"]\n";

std::string error_of_figure(const std::string& figure) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, kSweep + std::string{"[[figure]]\n"} + figure);
    return plan ? "no error" : plan.error().message;
}

/// Two systems at two numbers of peers, listed from right to left.
Table table() {
    const auto row = [](std::int64_t peers, const char* system, Value score, Value ci) {
        return Row{{.value = peers},
                   {.value = std::string{system}},
                   {.value = std::move(score)},
                   {.value = std::move(ci)}};
    };
    return {.columns = {"peers", "system", "score", "score_ci95"},
            .varied_columns = 2,
            .parameter_columns = 2,
            .rows = {row(4, "psense", 1.5, 0.1), row(2, "psense", 1.0, {}), row(4, "server", 2.0, 0.2),
                     row(2, "server", {}, {})}};
}

Figure score_by_peers() {
    return {.title = "t", .paper = "p", .x = "peers", .y = {"score"}, .series = {"system"}};
}

TEST(Figure, DrawsOneSeriesPerValueFromLeftToRight) {
    const DrawnFigure drawn = draw(score_by_peers(), table(), {});
    EXPECT_EQ(drawn.problem, "");
    ASSERT_EQ(drawn.series.size(), 2U);
    EXPECT_EQ(drawn.series[0].name, "psense");
    ASSERT_EQ(drawn.series[0].points.size(), 2U);
    EXPECT_EQ(as_number(drawn.series[0].points[0].x), 2);
    EXPECT_EQ(drawn.series[0].points[0].y, 1.0);
    EXPECT_FALSE(drawn.series[0].points[0].ci95) << "one run has no interval";
    EXPECT_EQ(drawn.series[0].points[1].ci95, 0.1);
    EXPECT_EQ(drawn.series[1].points.size(), 1U) << "a cell without a number is left out";
}

TEST(Figure, LeavesOutRowsThatWhereDoesNotSelect) {
    Figure figure = score_by_peers();
    figure.where = {{.column = "system", .any_of = {Value{std::string{"server"}}}}};
    const DrawnFigure drawn = draw(figure, table(), {});
    ASSERT_EQ(drawn.series.size(), 1U);
    EXPECT_EQ(drawn.series[0].name, "server");
}

TEST(Figure, ColumnsOfYCanBePlacesOnTheXAxis) {
    Figure figure = score_by_peers();
    figure.x = {};
    figure.y = {"score", "peers"};
    figure.x_names = {"quality", "players"};
    figure.categories = true;
    const DrawnFigure drawn = draw(figure, table(), {});
    ASSERT_EQ(drawn.series.size(), 2U);
    EXPECT_EQ(to_text(drawn.series[0].points[0].x), "quality");
    EXPECT_EQ(to_text(drawn.series[0].points[1].x), "players");
}

TEST(Figure, ACaseIsNamedByWhatDiffersFromTheFirst) {
    Figure figure = score_by_peers();
    figure.x = std::string{kCaseAxis};
    figure.series = {};
    EXPECT_EQ(case_name(figure, table(), table().rows[0]), "first case");
    EXPECT_EQ(case_name(figure, table(), table().rows[3]), "peers 2, server");
    figure.series = {"system"};
    EXPECT_EQ(case_name(figure, table(), table().rows[3]), "peers 2") << "the series say the rest";
}

TEST(Figure, ValuesOfACurveAreMeansOverTheRunsOfARow) {
    const Curve first{.name = "rounds", .columns = {"round", "score"}, .rows = {{0, 1}, {1, 3}}};
    const Curve second{.name = "rounds", .columns = {"round", "score"}, .rows = {{0, 2}}};
    const Curve other{.name = "other", .columns = {"round", "score"}, .rows = {{0, 100}}};
    const std::vector<Curve> runs[] = {{first, other}, {second}};
    const CaseCurves curves[] = {{.row = 0, .curves = runs[0]}, {.row = 0, .curves = runs[1]}};
    Figure figure = score_by_peers();
    figure.curve = "rounds";
    figure.x = "round";
    const DrawnFigure drawn = draw(figure, table(), curves);
    ASSERT_EQ(drawn.series.size(), 1U) << "the other rows have no curves";
    ASSERT_EQ(drawn.series[0].points.size(), 2U);
    EXPECT_EQ(drawn.series[0].points[0].y, 1.5);
    EXPECT_GT(drawn.series[0].points[0].ci95.value_or(0), 1) << "two runs that differ by 1";
    EXPECT_FALSE(drawn.series[0].points[1].ci95);
}

TEST(Figure, SaysWhyNothingIsDrawn) {
    Figure figure = score_by_peers();
    figure.y = {"beauty"};
    EXPECT_EQ(draw(figure, table(), {}).problem, "the result has no column beauty");
    figure = score_by_peers();
    figure.where = {{.column = "peers", .any_of = {Value{std::int64_t{7}}}}};
    EXPECT_NE(draw(figure, table(), {}).problem, "");
}

TEST(Figure, IsWrittenWithValuesAndMarks) {
    Figure figure = score_by_peers();
    figure.marks = {{.x = Value{std::int64_t{4}}, .y = 1.4, .series = "psense", .label = "1.4"}};
    const DrawnFigure drawn = draw(figure, table(), {});
    const Json json = figures_json(std::span{&drawn, 1})[0];
    EXPECT_EQ(json["series"][0]["points"][1].dump(), "[4,1.5,0.1]");
    EXPECT_EQ(json["series"][0]["points"][0].dump(), "[2,1.0]");
    EXPECT_EQ(json["marks"][0]["y"], 1.4);
    EXPECT_FALSE(json["marks"][0].contains("y_low"));
}

TEST(FigureLoader, ReadsAFigureWithMarks) {
    const FakeExperiment experiment;
    const auto plan = parse_fake(experiment, std::string{kSweep} + R"([[figure]]
title = "Score"
marks_from = "printed"
x = "peers"
y = ["score"]
series = ["system"]
y_scale = "log"
marks = [{ x = 4, y = 1.5, series = "server", label = "1.5" }, { y_low = 1, y_high = 2, label = "1 to 2" }]
)");
    ASSERT_TRUE(plan) << plan.error().message;
    ASSERT_EQ(plan->figures.size(), 1U);
    const Figure& figure = plan->figures[0];
    EXPECT_EQ(figure.paper, "Fig. 1") << "the plan's, if the figure names none";
    EXPECT_EQ(figure.x_axis.label, "peers");
    EXPECT_TRUE(figure.y_axis.log);
    ASSERT_EQ(figure.marks.size(), 2U);
    EXPECT_EQ(figure.marks[1].y_high, 2);
}

TEST(FigureLoaderErrors, NameFileLineAndWhatWasExpected) {
    const std::string whole = "title = \"T\"\nx = \"peers\"\nseries = [\"system\"]\n";
    const std::string marks = whole + "y = [\"score\"]\nmarks_from = \"text\"\n";
    EXPECT_EQ(error_of_figure("x = \"peers\"\ny = [\"score\"]\n"),
              "dir/p.toml:9:1: [[figure]]: title is missing (a text was expected)");
    EXPECT_EQ(error_of_figure(whole),
              "dir/p.toml:9:1: [[figure]]: y is missing (a list of columns was expected)");
    EXPECT_EQ(error_of_figure(whole + "y = [\"scroe\"]\n"),
              "dir/p.toml:13:5: [[figure]]: y names scroe, which is no column; did you mean score?");
    EXPECT_EQ(error_of_figure("title = \"T\"\nx = \"peer\"\ny = [\"score\"]\n"),
              "dir/p.toml:11:5: the result has no column peer; did you mean peers?");
    EXPECT_EQ(error_of_figure("title = \"T\"\nx = \"peers\"\ny = [\"score\"]\nseries = [\"score\"]\n"),
              "dir/p.toml:13:10: [[figure]]: series names score, which is no parameter");
    EXPECT_EQ(error_of_figure(whole + "y = [\"score\"]\nkind = \"pie\"\n"),
              "dir/p.toml:14:8: [[figure]]: kind must be one of line, bar, step, not \"pie\"");
    EXPECT_EQ(error_of_figure("title = \"T\"\nx = \"peers\"\ny = [\"score\"]\n"),
              "dir/p.toml:9:1: [[figure]]: two rows would be drawn at the same place (peers=2, "
              "system=server); name what distinguishes them "
              "in series or where");
    EXPECT_EQ(error_of_figure(marks + "marks = [{ y = 1, series = \"sever\", label = \"l\" }]\n"),
              "dir/p.toml:15:10: marks: no series is named sever; did you mean server?");
    EXPECT_EQ(error_of_figure(marks + "marks = [{ y_low = 1, label = \"l\" }]\n"),
              "dir/p.toml:15:10: marks: y, or y_low and y_high, or a number x was expected");
    EXPECT_EQ(error_of_figure(whole + "y = [\"score\"]\nmarks = [{ y = 1, label = \"l\" }]\n"),
              "dir/p.toml:9:1: [[figure]]: marks_from is missing: are the marks printed in the paper, or "
              "said in its text?");
}

TEST(FigureLoaderErrors, AClaimNamesAFigureOfItsPlan) {
    const FakeExperiment experiment;
    const std::string figure =
        "[[figure]]\ntitle = \"T\"\npaper = \"Fig. 2\"\nx = \"peers\"\ny = [\"score\"]\n";
    const std::string claim =
        "[[expected]]\nclaim = \"c\"\npaper = \"1\"\ncolumn = \"score\"\nat_least = 0\nfigure = \"Fig. 3\"\n";
    const auto plan = parse_fake(experiment, figure + claim);
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().message,
              "dir/p.toml:16:10: [[expected]]: no [[figure]] of this plan has paper = \"Fig. 3\"; did you "
              "mean Fig. 2?");
}

TEST(LongCases, RunOnlyIfTheyAreWanted) {
    const FakeExperiment experiment;
    const std::string body = R"([[case]]
peers = 2
[[case]]
peers = 900
long = true
[[expected]]
claim = "far"
paper = "1"
long = true
column = "score"
at_least = 0
)";
    const auto plan = parse_fake(experiment, body);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->cases.size(), 1U);
    EXPECT_EQ(plan->unchecked, (std::vector<std::string>{"far"}));
    const auto with_long = parse_fake(experiment, body, {.with_long = true});
    ASSERT_TRUE(with_long) << with_long.error().message;
    EXPECT_EQ(with_long->cases.size(), 2U);
    EXPECT_EQ(with_long->claims.size(), 1U);
    EXPECT_FALSE(parse_fake(experiment, "[[case]]\npeers = 2\nlong = true\n")) << "no case is left";
    EXPECT_FALSE(parse_fake(experiment, "[[case]]\npeers = 2\nlong = 3\n"));
}

}  // namespace
}  // namespace fray::lab
