#include "lab/runner/experiment.hpp"

#include <cmath>

namespace fray::lab {

Work& Work::operator+=(const Work& other) {
    peers += other.peers;
    rounds += other.rounds;
    messages += other.messages;
    return *this;
}

void RunOutput::set(std::string_view column, double value) {
    // JSON has no NaN, and a run that is read back must equal the run that was written.
    values[std::string{column}] = std::isfinite(value) ? Value{value} : Value{};
}

const Experiment* find_experiment(Registry registry, std::string_view name) {
    for (const Experiment* experiment : registry) {
        if (experiment->name() == name) return experiment;
    }
    return nullptr;
}

}  // namespace fray::lab
