#include "fake_experiment.hpp"
#include "lab/report/collect.hpp"
#include "lab/report/markdown.hpp"
#include "lab/report/page.hpp"
#include "lab/report/papers.hpp"
#include "lab/report/verdict.hpp"
#include "lab/report/write.hpp"
#include "lab/runner/lab.hpp"
#include "lab/workloads/registry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

Json claim_json(const char* text, bool holds, const char* paper = "1") {
    return {{"claim", text}, {"kind", "paper"}, {"holds", holds}, {"paper", paper}, {"measured", "2"}};
}

Json result_json(const std::string& name, std::vector<Json> claims = {}) {
    return {{"plan", name},      {"paper", "Fig. 0"}, {"question", "Why?"},         {"seed", 1},
            {"replications", 2}, {"quick", false},    {"columns", {"peers", "pq"}}, {"rows", {{2, 1.5}}},
            {"expected", claims}};
}

class Report : public testing::Test {
protected:
    fs::path put(const std::string& folder, const std::string& text) {
        const fs::path place = temporary.path() / folder;
        fs::create_directories(place);
        std::ofstream{place / "result.json"} << text;
        return place;
    }
    Collected collected() {
        const std::vector<fs::path> folders{temporary.path()};
        auto found = collect_results(folders);
        EXPECT_TRUE(found) << found.error().message;
        return found ? *found : Collected{};
    }
    /// The one problem of a result beside a sound one.
    std::string problem_of(const std::string& text) {
        put("sound", result_json("sound").dump());
        put("hostile", text);
        const Collected found = collected();
        EXPECT_EQ(found.plans.size(), 1U);
        EXPECT_EQ(found.problems.size(), 1U);
        return found.problems.empty() ? "" : found.problems[0];
    }
    TemporaryFolder temporary;
};

TEST_F(Report, DamagedResultsAreNamedAndLeftOut) {
    const std::string whole = result_json("other").dump();
    EXPECT_NE(problem_of(whole.substr(0, whole.size() / 2)).find("hostile/result.json: cut or damaged: "),
              std::string::npos);
    EXPECT_NE(problem_of("").find("cut or damaged"), std::string::npos);
    EXPECT_NE(problem_of(R"({"pq": NaN})").find("cut or damaged"), std::string::npos);
    EXPECT_NE(problem_of("[1, 2]").find("is no object"), std::string::npos);
    Json json = result_json("other");
    json["rows"] = {{2}};
    EXPECT_NE(problem_of(json.dump()).find("row 1 has 1 cells, 2 columns were expected"), std::string::npos);
    json["rows"] = {{2, {{"a", 1}}}};
    EXPECT_NE(problem_of(json.dump()).find("a cell that is no value"), std::string::npos);
    json = result_json("other");
    json.erase("columns");
    EXPECT_NE(problem_of(json.dump()).find("columns is missing (a list was expected)"), std::string::npos);
    json = result_json("other");
    json["expected"] = {{{"claim", "x"}}};
    EXPECT_NE(problem_of(json.dump()).find("a claim has no claim, kind or holds"), std::string::npos);
    json = result_json("other");
    json["plan"] = 7;
    EXPECT_NE(problem_of(json.dump()).find("plan is missing (a text was expected)"), std::string::npos);
}

TEST_F(Report, AManifestOfAnotherPlanIsAProblem) {
    const fs::path folder = put("hostile", result_json("hostile").dump());
    std::ofstream{folder / "manifest.json"} << R"({"plan": "other"})";
    const Collected found = collected();
    ASSERT_EQ(found.problems.size(), 1U);
    EXPECT_NE(found.problems[0].find("is of another plan than result.json, hostile"), std::string::npos);
}

