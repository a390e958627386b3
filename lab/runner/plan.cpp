#include "lab/runner/plan.hpp"

#include <algorithm>

namespace fray::lab {

Seed Plan::run_seed(const Case& c, std::uint32_t replication) const {
    return derive(seed, name + "/" + c.seed_key, replication);
}

std::vector<std::string> Plan::parameter_names() const {
    std::vector<std::string> names = varied;
    for (const ParameterSpec& spec : experiment->parameters()) {
        if (std::find(varied.begin(), varied.end(), spec.name) == varied.end()) names.push_back(spec.name);
    }
    return names;
}

std::vector<std::string> Plan::columns() const {
    std::vector<std::string> names = parameter_names();
    for (const ColumnSpec& spec : experiment->columns()) {
        names.push_back(spec.name);
        if (spec.aggregate == Aggregate::mean) names.push_back(spec.name + "_ci95");
    }
    return names;
}

}  // namespace fray::lab
