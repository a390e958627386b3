#include "lab/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {
namespace {

bool says_what_the_paper_says(const Json& claim) {
    return claim.contains("paper") && claim["paper"].is_string() &&
           !claim["paper"].get<std::string>().empty();
}

bool is_about(const Json& claim, std::string_view figure) {
    const std::string named =
        claim.contains("figure") && claim["figure"].is_string() ? claim["figure"] : Json("");
    return figure.empty() || named.empty() || named == figure;
}

Judged verdict_of(std::vector<Json> claims) {
    const auto held =
        std::count_if(claims.begin(), claims.end(), [](const Json& claim) { return claim["holds"] == true; });
    const auto all = static_cast<std::ptrdiff_t>(claims.size());
    Judged judged{.claims = std::move(claims)};
    if (all == 0) return judged;
    judged.reason = fmt::format("{} of {} claims hold", held, all);
    judged.verdict = held == all ? FigureVerdict::holds
                     : held == 0 ? FigureVerdict::does_not
                                 : FigureVerdict::in_part;
    return judged;
}

std::string not_checked(const PlanResult& plan) {
    if (plan.version == "quick") return "a quick run checks none of its claims";
    return plan.version == "full" ? "only --long checks its claims" : "no claim is about it";
}

}  // namespace

std::string_view to_string(FigureVerdict verdict) {
    constexpr std::string_view kNames[] = {"holds", "in part", "does not", "not run"};
    return kNames[static_cast<std::size_t>(verdict)];
}

Judged judge(const PaperFigure& figure, const std::vector<PlanResult>& plans) {
    if (!figure.no_verdict.empty()) return {.reason = std::string{figure.no_verdict}};
    std::vector<Json> claims;
    std::string reason = "there are no results of its plan";
    for (const PlanResult& plan : plans) {
        if (std::find(figure.plans.begin(), figure.plans.end(), plan.name) == figure.plans.end()) continue;
        reason = not_checked(plan);
        for (const Json& claim : plan.result["expected"]) {
            if (says_what_the_paper_says(claim) && is_about(claim, figure.figure)) claims.push_back(claim);
        }
    }
    Judged judged = verdict_of(std::move(claims));
    if (judged.verdict == FigureVerdict::not_run) judged.reason = reason;
    return judged;
}

Judged judge(const PlanResult& plan) {
    const Json& claims = plan.result["expected"];
    return verdict_of({claims.begin(), claims.end()});
}

}  // namespace fray::lab
