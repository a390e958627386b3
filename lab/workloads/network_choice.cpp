#include "lab/workloads/network_choice.hpp"

#include "lab/runner/data_folder.hpp"
#include "sim/data_matrix.hpp"
#include "sim/data_ping.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fray::lab {
namespace {

constexpr double kOneLeg = 0.5;  ///< of a round-trip time

Result<LatencyModel> between_sites(Result<sim::RttSlices> slices) {
    if (!slices) return slices.error();
    return LatencyModel{
        MatrixLatency{.matrix = std::make_shared<const PairMatrix>(slices->median_one_way())}};
}

Result<LatencyModel> between_sites(Result<sim::CloudRegions> regions) {
    if (!regions) return regions.error();
    return LatencyModel{
        MatrixLatency{.matrix = std::make_shared<const PairMatrix>(std::move(regions->one_way))}};
}

Result<LatencyModel> over_time(const Result<sim::PingTrace>& trace) {
    if (!trace) return trace.error();
    return LatencyModel{trace->latency(kOneLeg)};
}

/// One kind of measurement: its name in plans, and its conversion to a latency model.
struct Kind {
    std::string_view prefix;
    std::string_view what;
    Result<LatencyModel> (*load)(const std::string& path);
};

constexpr Kind kKinds[] = {
    {"planetlab:", "FOLDER",
     [](const std::string& path) { return between_sites(sim::load_planetlab(path)); }},
    {"seattle:", "FOLDER", [](const std::string& path) { return between_sites(sim::load_seattle(path)); }},
    {"regions:", "FILE",
     [](const std::string& path) { return between_sites(sim::load_cloud_regions(path)); }},
    {"starlink:", "FILE", [](const std::string& path) { return over_time(sim::load_starlink(path)); }},
    {"ping:", "FILE", [](const std::string& path) { return over_time(sim::load_ping_output(path)); }},
};

}  // namespace

ParameterSpec profile_parameter() {
    std::vector<std::string> profiles;
    for (const std::string_view profile : network_profile_names()) profiles.emplace_back(profile);
    auto spec = ParameterSpec::choice("profile", std::move(profiles), "world",
                                      "network: built-in, or measured latencies as KIND:PATH");
    for (const Kind& kind : kKinds)
        spec.prefixes.push_back({.text = std::string{kind.prefix}, .what = std::string{kind.what}});
    return spec;
}

Result<NetworkModel> network_named(std::string_view profile) {
    for (const Kind& kind : kKinds) {
        if (!profile.starts_with(kind.prefix)) continue;
        const auto path = std::filesystem::path{data_folder()} / profile.substr(kind.prefix.size());
        auto latency = kind.load(path.string());
        if (!latency) return latency.error();
        NetworkModel network;
        network.latency = std::move(*latency);
        return network;
    }
    return network_profile(profile);
}

}  // namespace fray::lab
