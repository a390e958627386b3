// Built-in networks. Each is a model with parameters fitted to measurements; no measured value is stored
// here. Delays are one way; the quantiles in the comments are round trips in milliseconds, measured / fitted.
//
// Probes seconds apart measure the delay of one datagram, not of the next one. If the spread is wider than a
// game's frame, datagrams may overtake each other here: keeping their order would delay every datagram behind
// a late one, and a game would see another distribution than the measured one.

#include <fray/network_model.hpp>

#include <array>
#include <string>

namespace fray {

namespace {

/// A switched Ethernet. No recording: a switch and two kernels take about a tenth of a millisecond.
NetworkModel lan() {
    NetworkModel model;
    model.latency = LogNormalLatency{.median = 100us, .least = 60us, .sigma = 0.5};
    return model;
}

/// The study of consistency (2010) gives 33 ms as median. Spread as in long series of Rocket League players
/// with that median (p90 1.0 to 1.1 of the median, p99 1.1 to 1.25; replays of nickbabcock/boxcars).
///   p5 31   p25 32   p50 33   p75 34   p95 37   p99 40
NetworkModel same_continent() {
    NetworkModel model;
    model.latency = LogNormalLatency{.median = 16'300us, .least = 15ms, .sigma = 0.7};
    return model;
}

/// 323 ms as median, from the same study. Spread as of the Rocket League player at 348 ms (p75 1.10, p90 1.20
/// and p99 1.44 of the median; here 1.10, 1.23, 1.64), with spikes towards the heavier tail of home computers
/// on intercontinental paths (Seattle test bed, R. Zhu et al. 2017: p90 1.5, p99 3). The loss is an
/// assumption: 1 %, in pairs.
NetworkModel other_continent() {
    NetworkModel model;
    model.latency = LogNormalLatency{.median = 158ms, .least = 125ms, .sigma = 0.7};
    model.jitter = Jitter{.mean = {}, .spike_chance = 0.01, .spike_mean = 150ms};
    model.loss = BurstLoss{.mean = 0.01, .burst = 2};
    model.keep_order = false;
    return model;
}

/// Terminal to gateway without inter-satellite links (J. Zhao, J. Pan, ACM MMSys 2024; 22,648 answers, 2.2 %
/// lost).
///   p5 24 / 24   p25 32 / 32   p50 40 / 40   p75 53 / 52   p95 78 / 78   p99 107 / 103
NetworkModel starlink() {
    NetworkModel model;
    model.latency = LogNormalLatency{.median = 13'000us, .least = 6'500us, .sigma = 0.66};
    model.shift = LevelShift{.every = 15s, .mean = 6'700us};
    model.jitter = Jitter{.mean = {}, .spike_chance = 0.044, .spike_mean = 17'700us};
    model.loss = IndependentLoss{.mean = 0.022};
    return model;
}

/// A phone over indoor 5G to a public server (Cumucore for DETERMINISTIC6G; both "cloud" series, 2,757
/// answers, one lost). The last percent is a cluster at 430 ms in the measurement, an exponential tail here.
///   p5 12 / 12   p25 17 / 17   p50 23 / 22   p75 28 / 30   p90 50 / 47   p95 88 / 106   p99 429 / 359
NetworkModel five_g() {
    NetworkModel model;
    model.latency = LogNormalLatency{.median = 9'580us, .least = 3'540us, .sigma = 0.8};
    model.jitter = Jitter{.mean = {}, .spike_chance = 0.038, .spike_mean = 163ms};
    model.keep_order = false;
    return model;
}

/// Distances as between PlanetLab hosts (src/sim/world_map.cpp has the fit). Those are universities: each
/// peer gets a home's last mile on top, 10 ms of round trip in the middle (between the tenth and the 25th
/// percentile of M-Lab's minimum RTT to a nearby server, 7 and 14 ms, which still has some distance in it),
/// and a little jitter.
NetworkModel world() {
    NetworkModel model;
    model.latency = WorldLatency{.scale = 1, .last_mile_median = 5ms, .last_mile_sigma = 0.7};
    model.jitter = Jitter{.mean = 1ms, .spike_chance = 0.005, .spike_mean = 30ms};
    return model;
}

struct Profile {
    std::string_view name;
    NetworkModel (*make)();
};
constexpr std::array<Profile, 6> kProfiles{{{"lan", lan},
                                            {"same-continent", same_continent},
                                            {"other-continent", other_continent},
                                            {"starlink", starlink},
                                            {"5g", five_g},
                                            {"world", world}}};
constexpr std::array<std::string_view, kProfiles.size()> kProfileNames{kProfiles[0].name, kProfiles[1].name,
                                                                       kProfiles[2].name, kProfiles[3].name,
                                                                       kProfiles[4].name, kProfiles[5].name};

}  // namespace

Result<NetworkModel> network_profile(std::string_view name) {
    std::string known;
    for (const Profile& profile : kProfiles) {
        if (profile.name == name) return profile.make();
        known += known.empty() ? "" : ", ";
        known += profile.name;
    }
    return Error{"unknown network profile \"" + std::string{name} + "\" (known: " + known + ")"};
}

std::span<const std::string_view> network_profile_names() { return kProfileNames; }

}  // namespace fray
