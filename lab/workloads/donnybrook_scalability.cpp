#include "lab/metrics/pair_rates.hpp"
#include "lab/metrics/upload_meter.hpp"
#include "lab/workloads/donnybrook.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/players.hpp"
#include "sim/checkers/upload_cap_checker.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace fray::lab {
namespace {

constexpr double kFrames = 20;    // per second
constexpr double kFocus = 4;      // others at full rate that make a game enjoyable (section IV-C)
constexpr double kAlmost = 0.95;  // a window of measurement begins and ends between two updates
constexpr double kBytesPerKbps = 125;

World crowded_arena() {
    World world;
    world.name = "arena";
    world.low = {0, 0, 0};
    world.high = {256, 256, 0};
    return world;
}

PeerOptions scalability_peer(const Parameters& p) {
    PeerOptions options;
    options.world = crowded_arena();
    options.link.upload_kbps = static_cast<std::uint32_t>(p.integer("upload_kbps"));
    if (p.text("condition") == "focus_set") options.interest = FocusSet{};
    return options;
}

std::vector<ParameterSpec> parameters_of_scalability() {
    return {ParameterSpec::integer("players", 32, 2, 1000, "how many, all in sight of each other"),
            ParameterSpec::integer("upload_kbps", 108, 1, 10'000'000, "cap of each peer, kbit/s"),
            ParameterSpec::choice("condition", {"broadcast", "focus_set"}, "focus_set", "update policy"),
            ParameterSpec::number("seconds", 40.0, 2, 3600, "simulated time"),
            ParameterSpec::number("warm_up_seconds", 20.0, 1, 3600,
                                  "until rates count; peers join in its first half"),
            profile_parameter()};
}

std::vector<ColumnSpec> columns_of_scalability() {
    return {
        {"upload_kbps_mean", "kbit/s", Aggregate::mean, "per peer, headers counted"},
        {"cap_violations", "", Aggregate::sum, "windows of 100 ms in which a peer sent more than its cap"},
        {"linked_pct", "%", Aggregate::min, "of all pairs, at the end"},
        {"focus_size", "", Aggregate::mean, "peers in the focus set of a peer, at the end"},
        {"focus_rate_hz", "Hz", Aggregate::mean, "updates in a second, of pairs with at least 18"},
        {"others_at_20hz", "", Aggregate::mean, "others of which a peer got at least 18 updates in a second"},
        {"others_at_20hz_p5", "", Aggregate::mean, "the same, exceeded by 95 % of peers and seconds"},
        {"best_effort_rate_hz", "Hz", Aggregate::mean, "of pairs below 18 updates in a second"},
        {"rate_hz_min", "Hz", Aggregate::min, "mean rate of the pair with the lowest one"},
        {"gap_ms_p50", "ms", Aggregate::mean, "between two updates of a pair, of gaps above 100 ms"},
        {"gap_ms_p99", "ms", Aggregate::max, "likewise"},
        {"focus_age_ms_p50", "ms", Aggregate::mean, "from an update to its arrival, of pairs at 20 Hz"},
        {"focus_age_ms_p95", "ms", Aggregate::max, "likewise"},
        {"wire_bytes_per_update", "B", Aggregate::mean, "all bytes sent, over all updates sent"},
        {"supported", "", Aggregate::min,
         "1: broadcast, all at 19 Hz or more; focus sets, 3.8 others at 20 Hz and all at 0.95 Hz or more"},
        {"players_projected", "", Aggregate::mean,
         "projection, not measured: players that this upload supports at these bytes per update"}};
}

/// The players that an upload carries: broadcast sends to all others in every frame; focus sets send to four
/// in every frame, and to all others once a second.
double projected(bool broadcast, double upload_kbps, double bytes_per_update) {
    const double per_frame = upload_kbps * kBytesPerKbps / kFrames / bytes_per_update;
    return std::floor(broadcast ? 1 + per_frame : 1 + kFocus + std::max(0.0, per_frame - kFocus) * kFrames);
}

struct Sent {
    std::uint64_t bytes = 0;
    std::uint64_t updates = 0;
    std::uint64_t links = 0;
    std::uint64_t in_focus = 0;
};

Sent sum_up(const Swarm& swarm) {
    Sent sum;
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        const Stats stats = swarm.peer(i).stats();
        sum.bytes += stats.ledger.total_bytes();
        sum.updates += stats.updates_sent;
        sum.links += stats.links.size();
        sum.in_focus += stats.focus.in_focus;
    }
    return sum;
}

Result<void> add_all(Swarm& swarm, const Parameters& p) {
    const auto options = std::make_shared<const PeerOptions>(scalability_peer(p));
    const Duration arrivals = from_seconds(p.number("warm_up_seconds") / 2);
    const auto players = p.integer("players");
    for (std::int64_t i = 0; i < players; ++i) {
        PeerPlan plan;
        plan.start = arrivals * i / players;
        if (const auto added = swarm.add_peer(options, plan); !added) return added.error();
    }
    return {};
}

