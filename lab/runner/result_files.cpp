#include "lab/runner/result_files.hpp"

#include "lab/runner/csv.hpp"
#include "lab/runner/figure_json.hpp"
#include "lab/runner/file_io.hpp"
#include "lab/runner/json_value.hpp"
#include "lab/runner/process_identity.hpp"

#include <fmt/format.h>

#include <optional>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

/// A list with one element per line: readable, and small in a diff.
std::string lines(const Json& list) {
    std::string text = "[";
    for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "\n    " : ",\n    ") + list[i].dump();
    return text + (list.empty() ? "]" : "\n  ]");
}

/// An object with one key per line, lists of lists or objects with one element per line.
std::string document(const Json& object) {
    std::string text = "{";
    for (const auto& [key, value] : object.items()) {
        const bool long_list = value.is_array() && !value.empty() && value.front().is_structured();
        text += fmt::format("{}  {}: {}", text.size() == 1 ? "\n" : ",\n", Json(key).dump(),
                            long_list ? lines(value) : value.dump());
    }
    return text + "\n}\n";
}

Json rows_json(const Table& table) {
    Json rows = Json::array();
    for (const Row& row : table.rows) {
        Json cells = Json::array();
        for (const Cell& cell : row) cells.push_back(to_json(cell.value));
        rows.push_back(std::move(cells));
    }
    return rows;
}

Json number_or_null(std::optional<double> number) { return number ? Json(*number) : Json(); }

Json claims_json(const PlanReport& report) {
    Json claims = Json::array();
    for (const ClaimResult& claim : report.claims)
        claims.push_back({{"claim", claim.claim},
                          {"kind", to_string(claim.kind)},
                          {"holds", claim.holds},
                          {"figure", claim.figure},
                          {"column", claim.column},
                          {"test", claim.test},
                          {"value", to_json(claim.evidence.value)},
                          {"at_least", number_or_null(claim.evidence.at_least)},
                          {"at_most", number_or_null(claim.evidence.at_most)},
                          {"paper", claim.paper},
                          {"measured", claim.measured}});
    return claims;
}

ClaimKind kind_from(const Json& json) {
    for (const ClaimKind kind : {ClaimKind::promise, ClaimKind::aim}) {
        if (json == to_string(kind)) return kind;
    }
    return ClaimKind::paper;
}

ClaimResult claim_from(const Json& json) {
    const auto limit = [&](const char* key) { return as_number(value_from(json.at(key))); };
    return {.claim = json.at("claim"),
            .paper = json.at("paper"),
            .measured = json.at("measured"),
            .kind = kind_from(json.at("kind")),
            .holds = json.at("holds"),
            .figure = json.value("figure", ""),
            .column = json.at("column"),
            .test = json.at("test"),
            .evidence = {.value = value_from(json.at("value")),
                         .at_least = limit("at_least"),
                         .at_most = limit("at_most")}};
}

Json result_json(const Plan& plan, const PlanReport& report, const Provenance& provenance) {
    return Json{{"plan", plan.name},
                {"paper", plan.paper},
                {"question", plan.question},
                {"seed", plan.seed.value},
                {"replications", plan.replications},
                {"quick", plan.quick},
                {"long", plan.with_long && plan.has_long_cases},
                {"commit", provenance.build.commit},
                {"varied", plan.varied},
                {"show", plan.show},
                {"columns", report.table.columns},
                {"rows", rows_json(report.table)},
                {"expected", claims_json(report)},
                {"not_checked", report.unchecked},
                {"figures", figures_json(report.figures)},
                {"work",
                 {{"peers", report.work.peers},
                  {"rounds", report.work.rounds},
                  {"messages", report.work.messages},
                  {"cpu_seconds", report.cpu_seconds}}}};
}

Json parameters_json(const Plan& plan) {
    Json cases = Json::array();
    for (const Case& one : plan.cases) {
        Json values = Json::object();
        for (const auto& [name, value] : one.all.entries()) values[name] = to_json(value);
        cases.push_back(std::move(values));
    }
    return cases;
}

