#include "lab/report/collect.hpp"

#include "lab/runner/file_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fray::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kResult = "result.json";
constexpr std::uintmax_t kMostBytes = 512U << 20U;

bool has_file(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error);
}

/// result.3 and the like: moved aside by --force or --renew.
bool is_moved_aside(const fs::path& folder) {
    const std::string suffix = folder.extension().string();
    return suffix.size() > 1 && suffix.find_first_not_of("0123456789", 1) == std::string::npos;
}

Result<std::vector<fs::path>> folders_with_results(const fs::path& folder) {
    if (has_file(folder / kResult)) return std::vector{folder};
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator at{folder, error};
    if (error) return Error{fmt::format("{}: cannot be read: {}", folder.string(), error.message())};
    for (; at != fs::directory_iterator{}; at.increment(error)) {
        if (error) break;
        if (has_file(at->path() / kResult) && !is_moved_aside(at->path())) found.push_back(at->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool is_text(const Json& json, const char* key) { return json.contains(key) && json[key].is_string(); }

bool is_list(const Json& json, const char* key) { return json.contains(key) && json[key].is_array(); }

bool all_texts(const Json& list) {
    return std::all_of(list.begin(), list.end(), [](const Json& one) { return one.is_string(); });
}

std::string problem_of_rows(const Json& result) {
    const std::size_t width = result["columns"].size();
    std::size_t number = 0;
    for (const Json& row : result["rows"]) {
        ++number;
        if (!row.is_array()) return fmt::format("row {} is no list", number);
        if (row.size() != width)
            return fmt::format("row {} has {} cells, {} columns were expected", number, row.size(), width);
        for (const Json& cell : row) {
            if (cell.is_structured()) return fmt::format("row {} has a cell that is no value", number);
        }
    }
    return {};
}

std::string problem_of_claims(const Json& result) {
    for (const Json& claim : result["expected"]) {
        if (!claim.is_object() || !is_text(claim, "claim") || !is_text(claim, "kind") ||
            !claim.contains("holds") || !claim["holds"].is_boolean())
            return "a claim has no claim, kind or holds";
    }
    return {};
}

/// What is wrong with a result.json; empty: nothing.
std::string problem_of(const Json& result) {
    if (!result.is_object()) return "is no object";
    for (const char* key : {"plan", "paper", "question"}) {
        if (!is_text(result, key)) return fmt::format("{} is missing (a text was expected)", key);
    }
    for (const char* key : {"columns", "rows", "expected"}) {
        if (!is_list(result, key)) return fmt::format("{} is missing (a list was expected)", key);
    }
    if (!all_texts(result["columns"])) return "columns must be a list of texts";
    const std::string rows = problem_of_rows(result);
    return rows.empty() ? problem_of_claims(result) : rows;
}

Result<Json> read_json(const fs::path& file) {
    std::error_code error;
    if (fs::file_size(file, error) > kMostBytes && !error)
        return Error{fmt::format("{}: is larger than {} MiB", file.string(), kMostBytes >> 20U)};
    const auto text = read_whole(file);
    if (!text) return text.error();
    try {
        return Json::parse(*text);
    } catch (const Json::exception& problem) {
        return Error{fmt::format("{}: cut or damaged: {}", file.string(), problem.what())};
    }
}

bool flag(const Json& result, const char* key) { return result.contains(key) && result[key] == true; }

std::string version_of(const Json& result) {
    if (flag(result, "quick")) return "quick";
    return flag(result, "long") ? "long" : "full";
}

void cut_rows(PlanResult& plan) {
    Json& rows = plan.result["rows"];
    plan.rows_in_all = rows.size();
    if (rows.size() > kMostReportRows) rows.erase(rows.begin() + kMostReportRows, rows.end());
}

Result<PlanResult> read_plan(const fs::path& folder) {
    auto result = read_json(folder / kResult);
    if (!result) return result.error();
    if (const std::string problem = problem_of(*result); !problem.empty())
        return Error{fmt::format("{}: {}", (folder / kResult).string(), problem)};
    PlanResult plan{.name = (*result)["plan"],
                    .version = version_of(*result),
                    .result = std::move(*result),
                    .manifest = Json::object(),
                    .folder = folder};
    cut_rows(plan);
    auto manifest = read_json(folder / "manifest.json");
    if (!manifest || !manifest->is_object()) return plan;
    if (is_text(*manifest, "plan") && (*manifest)["plan"] != plan.name)
        return Error{fmt::format("{}: is of another plan than result.json, {}",
                                 (folder / "manifest.json").string(), plan.name)};
    plan.manifest = std::move(*manifest);
    return plan;
}

int rank(const std::string& version) { return version == "long" ? 2 : version == "full" ? 1 : 0; }

}  // namespace

Result<Collected> collect_results(std::span<const fs::path> folders) {
    Collected collected;
    std::map<std::string, PlanResult> best;
    for (const fs::path& folder : folders) {
        const auto found = folders_with_results(folder);
        if (!found) return found.error();
        for (const fs::path& one : *found) {
            auto plan = read_plan(one);
            if (!plan) {
                collected.problems.push_back(plan.error().message);
                continue;
            }
            const auto held = best.find(plan->name);
            if (held == best.end() || rank(plan->version) >= rank(held->second.version))
                best.insert_or_assign(plan->name, std::move(*plan));
        }
    }
    if (best.empty() && collected.problems.empty())
        return Error{fmt::format("{}: no results there (fray lab run writes them)",
                                 folders.empty() ? "." : folders.front().string())};
    for (auto& [name, plan] : best) collected.plans.push_back(std::move(plan));
    return collected;
}

}  // namespace fray::lab
