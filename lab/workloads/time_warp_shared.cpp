#include "lab/workloads/time_warp_shared.hpp"

#include <fray/random.hpp>

#include "lab/workloads/network_choice.hpp"

#include <memory>
#include <string>
#include <utility>

namespace fray::lab {

namespace {

constexpr std::string_view kUniform = "uniform";  // of network

/// Every datagram takes its own time between the two, so that they overtake each other.
LatencyModel uniform_latency(Duration low, Duration high) {
    constexpr std::size_t kSamples = 4096;
    RandomStream random{Seed{1}, "uniform latency"};
    auto samples = std::make_shared<std::vector<Duration>>();
    const auto width = static_cast<std::uint32_t>(micros(high - low)) + 1;
    for (std::size_t i = 0; i < kSamples; ++i) samples->push_back(low + Duration{random.below(width)});
    return TraceLatency{.samples = std::move(samples), .share = 1, .interval = {}};
}

}  // namespace

Duration from_milliseconds(double milliseconds) { return from_seconds(milliseconds / 1000); }

Result<NetworkModel> time_warp_network(const Parameters& parameters) {
    Result<NetworkModel> network = NetworkModel{};
    if (parameters.text("network") == kUniform) {
        network->latency = uniform_latency(from_milliseconds(parameters.number("one_way_low_ms")),
                                           from_milliseconds(parameters.number("one_way_high_ms")));
        network->keep_order = false;
    } else {
        network = network_named(parameters.text("network"));
    }
    if (!network) return network;
    const double loss = parameters.number("loss_pct") / 100;
    if (loss > 0) network->loss = IndependentLoss{loss};
    return network;
}

std::vector<ParameterSpec> parameters_of_time_warp() {
    ParameterSpec network = profile_parameter();
    network.name = "network";
    network.fallback = std::string{"same-continent"};
    network.choices.emplace_back(kUniform);
    return {
        ParameterSpec::choice("engine", {"event", "input"}, "input",
                              "what peers send: the events of Panzer Battalion's Table 1, or the inputs of "
                              "players"),
        ParameterSpec::integer("players", 8, 2, 64, "bots, each with a peer of its own"),
        ParameterSpec::choice("map", {"duel", "arena", "ruins", "plains"}, "arena", "where they fight"),
        ParameterSpec::number("seconds", 60, 1, 3600, "of the match"),
        ParameterSpec::integer("lag_ms", 200, 0, 5000, "of the middle queue of every peer"),
        {.name = "lag_changes",
         .fallback = false,
         .meaning = "the lag of each peer changes every second, between 0 and lag_ms"},
        ParameterSpec::integer("late_joiners", 0, 0, 63, "players that join at half-time, the last ones"),
        ParameterSpec::choice("behaviour", {"free", "adapting", "unchanged"}, "free",
                              "how much bots move: as they like, or as players with this lag, or with "
                              "none (Panzer Battalion, Table 3)"),
        std::move(network),
        ParameterSpec::number("one_way_low_ms", 0, 0, 10'000, "network uniform: least delay"),
        ParameterSpec::number("one_way_high_ms", 0, 0, 10'000, "network uniform: largest delay"),
        ParameterSpec::number("loss_pct", 0, 0, 90,
                              "datagrams lost, instead of the network's own loss; 0: as the network")};
}

Result<void> check_time_warp(const Parameters& parameters) {
    const double low = parameters.number("one_way_low_ms");
    const double high = parameters.number("one_way_high_ms");
    const bool is_uniform = parameters.text("network") == kUniform;
    if (parameters.integer("late_joiners") >= parameters.integer("players"))
        return Error{"late_joiners must be less than players"};
    if (low > high) return Error{"one_way_low_ms must be at most one_way_high_ms"};
    if (is_uniform != (high > 0)) return Error{"network uniform needs one_way_high_ms, and no other does"};
    return {};
}

}  // namespace fray::lab
