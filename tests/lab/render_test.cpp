#include "lab/runner/render.hpp"

#include "lab/runner/text_table.hpp"

#include <gtest/gtest.h>

namespace fray::lab {
namespace {

ClaimResult claim(std::string text, ClaimKind kind, bool holds) {
    return {.claim = std::move(text), .paper = "", .measured = "7", .kind = kind, .holds = holds};
}

PlanReport report(std::string plan, std::vector<ClaimResult> claims,
                  std::vector<std::string> unchecked = {}) {
    return {.plan = std::move(plan),
            .paper = "Fig. 1",
            .folder = "out",
            .claims = std::move(claims),
            .unchecked = std::move(unchecked)};
}

std::string on_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Render, TheSummaryNamesEveryClaimThatDoesNotHold) {
    const std::vector<PlanReport> reports{
        report("first",
               {claim("solid", ClaimKind::promise, true), claim("broken", ClaimKind::promise, false)}),
        report("second",
               {claim("true", ClaimKind::paper, true), claim("false", ClaimKind::paper, false),
                claim("far", ClaimKind::aim, false)},
               {"slow", "slower"})};
    const std::string text = render_summary(reports, 100);
    EXPECT_TRUE(has(text, "promise  first   broken ")) << text;
    EXPECT_TRUE(has(text, "aim      second  far ")) << text;
    EXPECT_TRUE(has(text, "paper    second  false ")) << text;
    EXPECT_FALSE(has(text, "solid")) << text;
    EXPECT_LT(text.find("first   broken"), text.find("second  far")) << "promises first";
    EXPECT_TRUE(has(on_one_line(text),
                    "1 of 2 promises kept, 1 of 2 paper's claims held, 0 of 1 aims reached; "
                    "2 of 7 claims not checked in this version"))
        << text;
}

TEST(Render, WhereAllHoldsTheSummaryListsNoClaim) {
    const std::vector<PlanReport> reports{report("first", {claim("kept", ClaimKind::promise, true)})};
    const std::string text = render_summary(reports, 100);
    EXPECT_FALSE(has(text, "does not hold")) << text;
    EXPECT_TRUE(has(text, "1 of 1 promises kept")) << text;
    EXPECT_TRUE(has(text, "0 of 1 claims not checked\n")) << text;
}

TEST(Render, EachClaimSaysWhoseItIs) {
    const PlanReport failed =
        report("p", {claim("a", ClaimKind::promise, false), claim("b", ClaimKind::aim, false),
                     claim("c", ClaimKind::paper, false)});
    const std::string text = render_claims(failed, 100);
    EXPECT_TRUE(has(text, "NO     promise  a")) << text;
    EXPECT_TRUE(has(text, "no     aim      b")) << text;
    EXPECT_TRUE(has(text, "no     paper    c")) << text;
    EXPECT_TRUE(has(render_all_claims(failed), "a      promise")) << render_all_claims(failed);
}

TEST(Render, ClaimsThatDoNotHoldComeFirstAndTheRestIsCounted) {
    std::vector<ClaimResult> claims(30, claim("solid", ClaimKind::paper, true));
    claims.push_back(claim("broken", ClaimKind::paper, false));
    const PlanReport long_report = report("p", claims, {"slow"});
    const std::string text = render_claims(long_report, 100);
    EXPECT_LT(text.find("broken"), text.find("solid")) << text;
    EXPECT_TRUE(has(text, "18 more hold, 1 are not checked in this version (--verbose lists them)")) << text;
    EXPECT_TRUE(has(render_all_claims(long_report), "slow"));
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        widest = std::max(widest, shown_width(std::string_view{text}.substr(at, text.find('\n', at) - at)));
    return widest;
}

/// Twelve columns with long names, two parameters, 50 rows.
Table wide_table() {
    Table table{.columns = {"system", "players"}, .varied_columns = 2, .parameter_columns = 2, .rows = {}};
    for (int i = 0; i < 12; ++i) table.columns.push_back("a_rather_long_measurement_" + std::to_string(i));
    for (int row = 0; row < 50; ++row) {
        Row cells{{.value = std::string{"psense"}}, {.value = std::int64_t{row}}};
        for (int i = 0; i < 12; ++i) cells.push_back({.value = 1234.5678 * i});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

TEST(Render, ATableFitsTheWidthAndSaysWhatItLeavesOut) {
    const Table table = wide_table();
    for (const std::size_t width : {40U, 100U}) {
        const std::string text = render_rows(table, {}, width);
        EXPECT_LE(widest_line(text), width) << text;
        EXPECT_TRUE(has(text, "Also measured (--verbose):")) << text;
        EXPECT_TRUE(has(text, "and 10 more rows (--verbose)")) << text;
    }
    EXPECT_TRUE(has(render_all_rows(table, 100), "a_rather_long_measurement_11"));
}

TEST(Render, ATableHasTheColumnsToShowInTheirOrder) {
    const std::string text = render_rows(wide_table(), {"a_rather_long_measurement_7"}, 100);
    EXPECT_TRUE(has(text, "measurement_")) << text;
    EXPECT_TRUE(has(text, "8642")) << text;
    EXPECT_FALSE(has(text, "9877")) << "column 8 is not to be shown\n" << text;
    EXPECT_FALSE(has(text, "Also measured")) << text;
}

TEST(Render, ClaimsAndSummaryFitTheWidth) {
    ClaimResult wordy = claim("words", ClaimKind::paper, false);
    wordy.claim.append(300, 'x');
    wordy.paper = "as published in the paper, in a long sentence that nobody wants to read on one line";
    wordy.measured = "one_very_long_parameter_name=1, another_very_long_parameter_name=2";
    const std::vector<PlanReport> reports{report("a_plan_with_a_name", {wordy}, {"slow"})};
    EXPECT_LE(widest_line(render_claims(reports[0], 100)), 100U) << render_claims(reports[0], 100);
    EXPECT_LE(widest_line(render_summary(reports, 100)), 100U) << render_summary(reports, 100);
}

TEST(Render, NumbersHaveNoExponent) {
    EXPECT_EQ(to_short_text(Value{6.3e-13}), "~0");
    EXPECT_EQ(to_short_text(Value{-0.00025}), "-0.00025");
    EXPECT_EQ(to_short_text(Value{0.0}), "0");
    EXPECT_EQ(to_short_text(Value{1.23456789}), "1.235");
    EXPECT_EQ(to_short_text(Value{123456.7}), "123457");
    EXPECT_EQ(with_interval(Value{1234.6}, 123.4), "1235 ± 123");
    EXPECT_EQ(with_interval(Value{0.5}, 0.00002), "0.5") << "below the digits that are printed";
}

TEST(Render, AnIntervalOfRoundingErrorsIsNotPrinted) {
    const Table table{.columns = {"pq", "pq_ci95"},
                      .rows = {{{.value = 0.3}, {.value = 6.3e-13}}, {{.value = 0.3}, {.value = 0.02}}}};
    const std::string text = render_rows(table, {}, 80);
    EXPECT_FALSE(has(text, "e-13")) << text;
    EXPECT_TRUE(has(text, "0.3 ± 0.02")) << text;
    EXPECT_EQ(to_short_text(Cell{.value = 0.3, .summary = {.count = 4, .mean = 0.3, .deviation = 4e-13}}),
              "0.3");
}

}  // namespace
}  // namespace fray::lab