/// The swarm with its meters.
struct MeteredMesh {
    MeteredMesh(Swarm& all, std::size_t count, Duration warm_up)
        : swarm{all},
          players{count},
          rates{count, warm_up},
          updates{all, warm_up},
          upload{warm_up},
          caps{all} {
        updates.set_listener([this](const UpdateMeter::Arrival& arrival) { rates.arrived(arrival); });
        swarm.add_observer(&updates);
        swarm.add_observer(&upload);
        swarm.add_observer(&caps);
    }
    MeteredMesh(const MeteredMesh&) = delete;
    MeteredMesh& operator=(const MeteredMesh&) = delete;
    ~MeteredMesh() = default;

    /// Whole seconds. False if the user wanted to stop.
    [[nodiscard]] bool run_until(Duration end, RunContext& context) {
        while (swarm.now() + 1s <= end) {
            if (context.stop_requested()) return false;
            swarm.run_for(1s);
            rates.end_second();
            context.progress(static_cast<double>(micros(swarm.now())) / static_cast<double>(micros(end)));
        }
        caps.conclude();
        return true;
    }

    Swarm& swarm;
    std::size_t players;
    PairRates rates;
    UpdateMeter updates;
    UploadMeter upload;
    sim::UploadCapChecker caps;
};

bool is_broadcast(const Parameters& p) { return p.text("condition") == "broadcast"; }

void report_traffic(const MeteredMesh& mesh, const Sent& before, const Sent& after, const Parameters& p,
                    RunOutput& output) {
    const auto players = static_cast<double>(mesh.players);
    const double updates = std::max(1.0, static_cast<double>(after.updates - before.updates));
    const double per_update = static_cast<double>(after.bytes - before.bytes) / updates;
    output.set("upload_kbps_mean", mesh.upload.mean_kbps(mesh.swarm.now(), mesh.players));
    output.set("cap_violations", std::uint64_t{mesh.caps.violation_count()});
    output.set("linked_pct", 100 * static_cast<double>(after.links) / (players * (players - 1)));
    if (!is_broadcast(p)) output.set("focus_size", static_cast<double>(after.in_focus) / players);
    output.set("wire_bytes_per_update", per_update);
    output.set("players_projected",
               projected(is_broadcast(p), static_cast<double>(p.integer("upload_kbps")), per_update));
}

void report_rates(const PairRates& rates, bool broadcast, double others, RunOutput& output) {
    const double least = rates.least_hz();
    output.set("others_at_20hz", rates.full().mean());
    output.set("others_at_20hz_p5", rates.full().quantile(0.05));
    output.set("best_effort_rate_hz", rates.best_effort_hz());
    output.set("rate_hz_min", least);
    output.set("gap_ms_p50", rates.gaps().quantile(0.5));
    output.set("gap_ms_p99", rates.gaps().quantile(0.99));
    if (rates.focus_ages().count() != 0) {
        output.set("focus_rate_hz", rates.full_hz());
        output.set("focus_age_ms_p50", rates.focus_ages().quantile(0.5));
        output.set("focus_age_ms_p95", rates.focus_ages().quantile(0.95));
    }
    const bool is_supported =
        broadcast ? least >= kFrames * kAlmost
                  : rates.full().mean() >= std::min(kFocus, others) * kAlmost && least >= kAlmost;
    output.set("supported", std::uint64_t{is_supported ? 1U : 0U});
}

}  // namespace

DonnybrookScalability::DonnybrookScalability()
    : TabledExperiment{"donnybrook_scalability", parameters_of_scalability(), columns_of_scalability()} {}

Result<void> DonnybrookScalability::check(const Parameters& parameters) const {
    if (parameters.number("warm_up_seconds") + 1 <= parameters.number("seconds")) return {};
    return Error{"warm_up_seconds must be at least a second less than seconds"};
}

Result<void> DonnybrookScalability::check_files(const Parameters& parameters) const {
    const auto network = network_named(parameters.text("profile"));
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> DonnybrookScalability::run(const Parameters& p, Seed seed, RunContext& context) const {
    auto network = network_named(p.text("profile"));
    if (!network) return network.error();
    auto swarm = Swarm::create({.network = std::move(*network)}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    const Duration warm_up = from_seconds(p.number("warm_up_seconds"));
    const PlayerOptions walk{.walk = {.speed_least = 4, .speed_most = 8, .turn_chance = 0.02}};
    Players walkers{crowded_arena(), walk, derive(seed, "players")};
    MeteredMesh mesh{*swarm, static_cast<std::size_t>(p.integer("players")), warm_up};
    swarm->set_workload(&walkers);
    if (auto added = add_all(*swarm, p); !added) return added.error();

    RunOutput output;
    swarm->run_until(warm_up);
    const Sent before = sum_up(*swarm);
    if (!mesh.run_until(from_seconds(p.number("seconds")), context)) return output;
    report_traffic(mesh, before, sum_up(*swarm), p, output);
    report_rates(mesh.rates, is_broadcast(p), static_cast<double>(mesh.players - 1), output);
    output.work = {.peers = mesh.players,
                   .rounds = static_cast<std::uint64_t>(swarm->now() / crowded_arena().tick),
                   .messages = swarm->counts().sent};
    swarm->finish();
    return output;
}

}  // namespace fray::lab