TEST_F(Report, OfManyRowsTheFirstAreTaken) {
    Json json = result_json("many");
    Json rows = Json::array();
    for (int i = 0; i < 100'000; ++i) rows.push_back({i, 1.5});
    json["rows"] = std::move(rows);
    put("many", json.dump());
    const Collected found = collected();
    ASSERT_EQ(found.plans.size(), 1U);
    EXPECT_EQ(found.plans[0].rows_in_all, 100'000U);
    EXPECT_EQ(found.plans[0].result["rows"].size(), kMostReportRows);
    EXPECT_EQ(page_data(found, "")["plans"][0]["rows_in_all"], 100'000);
}

TEST_F(Report, ScriptTagsInNamesAreTextOnThePage) {
    Json json = result_json("p", {claim_json("</script><script>alert(1)</script><!--", false)});
    json["question"] = "</SCRIPT><img src=x onerror=alert(1)>";
    put("p", json.dump());
    const std::string page = report_page(collected(), "fray <b>");
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
    EXPECT_EQ(page.find("<img src=x"), std::string::npos);
    EXPECT_EQ(page.find("fray <b>"), std::string::npos);
    EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)"), std::string::npos)
        << "the claim is there as data";
    EXPECT_EQ(page.find("fray-report-data"), std::string::npos) << "the placeholder is replaced";
}

TEST_F(Report, TheFullResultOfAPlanIsPreferredToTheQuickOne) {
    Json quick = result_json("p");
    quick["quick"] = true;
    put("p.quick", quick.dump());
    EXPECT_EQ(collected().plans[0].version, "quick");
    put("p", result_json("p").dump());
    put("p.1", "moved aside, and not read");
    const Collected found = collected();
    ASSERT_EQ(found.plans.size(), 1U);
    EXPECT_EQ(found.plans[0].version, "full");
    EXPECT_TRUE(found.problems.empty());
    EXPECT_EQ(command_of(found.plans[0]), "./run lab run p --seed 1 --replications 2");
}

TEST_F(Report, FoldersWithoutResultsAreAnError) {
    const std::vector<fs::path> empty{temporary.path()};
    EXPECT_FALSE(collect_results(empty));
    const std::vector<fs::path> nowhere{temporary.path() / "nowhere"};
    EXPECT_FALSE(collect_results(nowhere));
}

TEST_F(Report, AVerdictCountsTheClaimsThatTheFigureNames) {
    const PaperFigure figure{.id = "Fig. 1", .title = "t", .plans = {"p"}, .figure = "P Fig. 1"};
    const auto judged = [&](std::vector<Json> claims) {
        put("p", result_json("p", std::move(claims)).dump());
        return judge(figure, collected().plans).verdict;
    };
    Json other = claim_json("of another figure", false);
    other["figure"] = "P Fig. 2";
    EXPECT_EQ(judged({}), FigureVerdict::not_run);
    EXPECT_EQ(judged({claim_json("a", true), claim_json("b", true), other}), FigureVerdict::holds);
    EXPECT_EQ(judged({claim_json("a", true), claim_json("b", false)}), FigureVerdict::in_part);
    EXPECT_EQ(judged({claim_json("a", false)}), FigureVerdict::does_not);
    EXPECT_EQ(judged({claim_json("no word of the paper", true, "")}), FigureVerdict::not_run);
}

TEST_F(Report, TheMarkdownEscapesTexts) {
    put("psense_rounds", result_json("psense_rounds", {claim_json("a | b <script>", true)}).dump());
    const std::string text = results_markdown(collected());
    EXPECT_NE(text.find("a \\| b \\<script\\>"), std::string::npos) << text;
    EXPECT_NE(text.find("| pSense Fig. 3a |"), std::string::npos);
    EXPECT_NE(text.find("holds: 1 of 1 claims hold"), std::string::npos);
}

TEST(Papers, EveryPlanThatTheyNameExistsAndDrawsTheFigure) {
    std::size_t measured = 0;
    for (const Paper& paper : all_papers()) {
        for (const PaperFigure& figure : paper.figures) {
            EXPECT_TRUE(!figure.plans.empty() || !figure.no_verdict.empty())
                << paper.name << " " << figure.id;
            for (const std::string_view name : figure.plans) {
                const auto file = find_plan(plans_folder(), std::string{name});
                ASSERT_TRUE(file) << file.error().message;
                const auto plan = load_plan(file->file, all_experiments(), {});
                ASSERT_TRUE(plan) << plan.error().message;
                const auto draws = [&](const Figure& drawn) { return drawn.paper == figure.figure; };
                EXPECT_TRUE(figure.figure.empty() ||
                            std::any_of(plan->figures.begin(), plan->figures.end(), draws))
                    << name << " " << figure.figure;
                ++measured;
            }
        }
    }
    EXPECT_GE(measured, 15U);
}

/// The captions in the papers, so that none is forgotten.
TEST(Papers, ListEveryFigureAndTable) {
    std::vector<std::string> listed;
    for (const Paper& paper : all_papers()) {
        for (const PaperFigure& figure : paper.figures)
            listed.push_back(std::string{paper.name} + " " + std::string{figure.id});
    }
    const std::set<std::string> names(listed.begin(), listed.end());
    EXPECT_EQ(names.size(), listed.size()) << "one is listed twice";
    std::vector<std::string> expected{"Donnybrook Fig. 1a", "Donnybrook Fig. 1b", "Donnybrook Fig. 1c",
                                      "Donnybrook Fig. 2",  "Donnybrook Fig. 3",  "Donnybrook Fig. 4",
                                      "pSense Fig. 1",      "pSense Fig. 2",      "pSense Table 5"};
    for (const char letter : std::string{"abcdef"}) expected.push_back(std::string{"pSense Fig. 3"} + letter);
    for (int i = 1; i <= 3; ++i) expected.push_back("Consistency Figure " + std::to_string(i));
    for (int i = 1; i <= 9; ++i) expected.push_back("Panzer Battalion Figure " + std::to_string(i));
    for (int i = 1; i <= 3; ++i) expected.push_back("Panzer Battalion Table " + std::to_string(i));
    EXPECT_EQ(names, std::set<std::string>(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace fray::lab
