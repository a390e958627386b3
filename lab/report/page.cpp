#include "lab/report/page.hpp"

#include <fray/assert.hpp>

#include "lab/report/verdict.hpp"

#include <fmt/format.h>

extern "C" {
// web/dist/report.html, see embedded_page.S.
extern const char fray_report_page_begin[];
extern const char fray_report_page_end[];
}

namespace fray::lab {
namespace {

constexpr std::string_view kPlaceholder = R"({"placeholder": "fray-report-data"})";

Json value_or(const Json& json, const char* key, Json fallback) {
    return json.contains(key) && json[key].type() == fallback.type() ? json[key] : fallback;
}

/// What a reader wants to know of the manifest, with names for a person.
Json manifest_lines(const Json& manifest) {
    constexpr std::pair<const char*, const char*> kLines[] = {
        {"version", "version"},   {"commit", "commit"},
        {"compiler", "compiler"}, {"cpu", "processor"},
        {"cpu_cores", "cores"},   {"os", "system"},
        {"start", "started"},     {"duration_seconds", "seconds"},
        {"seed", "seed"},         {"replications", "runs per case"}};
    Json lines = Json::object();
    for (const auto& [key, name] : kLines) {
        if (!manifest.contains(key) || manifest[key].is_structured()) continue;
        lines[name] = manifest[key].is_string() ? manifest[key] : Json(manifest[key].dump());
    }
    return lines;
}

/// Of each column: unit and meaning.
Json meanings(const Json& manifest) {
    Json found = Json::object();
    for (const Json& column : value_or(manifest, "columns", Json::array())) {
        if (!column.is_object()) continue;
        const std::string unit = value_or(column, "unit", "");
        const std::string meaning = value_or(column, "meaning", "");
        found[value_or(column, "name", "").get<std::string>()] =
            unit.empty() ? meaning : fmt::format("{} ({})", meaning, unit);
    }
    return found;
}

Json plan_data(const PlanResult& plan) {
    const Json& result = plan.result;
    return {{"name", plan.name},
            {"paper", result["paper"]},
            {"question", result["question"]},
            {"version", plan.version},
            {"verdict", to_string(judge(plan).verdict)},
            {"columns", result["columns"]},
            {"varied", value_or(result, "varied", Json::array())},
            {"show", value_or(result, "show", Json::array())},
            {"rows", result["rows"]},
            {"rows_in_all", plan.rows_in_all},
            {"claims", result["expected"]},
            {"not_checked", value_or(result, "not_checked", Json::array())},
            {"figures", value_or(result, "figures", Json::array())},
            {"meanings", meanings(plan.manifest)},
            {"manifest", manifest_lines(plan.manifest)},
            {"command", command_of(plan)},
            {"folder", plan.folder.string()}};
}

Json paper_data(const Paper& paper, const std::vector<PlanResult>& plans) {
    Json figures = Json::array();
    for (const PaperFigure& figure : paper.figures) {
        const Judged judged = judge(figure, plans);
        figures.push_back({{"id", figure.id},
                           {"title", figure.title},
                           {"verdict", to_string(judged.verdict)},
                           {"reason", judged.reason},
                           {"plans", figure.plans}});
    }
    return {{"name", paper.name}, {"title", paper.title}, {"figures", std::move(figures)}};
}

/// JSON that stands in a script element: no "<" ends the element or begins a comment.
std::string embedded(const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (c == '<')
            escaped += "\\u003c";
        else
            escaped += c;
    }
    return escaped;
}

}  // namespace

std::string command_of(const PlanResult& plan) {
    std::string command = fmt::format("./run lab run {}", plan.name);
    if (plan.version != "full") command += " --" + plan.version;
    for (const char* key : {"seed", "replications"}) {
        if (plan.result.contains(key) && plan.result[key].is_number_integer())
            command += fmt::format(" --{} {}", key, plan.result[key].dump());
    }
    return command;
}

Json page_data(const Collected& collected, std::string_view program) {
    Json papers = Json::array();
    for (const Paper& paper : all_papers()) papers.push_back(paper_data(paper, collected.plans));
    Json plans = Json::array();
    for (const PlanResult& plan : collected.plans) plans.push_back(plan_data(plan));
    return {{"program", program},
            {"papers", std::move(papers)},
            {"plans", std::move(plans)},
            {"problems", collected.problems}};
}

std::string report_page(const Collected& collected, std::string_view program) {
    std::string page{fray_report_page_begin, fray_report_page_end};
    const std::size_t place = page.find(kPlaceholder);
    FRAY_ASSERT(place != std::string::npos);
    return page.replace(place, kPlaceholder.size(), embedded(page_data(collected, program)));
}

}  // namespace fray::lab
