#include "lab/runner/render.hpp"

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

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Render, TheSummaryNamesEveryClaimThatDoesNotHold) {
    const std::vector<PlanReport> reports{
        report("first",
               {claim("solid", ClaimKind::promise, true), claim("broken", ClaimKind::promise, false)}),
        report("second",
               {claim("true", ClaimKind::paper, true), claim("false", ClaimKind::paper, false),
                claim("far", ClaimKind::aim, false)},
               {"slow", "slower"})};
    const std::string text = render_summary(reports);
    EXPECT_TRUE(has(text, "promise        first   broken  7")) << text;
    EXPECT_TRUE(has(text, "aim            second  far     7")) << text;
    EXPECT_TRUE(has(text, "paper          second  false   7")) << text;
    EXPECT_FALSE(has(text, "solid")) << text;
    EXPECT_LT(text.find("first   broken"), text.find("second  far")) << "promises first";
    EXPECT_TRUE(has(text,
                    "1 of 2 promises kept, 1 of 2 paper's claims held, 0 of 1 aims reached; "
                    "2 of 7 claims not checked in a quick run\n"))
        << text;
}

TEST(Render, WhereAllHoldsTheSummaryListsNoClaim) {
    const std::vector<PlanReport> reports{report("first", {claim("kept", ClaimKind::promise, true)})};
    const std::string text = render_summary(reports);
    EXPECT_FALSE(has(text, "does not hold")) << text;
    EXPECT_TRUE(has(text, "1 of 1 promises kept")) << text;
    EXPECT_TRUE(has(text, "0 of 1 claims not checked\n")) << text;
}

TEST(Render, EachClaimSaysWhoseItIs) {
    const std::string text =
        render_claims(report("p", {claim("a", ClaimKind::promise, false), claim("b", ClaimKind::aim, false),
                                   claim("c", ClaimKind::paper, false)}));
    EXPECT_TRUE(has(text, "a      promise")) << text;
    EXPECT_TRUE(has(text, "NO (promised)")) << text;
    EXPECT_TRUE(has(text, "b      aim")) << text;
    EXPECT_TRUE(has(text, "c      paper")) << text;
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
