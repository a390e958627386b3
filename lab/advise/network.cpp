#include "lab/advise/network.hpp"

#include <fray/fingerprint.hpp>

#include "lab/metrics/median_latency.hpp"
#include "lab/workloads/network_choice.hpp"

#include <vector>

namespace fray::lab::advise {

std::string content_fingerprint(const NetworkModel& model) {
    Fingerprint fingerprint;
    const auto add = [&](const std::vector<Duration>& values) {
        for (const Duration value : values) fingerprint.add(static_cast<std::uint64_t>(value.count()));
        return fingerprint.hex();
    };
    if (const auto* trace = std::get_if<TraceLatency>(&model.latency); trace != nullptr && trace->samples) {
        fingerprint.add(trace->share).add(static_cast<std::uint64_t>(trace->interval.count()));
        return add(*trace->samples);
    }
    if (const auto* sites = std::get_if<MatrixLatency>(&model.latency); sites != nullptr && sites->matrix) {
        fingerprint.add(std::uint64_t{sites->matrix->size});
        return add(sites->matrix->one_way);
    }
    return {};
}

Result<Network> load_network(const std::string& name) {
    ParameterSpec spec = profile_parameter();
    spec.name = "a network";  // the name in error messages: command lines do not call it profile
    const auto accepted = spec.accept(Value{name});
    if (!accepted) return accepted.error();
    const auto model = network_named(name);
    if (!model) return model.error();
    if (const auto checked = model->check(); !checked) return checked.error();
    return Network{
        .name = name, .content = content_fingerprint(*model), .median_latency = median_latency(*model)};
}

}  // namespace fray::lab::advise
