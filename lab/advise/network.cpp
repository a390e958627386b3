#include "lab/advise/network.hpp"

#include <fray/fingerprint.hpp>
#include <fray/random.hpp>

#include "lab/workloads/network_choice.hpp"
#include "sim/network.hpp"

#include <algorithm>
#include <vector>

namespace fray::lab::advise {
namespace {

constexpr PeerIndex kPeers = 64;
constexpr int kPerPair = 9;
constexpr sim::Micros kApart = 200'000;  ///< between two datagrams of a pair
constexpr std::uint32_t kBytes = 100;

}  // namespace

Duration median_latency(const NetworkModel& model) {
    sim::Network network{model, Seed{1}, 0};
    for (PeerIndex peer = 0; peer < kPeers; ++peer) network.add_peer({});
    std::vector<sim::Micros> delays;
    for (int i = 0; i < kPerPair; ++i) {
        const sim::Micros now = i * kApart;
        for (PeerIndex from = 0; from < kPeers; ++from) {
            for (PeerIndex to = 0; to < kPeers; ++to) {
                if (from == to) continue;
                const auto verdict = network.transmit(now, from, to, kBytes);
                if (!verdict.dropped) delays.push_back(verdict.arrival - now);
            }
        }
    }
    if (delays.empty()) return {};
    const auto middle = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2);
    std::nth_element(delays.begin(), middle, delays.end());
    return Duration{*middle};
}

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
    spec.name = "a network";  // plans call it profile, command lines do not
    const auto accepted = spec.accept(Value{name});
    if (!accepted) return accepted.error();
    const auto model = network_named(name);
    if (!model) return model.error();
    if (const auto checked = model->check(); !checked) return checked.error();
    return Network{
        .name = name, .content = content_fingerprint(*model), .median_latency = median_latency(*model)};
}

}  // namespace fray::lab::advise
