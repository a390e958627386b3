#include "lab/workloads/foundation_common.hpp"

#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/tabled_experiment.hpp"

namespace fray::lab {
namespace {

BurstLoss loss_of(const Parameters& parameters) {
    return {.mean = parameters.number("loss"), .burst = parameters.number("burst")};
}

}  // namespace

World foundation_world() {
    World world;
    world.name = "foundation";
    world.low = {-1024, -1024, 0};
    world.high = {1024, 1024, 0};
    return world;
}

std::vector<ParameterSpec> common_parameters() {
    const std::vector<ParameterSpec> run{
        ParameterSpec::integer("peers", 64, 2, 1000, "how many"),
        ParameterSpec::number("seconds", 60.0, 1, 86'400, "simulated time"),
        ParameterSpec::number("warm_up_seconds", 5.0, 0, 3600,
                              "until ages and means count; peers join in its first half"),
        ParameterSpec::integer("upload_kbps", 1000, 0, 10'000'000, "cap of each peer, kbit/s; 0: none"),
    };
    return joined({run, clock_parameters()});
}

std::vector<ParameterSpec> clock_parameters() {
    return {
        ParameterSpec::number("clock_offset_s", 1000.0, 0, 1e6, "local clocks differ by up to this"),
        ParameterSpec::integer("clock_drift_ppm", 50, 0, 1000, "and run faster or slower by up to this"),
    };
}

std::vector<ParameterSpec> lossy_network_parameters() {
    return {profile_parameter(), ParameterSpec::number("loss", 0.02, 0, 0.9, "share of datagrams"),
            ParameterSpec::number("burst", 3.0, 1, 1000, "datagrams lost in a row, on average")};
}

Result<NetworkModel> lossy_network(const Parameters& parameters) {
    auto network = network_named(parameters.text("profile"));
    if (network) network->loss = loss_of(parameters);
    return network;
}

Result<void> check_loss(const Parameters& parameters) {
    NetworkModel network;
    network.loss = loss_of(parameters);
    return network.check();
}

Result<void> check_common(const Parameters& parameters) {
    if (parameters.number("warm_up_seconds") < parameters.number("seconds")) return {};
    return Error{"warm_up_seconds must be less than seconds"};
}

SwarmOptions swarm_options(const Parameters& parameters, NetworkModel network) {
    return {.network = std::move(network),
            .clock_offset_most = from_seconds(parameters.number("clock_offset_s")),
            .clock_drift_most_ppm = static_cast<std::uint32_t>(parameters.integer("clock_drift_ppm"))};
}

Result<void> add_peers(Swarm& swarm, const Parameters& parameters) {
    auto options = std::make_shared<PeerOptions>();
    options->world = foundation_world();
    options->link.upload_kbps = static_cast<std::uint32_t>(parameters.integer("upload_kbps"));
    const auto peers = parameters.integer("peers");
    const Duration arrivals = from_seconds(parameters.number("warm_up_seconds") / 2);
    for (std::int64_t i = 0; i < peers; ++i) {
        PeerPlan plan;
        plan.start = arrivals * i / peers;
        const auto added = swarm.add_peer(options, plan);
        if (!added) return added.error();
    }
    return {};
}

}  // namespace fray::lab
