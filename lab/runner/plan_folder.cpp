#include "lab/runner/lab.hpp"
#include "lab/runner/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fray::lab {

namespace fs = std::filesystem;

Result<std::vector<PlanFile>> list_plans(const fs::path& folder) {
    std::vector<PlanFile> plans;
    std::error_code error;
    for (fs::directory_iterator at{folder, error}, end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".toml")
            plans.push_back({.name = at->path().stem().string(), .file = at->path()});
    }
    if (error)
        return Error{fmt::format("{}: no plans can be read there: {} (FRAY_PLANS says where they are)",
                                 folder.string(), error.message())};
    std::sort(plans.begin(), plans.end(),
              [](const PlanFile& a, const PlanFile& b) { return a.name < b.name; });
    return plans;
}

Result<PlanFile> find_plan(const fs::path& folder, const std::string& name) {
    if (name.ends_with(".toml")) return PlanFile{.name = fs::path{name}.stem().string(), .file = name};
    const auto plans = list_plans(folder);
    if (!plans) return plans.error();
    std::vector<std::string> names;
    for (const PlanFile& plan : *plans) {
        if (plan.name == name) return plan;
        names.push_back(plan.name);
    }
    return Error{fmt::format("no plan {}{} (fray lab list shows all)", name, suggestion(name, names))};
}

}  // namespace fray::lab
