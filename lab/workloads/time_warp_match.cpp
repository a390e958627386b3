#include "lab/workloads/time_warp_match.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace fray::lab {

namespace {

/// Those of both; of the same name, the first.
template <class Spec>
std::vector<Spec> united(std::span<const Spec> first, std::span<const Spec> second) {
    std::vector<Spec> all{first.begin(), first.end()};
    for (const Spec& spec : second) {
        if (std::ranges::find(first, spec.name, &Spec::name) == first.end()) all.push_back(spec);
    }
    return all;
}

}  // namespace

TimeWarpMatch::TimeWarpMatch()
    : TabledExperiment{"time_warp", united(TimeWarpInput{}.parameters(), TimeWarpEvent{}.parameters()),
                       united(TimeWarpInput{}.columns(), TimeWarpEvent{}.columns())} {}

const Experiment& TimeWarpMatch::engine(const Parameters& parameters) const {
    if (parameters.text("engine") == "event") return event_;
    return input_;
}

Result<void> TimeWarpMatch::check(const Parameters& parameters) const {
    const Experiment& chosen = engine(parameters);
    for (const ParameterSpec& spec : this->parameters()) {
        const bool is_known = std::ranges::find(chosen.parameters(), spec.name, &ParameterSpec::name) !=
                              chosen.parameters().end();
        const Value* value = parameters.find(spec.name);
        if (!is_known && value != nullptr && *value != spec.fallback)
            return Error{spec.name + " has no meaning with engine " + parameters.text("engine")};
    }
    return chosen.check(parameters);
}

Result<void> TimeWarpMatch::check_files(const Parameters& parameters) const {
    return engine(parameters).check_files(parameters);
}

Result<RunOutput> TimeWarpMatch::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    return engine(parameters).run(parameters, seed, context);
}

}  // namespace fray::lab
