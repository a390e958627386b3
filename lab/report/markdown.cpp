#include "lab/report/markdown.hpp"

#include "lab/report/page.hpp"
#include "lab/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {
namespace {

/// Text of a result in a cell of a table: no markup, no line break, no new column.
std::string cell(const Json& json) {
    std::string text;
    for (const char c : json.is_string() ? json.get<std::string>() : std::string{}) {
        if (std::string_view{"|<>*`[]\\"}.find(c) != std::string_view::npos) text += '\\';
        text += c == '\n' || c == '\r' ? ' ' : c;
    }
    return text.empty() ? "–" : text;
}

std::string field(const Json& claim, const char* key) { return claim.contains(key) ? cell(claim[key]) : "–"; }

/// One row per figure that has a verdict: its first claim stands for it.
std::string summary(const std::vector<PlanResult>& plans) {
    std::string text = "| Paper | Claim | Paper says | Measured | Verdict |\n|---|---|---|---|---|\n";
    for (const Paper& paper : all_papers()) {
        for (const PaperFigure& figure : paper.figures) {
            const Judged judged = judge(figure, plans);
            if (!figure.no_verdict.empty()) continue;
            const std::string name = fmt::format("{} {}", paper.name, figure.id);
            if (judged.claims.empty())
                text += fmt::format("| {} | {} | | {} | not run |\n", name, figure.title, judged.reason);
            else
                text +=
                    fmt::format("| {} | {} | {} | {} | {}: {} |\n", name, field(judged.claims[0], "claim"),
                                field(judged.claims[0], "paper"), field(judged.claims[0], "measured"),
                                to_string(judged.verdict), judged.reason);
        }
    }
    return text;
}

std::string versions(const std::vector<PlanResult>& plans) {
    const auto count = [&](const char* version) {
        return std::count_if(plans.begin(), plans.end(),
                             [&](const PlanResult& plan) { return plan.version == version; });
    };
    const auto quick = count("quick");
    if (quick == 0) return fmt::format("All {} plans ran in full.", plans.size());
    return fmt::format(
        "**{} of {} plans are of a quick run**: fewer players, rounds and seeds than the papers, and fewer "
        "claims.",
        quick, plans.size());
}

std::string claims_text(const PlanResult& plan) {
    const Json& claims = plan.result["expected"];
    if (claims.empty()) return "No claim is checked in this version.\n\n";
    std::string text = "| Claim | Of | Paper says | Measured | Holds |\n|---|---|---|---|---|\n";
    for (const Json& claim : claims)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", field(claim, "claim"), field(claim, "kind"),
                            field(claim, "paper"), field(claim, "measured"),
                            claim["holds"] == true ? "yes" : "**no**");
    return text + "\n";
}

std::string plan_text(const PlanResult& plan) {
    std::string text = fmt::format("## {}\n\n{}\n\n{} ({}, {} version). `{}`\n\n", plan.name,
                                   cell(plan.result["question"]), cell(plan.result["paper"]),
                                   to_string(judge(plan).verdict), plan.version, command_of(plan));
    text += claims_text(plan);
    const Json unchecked = plan.result.contains("not_checked") ? plan.result["not_checked"] : Json::array();
    if (unchecked.is_array() && !unchecked.empty())
        text += fmt::format("{} claims are not checked in this version.\n\n", unchecked.size());
    return text;
}

std::string figures_text(const std::vector<PlanResult>& plans) {
    std::string text =
        "## Every figure and table of the papers\n\n| Paper | Figure | Shows | Verdict "
        "|\n|---|---|---|---|\n";
    for (const Paper& paper : all_papers()) {
        for (const PaperFigure& figure : paper.figures) {
            const Judged judged = judge(figure, plans);
            text += fmt::format("| {} | {} | {} | {}: {} |\n", paper.name, figure.id, figure.title,
                                to_string(judged.verdict), judged.reason);
        }
    }
    return text + "\n";
}

}  // namespace

std::string results_markdown(const Collected& collected) {
    std::string text =
        "# Results\n\nWritten by `./run report results --markdown docs/results.md` from the folder "
        "`results`; do not edit. The same results with\n"
        "their figures: `./run report results --out report.html`. What the words mean: "
        "[lab](concepts/lab.md#claims).\n\n";
    text += fmt::format("{}{}\n{}\n{}\n", kSummaryBegin, summary(collected.plans), versions(collected.plans),
                        kSummaryEnd);
    text += figures_text(collected.plans);
    for (const PlanResult& plan : collected.plans) text += plan_text(plan);
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace fray::lab
