#include "lab/workloads/consistency_setup.hpp"

#include "lab/metrics/median_latency.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/situations.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace fray::lab {

namespace {

/// As the round trips of ping in the paper, "distributed according to a Poisson distribution".
LatencyModel poisson(double mean_ms, double share) {
    if (mean_ms <= 0) return ConstantLatency{};
    return PoissonLatency{
        .mean = from_seconds(mean_ms * share / 1e3), .least = {}, .step = from_seconds(share / 1e3)};
}

/// The median of the tail's part, subtracted so that the median of the sum is the plan's.
double tail_median(const Parameters& p) {
    const double above = 2 * p.number("tail_chance");
    return above > 1 ? p.number("tail_ms") * std::log(above) : 0;
}

/// Long enough that "at least one future position is available at all times" (6.1.3).
double remote_lag_ms(const Parameters& p) {
    double latency = p.number("rtt_ms");
    if (p.text("profile") != "paper") {
        // Of the network in use: in it, a recorded round trip is the way from player to player.
        const auto network = consistency_network(p);
        latency = network ? millis(median_latency(*network)) : 0;  // check_files() reports an absent file
    }
    return std::min(2 * latency + 2 * p.number("interval_ms"), millis(kMostLag));
}

ParameterSpec profile_or_paper() {
    ParameterSpec spec = profile_parameter();
    spec.choices.insert(spec.choices.begin(), "paper");
    spec.fallback = std::string{"paper"};
    return spec;
}

ParameterSpec situation() {
    std::vector<std::string> names = situation_names();
    names.insert(names.begin(), "none");
    return ParameterSpec::choice("situation", std::move(names), "none",
                                 "of section 3.4: what is required; in death_decision both players shoot, "
                                 "in trade they trade");
}

PathRule path(PeerIndex from, PeerIndex to, const Parameters& p) {
    const bool direct = from != kSerializerIndex && to != kSerializerIndex;
    const double share = direct ? 1 : 0.5;
    const Jitter tail{.spike_chance = p.number("tail_chance"),
                      .spike_mean = from_seconds(p.number("tail_ms") * share / 1e3)};
    return {.from = from,
            .to = to,
            .latency = poisson(p.number("rtt_ms") - tail_median(p), share),
            .jitter = tail,
            .loss = IndependentLoss{p.number("loss_pct") / 100 * share}};
}

}  // namespace

std::vector<ParameterSpec> consistency_parameters() {
    return {
        ParameterSpec::choice(
            "algorithm",
            {"centralized_serialization", "everquest", "local_lag", "half_life", "bucket_sync", "adaptive"},
            "everquest", "by which both ships are kept consistent"),
        ParameterSpec::number("interval_ms", 50, 0, 2000, "between two updates of a ship"),
        ParameterSpec::number("lag_ms", 100, 0, 1000,
                              "local_lag: of all screens; bucket_sync: of all buckets"),
        ParameterSpec::number("remote_lag_ms", -1, -1, 2000,
                              "half_life; -1: twice the median latency and two intervals, as in the paper"),
        ParameterSpec::number("bucket_ms", 50, 1, 1000, "bucket_sync"),
        ParameterSpec::number("most_lag_ms", 50, 0, 1000, "adaptive: of all screens"),
        ParameterSpec::number("blend_ms", 200, 0, 2000, "adaptive: in which a correction fades to a third"),
        profile_or_paper(),
        situation(),
        ParameterSpec::number("rtt_ms", 33, 0, 1000, "profile = paper: from one player to the other, median"),
        ParameterSpec::number("tail_chance", 0, 0, 1, "profile = paper: share of datagrams that take longer"),
        ParameterSpec::number("tail_ms", 0, 0, 2000,
                              "profile = paper: by so much in the mean, exponentially"),
        ParameterSpec::number("loss_pct", 0, 0, 50, "profile = paper: from one player to the other"),
        ParameterSpec::integer("first_recording", 1, 1, 1000,
                               "seed of the recording that the first run plays; the next ones follow"),
    };
}

Consistency consistency_of(const Parameters& p) {
    Consistency c{.algorithm = EverQuest{.motion_model = false},
                  .interval = rounded_ms(p.number("interval_ms"))};
    const std::string& name = p.text("algorithm");
    if (name == "centralized_serialization") c.algorithm = CentralizedSerialization{serializer_id()};
    if (name == "local_lag") c.algorithm = LocalLag{rounded_ms(p.number("lag_ms"))};
    if (name == "half_life") {
        const double told = p.number("remote_lag_ms");
        c.algorithm = HalfLife{rounded_ms(told < 0 ? remote_lag_ms(p) : told)};
    }
    if (name == "bucket_sync") {
        const double buckets = p.number("lag_ms") / p.number("bucket_ms");
        c.algorithm = BucketSync{.bucket = rounded_ms(p.number("bucket_ms")),
                                 .depth = static_cast<std::uint8_t>(std::clamp(buckets + 0.5, 1.0, 15.0))};
    }
    if (name == "adaptive")
        c.algorithm = Adaptive{.most_lag = rounded_ms(p.number("most_lag_ms")),
                               .blend = rounded_ms(p.number("blend_ms"))};
    return c;
}

Besides besides_of(const Parameters& p) {
    const std::string& name = p.text("situation");
    return {.shots = name == "death_decision" ? kBetweenShots : Duration{0},
            .trades = name == kTrade ? kBetweenTrades : Duration{0}};
}

Result<NetworkModel> consistency_network(const Parameters& p) {
    NetworkModel network;
    network.keep_order = false;
    const std::string& profile = p.text("profile");
    if (profile == "paper") {
        for (PeerIndex from = 0; from < 3; ++from) {
            for (PeerIndex to = 0; to < 3; ++to) {
                if (from != to) network.paths.push_back(path(from, to, p));
            }
        }
        return network;
    }
    auto named = network_named(profile);
    if (!named) return named.error();
    auto* trace = std::get_if<TraceLatency>(&named->latency);
    if (trace == nullptr) return named;
    TraceLatency half = *trace;
    trace->share = 1;
    for (const auto& [from, to] : {std::pair{0U, 2U}, {2U, 0U}, {1U, 2U}, {2U, 1U}})
        named->paths.push_back({.from = from, .to = to, .latency = half, .jitter = {}, .loss = {}});
    return named;
}

}  // namespace fray::lab
