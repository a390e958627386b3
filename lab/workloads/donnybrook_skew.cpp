#include "lab/workloads/crowd_run.hpp"
#include "lab/workloads/donnybrook_crowd.hpp"

#include <algorithm>
#include <numeric>

namespace fray::lab {
namespace {

constexpr std::uint32_t kLowKbps = 128;  // kbit/s
constexpr std::uint32_t kMiddleKbps = 256;
constexpr std::uint32_t kHighKbps = 1000;
constexpr double kCarrierFullHz = 19;  // Hz: a span of measurement begins and ends between two updates
constexpr Duration kCarrierWatched{5s};
constexpr std::size_t kOthersOfEvery = 16;  // observers, one is asked for the peers it does not watch

std::vector<ParameterSpec> parameters_of_skew() {
    return joined<ParameterSpec>(
        {{ParameterSpec::integer("players", 500, 3, 4000, "tanks; all others watch the first one"),
          ParameterSpec::integer("carrier_kbps", 108, 1, 10'000'000, "upload of the first one"),
          ParameterSpec::number("low_pct", 20, 0, 100, "of the others have 128 kbit/s"),
          ParameterSpec::number("middle_pct", 20, 0, 100,
                                "of the others have 256 kbit/s; the rest have 1,000")},
         crowd_parameters()});
}

std::vector<ColumnSpec> columns_of_skew() {
    using enum Aggregate;
    return joined<ColumnSpec>(
        {{{"at_20hz_pct", "%", mean, "of the others got at least 19 updates a second of the first one"},
          {"carrier_rate_hz", "Hz", mean, "updates of the first one, at one of the others"},
          {"carrier_rate_hz_p1", "Hz", mean, "the same, surpassed by 99 % of them"},
          {"carrier_rate_hz_min", "Hz", min, "the same, of the one with the fewest"},
          {"focus_age_ms_p50", "ms", mean, "of the first one's state on the screens of all others"},
          {"focus_age_ms_p95", "ms", mean, "the same"},
          {"best_effort_rate_hz", "Hz", mean, "updates of all others"},
          {"best_effort_rate_hz_min", "Hz", min, "of the pair with the fewest"},
          {"carrier_kbps_mean", "kbit/s", mean, "upload of the first one"},
          {"direct_pct", "%", mean, "of the others that are linked with the first one"}},
         traffic_columns_of_crowd()});
}

/// The uploads of all others, shuffled.
std::vector<std::uint32_t> uploads(const Parameters& p, std::size_t others, Seed seed) {
    std::vector<std::uint32_t> all(others, kHighKbps);
    const auto low = static_cast<std::size_t>(static_cast<double>(others) * p.number("low_pct") / 100);
    const auto middle = static_cast<std::size_t>(static_cast<double>(others) * p.number("middle_pct") / 100);
    for (std::size_t i = 0; i < std::min(others, low + middle); ++i)
        all[i] = i < low ? kLowKbps : kMiddleKbps;
    RandomStream choice{seed, "uploads"};
    for (std::size_t i = all.size(); i > 1; --i)
        std::swap(all[i - 1], all[choice.below(static_cast<std::uint32_t>(i))]);
    return all;
}

Result<void> add_uneven(Swarm& swarm, const Parameters& p, const OpenField& field, Seed seed) {
    const auto others = static_cast<std::size_t>(p.integer("players") - 1);
    std::map<std::uint32_t, std::shared_ptr<const PeerOptions>> options;
    auto kbps = uploads(p, others, seed);
    kbps.insert(kbps.begin(), static_cast<std::uint32_t>(p.integer("carrier_kbps")));
    for (std::size_t i = 0; i < kbps.size(); ++i) {
        auto& of_upload = options[kbps[i]];
        if (!of_upload) of_upload = crowd_peer(p, field, kbps[i]);
        PeerPlan plan;
        if (i > 1) plan.through = 1;  // the one that all watch need not be the one that all join through
        if (const auto added = swarm.add_peer(of_upload, plan); !added) return added.error();
    }
    return {};
}

void report_carrier(const CrowdMeter& screens, std::size_t others, RunOutput& output) {
    const Histogram rates = screens.focus_rates(kCarrierWatched);
    const double seen = static_cast<double>(rates.count()) * (1 - rates.share_up_to(kCarrierFullHz));
    output.set("at_20hz_pct", 100 * seen / static_cast<double>(others));
    output.set("carrier_rate_hz", rates.mean());
    output.set("carrier_rate_hz_p1", rates.quantile(0.01));
    output.set("carrier_rate_hz_min", rates.smallest());
    output.set("focus_age_ms_p50", screens.focus_ages().quantile(0.5));
    output.set("focus_age_ms_p95", screens.focus_ages().quantile(0.95));
    output.set("best_effort_rate_hz", screens.other_rate_hz());
    output.set("best_effort_rate_hz_min", screens.other_rates(kCarrierWatched).smallest());
}

}  // namespace

DonnybrookSkew::DonnybrookSkew()
    : TabledExperiment{"donnybrook_skew", parameters_of_skew(), columns_of_skew()} {}

Result<void> DonnybrookSkew::check(const Parameters& parameters) const { return check_crowd(parameters); }

Result<void> DonnybrookSkew::check_files(const Parameters& parameters) const {
    const auto network = crowd_network(parameters);
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> DonnybrookSkew::run(const Parameters& p, Seed seed, RunContext& context) const {
    auto network = crowd_network(p);
    if (!network) return network.error();
    auto swarm = Swarm::create({.network = std::move(*network)}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    const OpenField field;
    const auto others = static_cast<std::size_t>(p.integer("players") - 1);
    const Duration warm_up = from_seconds(p.number("warm_up_seconds"));
    CrowdRun run{*swarm, field, Gaze::carrier, derive(seed, "tanks"), warm_up};
    if (const auto added = add_uneven(*swarm, p, field, derive(seed, "uploads")); !added)
        return added.error();
    RunOutput output;
    if (!run.warm_up(context)) return output;
    std::vector<PeerIndex> observers(others);
    std::iota(observers.begin(), observers.end(), PeerIndex{1});
    run.measure(
        observers, [](PeerIndex) { return std::vector<PeerIndex>{0}; }, kOthersOfEvery);
    const double carrier_before = static_cast<double>(swarm->peer(0).stats().ledger.total_bytes());
    if (!run.run_until(from_seconds(p.number("seconds")), context)) return output;
    report_carrier(run.screens(), others, output);
    const double carrier = static_cast<double>(swarm->peer(0).stats().ledger.total_bytes()) - carrier_before;
    output.set("carrier_kbps_mean", carrier * 8 / 1000 / seconds(swarm->now() - warm_up));
    output.set("direct_pct",
               100 * static_cast<double>(swarm->peer(0).peers().size()) / static_cast<double>(others));
    run.report_traffic(output);
    output.work = {.peers = swarm->size(),
                   .rounds = static_cast<std::uint64_t>(swarm->now() / field.world().tick),
                   .messages = swarm->counts().sent};
    swarm->finish();
    return output;
}

}  // namespace fray::lab