Json columns_json(const Plan& plan) {
    Json columns = Json::array();
    for (const ParameterSpec& spec : plan.experiment->parameters())
        columns.push_back({{"name", spec.name}, {"kind", "parameter"}, {"meaning", spec.meaning}});
    constexpr const char* kKinds[] = {"mean", "max", "min", "sum", "hash"};
    for (const ColumnSpec& spec : plan.experiment->columns())
        columns.push_back({{"name", spec.name},
                           {"kind", kKinds[static_cast<std::size_t>(spec.aggregate)]},
                           {"unit", spec.unit},
                           {"meaning", spec.meaning}});
    return columns;
}

Json manifest_json(const Plan& plan, const PlanReport& report, const Provenance& provenance) {
    const ProcessIdentity process = this_process();
    return Json{{"plan", plan.name},
                {"fingerprint", provenance.fingerprint},
                {"seed", plan.seed.value},
                {"replications", plan.replications},
                {"quick", plan.quick},
                {"version", provenance.build.version},
                {"commit", provenance.build.commit},
                {"program", provenance.build.program},
                {"compiler", provenance.build.compiler},
                {"command", process.command},
                {"cpu", process.cpu},
                {"cpu_cores", process.cores},
                {"os", process.os},
                {"start", provenance.started},
                {"duration_seconds", report.seconds},
                {"runs", report.runs},
                {"runs_resumed", report.resumed},
                {"experiment", plan.experiment->name()},
                {"columns", columns_json(plan)},
                {"cases", parameters_json(plan)},
                {"plan_text", plan.text}};
}

void read_rows(const Json& json, Table& table) {
    for (const Json& cells : json.at("rows")) {
        Row row;
        for (const Json& cell : cells) row.push_back({.value = value_from(cell)});
        if (row.size() == table.columns.size()) table.rows.push_back(std::move(row));
    }
}

}  // namespace

Result<void> write_results(const Plan& plan, const PlanReport& report, std::span<const RunRecord> runs,
                           const Provenance& provenance) {
    std::vector<std::pair<std::string, std::string>> files{{"rows.csv", rows_csv(report.table)},
                                                           {"runs.csv", runs_csv(plan, runs)}};
    for (auto& [name, text] : curves_csv(plan, runs))
        files.emplace_back("curve_" + name + ".csv", std::move(text));
    files.emplace_back("manifest.json", document(manifest_json(plan, report, provenance)));
    files.emplace_back("result.json", document(result_json(plan, report, provenance)));
    for (const auto& [name, text] : files) {
        if (auto written = write_whole(report.folder / name, text); !written) return written;
    }
    return {};
}

Result<PlanReport> read_results(const Plan& plan, const fs::path& folder) try {
    const auto text = read_whole(folder / "result.json");
    if (!text) return text.error();
    const Json json = Json::parse(*text);
    PlanReport report{.plan = plan.name, .paper = plan.paper, .outcome = Outcome::reused, .folder = folder};
    report.table = {.columns = json.at("columns"),
                    .varied_columns = plan.varied.size(),
                    .parameter_columns = plan.parameter_names().size()};
    read_rows(json, report.table);
    for (const Json& claim : json.at("expected")) report.claims.push_back(claim_from(claim));
    report.unchecked = plan.unchecked;
    report.runs = plan.run_count();
    report.cpu_seconds = json.at("work").at("cpu_seconds");
    return report;
} catch (const Json::exception& error) {
    return Error{fmt::format("{}: no result of fray: {}", (folder / "result.json").string(), error.what())};
}

std::string finished_fingerprint(const fs::path& folder) {
    const auto text = read_whole(folder / "manifest.json");
    std::error_code error;
    if (!text || !fs::exists(folder / "result.json", error)) return {};
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object() || !json.contains("fingerprint") || !json["fingerprint"].is_string()) return {};
    return json["fingerprint"];
}

}  // namespace fray::lab
