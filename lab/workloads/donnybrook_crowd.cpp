#include "lab/workloads/donnybrook_crowd.hpp"

#include "lab/workloads/crowd_run.hpp"

#include <algorithm>
#include <map>

namespace fray::lab {
namespace {

constexpr Duration kAskWhoSeesAll{250ms};  // who sees all others
constexpr Duration kPairSettled{10s};      // a pair out of focus for so long has a rate

std::vector<ParameterSpec> parameters_of_crowd() {
    return joined<ParameterSpec>(
        {{ParameterSpec::integer("players", 500, 2, 4000, "tanks, all in sight of each other"),
          ParameterSpec::integer("upload_kbps_cap", 256, 1, 10'000'000, "of each peer"),
          ParameterSpec::integer("entry_peers", 16, 1, 4000, "that all others join through"),
          ParameterSpec::integer("observers", 32, 1, 4000, "peers whose screens are measured")},
         crowd_parameters()});
}

std::vector<ColumnSpec> columns_of_crowd() {
    using enum Aggregate;
    return joined<ColumnSpec>(
        {{{"all_seen_s", "s", max, "from the cold start until every peer has had replicas of all others"},
          {"newcomer_s", "s", max, "from its start until the newcomer has replicas of all others"},
          {"newcomer_seen_s", "s", max, "from its start until all observers have a replica of it"},
          {"links_mean", "", mean, "of a peer, at the end"},
          {"focus_size", "", mean, "linked peers that an observer's player watches"},
          {"focus_linked_pct", "%", mean, "of the peers that it watches, those that it is linked with"},
          {"focus_rate_hz", "Hz", mean, "updates of a watched peer"},
          {"focus_age_ms_p50", "ms", mean, "of a watched peer's state on the screen"},
          {"focus_age_ms_p95", "ms", mean, "the same"},
          {"focus_delay_ms_p95", "ms", mean, "that age without the pair's own one-way delay"},
          {"best_effort_rate_hz", "Hz", mean, "updates of all other peers"},
          {"best_effort_rate_hz_p1", "Hz", mean, "of the pair that 99 % of them surpass"},
          {"best_effort_rate_hz_min", "Hz", min, "of the pair with the fewest"},
          {"best_effort_gap_ms_p99", "ms", mean, "between two of them"},
          {"focus_error_units_p50", "m", mean, "between screen and truth, in focus"},
          {"focus_error_units_p95", "m", mean, "the same"},
          {"guided_error_units_p50", "m", mean, "the same, out of focus"},
          {"guided_error_units_p95", "m", mean, "the same"},
          {"datagrams_per_s", "", mean, "sent by a peer, over the whole run"}},
         traffic_columns_of_crowd()});
}

/// When peers have seen all others.
class SeenAll {
public:
    explicit SeenAll(const Swarm& swarm) : swarm_{swarm} {}

    void look(std::size_t players) {
        if (swarm_.now() < next_) return;
        next_ = swarm_.now() + kAskWhoSeesAll;
        for (PeerIndex i = 0; i < players; ++i) {
            if (!seen_.contains(i) && sees(i) + 1 >= swarm_.size()) seen_[i] = swarm_.now();
        }
    }
    [[nodiscard]] std::optional<Duration> all(std::size_t players) const {
        if (seen_.size() < players) return std::nullopt;
        Duration last{};
        for (const auto& [peer, at] : seen_) last = std::max(last, at);
        return last;
    }

private:
    [[nodiscard]] std::size_t sees(PeerIndex i) const {
        return swarm_.alive(i) ? swarm_.peer(i).replicas(swarm_.local_now(i)).size() : 0;
    }
    const Swarm& swarm_;
    Duration next_{};
    std::map<PeerIndex, Duration> seen_;
};

/// A peer that joins late: when it sees all, and all observers see it.
class Newcomer {
public:
    Newcomer(const Swarm& swarm, PeerIndex index) : swarm_{swarm}, index_{index}, from_{swarm.now()} {}

    void look(const CrowdRun& run, const std::vector<PeerIndex>& observers) {
        if (!swarm_.alive(index_)) return;
        const auto replicas = swarm_.peer(index_).replicas(swarm_.local_now(index_));
        if (!sees_all_ && replicas.size() + 1 >= swarm_.size()) sees_all_ = swarm_.now() - from_;
        const auto entity = run.tanks().entity(index_);
        if (seen_ || !entity) return;
        const bool by_all = std::ranges::all_of(observers, [&](PeerIndex i) {
            return swarm_.peer(i).replica(swarm_.local_now(i), *entity).has_value();
        });
        if (by_all) seen_ = swarm_.now() - from_;
    }
    void report(RunOutput& output) const;

private:
    const Swarm& swarm_;
    PeerIndex index_;
    Duration from_;
    std::optional<Duration> sees_all_;
    std::optional<Duration> seen_;
};

void report_time(std::string_view column, const std::optional<Duration>& time, RunOutput& output) {
    if (time)
        output.set(column, seconds(*time));
    else
        output.set(column, std::string{"never"});
}

void Newcomer::report(RunOutput& output) const {
    report_time("newcomer_s", sees_all_, output);
    report_time("newcomer_seen_s", seen_, output);
}

void report_focus(const CrowdMeter& screens, RunOutput& output) {
    output.set("focus_size", screens.focus_size());
    output.set("focus_linked_pct", 100 * screens.focus_linked_share());
    output.set("focus_rate_hz", screens.focus_rate_hz());
    output.set("focus_age_ms_p50", screens.focus_ages().quantile(0.5));
    output.set("focus_age_ms_p95", screens.focus_ages().quantile(0.95));
    output.set("focus_delay_ms_p95", screens.focus_delays().quantile(0.95));
    output.set("focus_error_units_p50", screens.focus_errors().quantile(0.5));
    output.set("focus_error_units_p95", screens.focus_errors().quantile(0.95));
}

void report_others(const CrowdMeter& screens, RunOutput& output) {
    const Histogram rates = screens.other_rates(kPairSettled);
    output.set("best_effort_rate_hz", screens.other_rate_hz());
    output.set("best_effort_rate_hz_p1", rates.quantile(0.01));
    output.set("best_effort_rate_hz_min", rates.smallest());
    output.set("best_effort_gap_ms_p99", screens.other_gaps_ms().quantile(0.99));
    output.set("guided_error_units_p50", screens.other_errors().quantile(0.5));
    output.set("guided_error_units_p95", screens.other_errors().quantile(0.95));
}

std::vector<PeerIndex> spread(std::size_t count, std::size_t players) {
    std::vector<PeerIndex> observers;
    for (std::size_t i = 0; i < std::min(count, players); ++i)
        observers.push_back(static_cast<PeerIndex>(i * players / std::min(count, players)));
    return observers;
}

double links_of(const Swarm& swarm) {
    std::size_t links = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i) links += swarm.peer(i).peers().size();
    return static_cast<double>(links) / swarm.size();
}

/// A cold start: all at once, each through one of the first peers.
Result<void> add_all(Swarm& swarm, const std::shared_ptr<const PeerOptions>& options, std::size_t players,
                     std::size_t entries) {
    for (std::size_t i = 0; i < players; ++i) {
        PeerPlan plan;
        if (i >= entries) plan.through = static_cast<PeerIndex>(i % entries);
        if (const auto added = swarm.add_peer(options, plan); !added) return added.error();
    }
    return {};
}

}  // namespace

DonnybrookCrowd::DonnybrookCrowd()
    : TabledExperiment{"donnybrook_crowd", parameters_of_crowd(), columns_of_crowd()} {}

Result<void> DonnybrookCrowd::check(const Parameters& parameters) const { return check_crowd(parameters); }

Result<void> DonnybrookCrowd::check_files(const Parameters& parameters) const {
    const auto network = crowd_network(parameters);
    return network ? network->check() : Result<void>{network.error()};
}

Result<RunOutput> DonnybrookCrowd::run(const Parameters& p, Seed seed, RunContext& context) const {
    auto network = crowd_network(p);
    if (!network) return network.error();
    auto swarm = Swarm::create({.network = std::move(*network)}, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    const OpenField field;
    const auto players = static_cast<std::size_t>(p.integer("players"));
    const auto options = crowd_peer(p, field, static_cast<std::uint32_t>(p.integer("upload_kbps_cap")));
    const Duration warm_up = from_seconds(p.number("warm_up_seconds"));
    CrowdRun run{*swarm, field, Gaze::ahead, derive(seed, "tanks"), warm_up};
    const auto entries = static_cast<std::size_t>(p.integer("entry_peers"));
    if (const auto added = add_all(*swarm, options, players, entries); !added) return added.error();
    SeenAll seen{*swarm};
    RunOutput output;
    if (!run.warm_up(context, [&] { seen.look(players); })) return output;
    const auto observers = spread(static_cast<std::size_t>(p.integer("observers")), players);
    run.measure(observers);
    PeerPlan late;
    late.start = swarm->now();
    const auto added = swarm->add_peer(options, late);
    if (!added) return added.error();
    Newcomer newcomer{*swarm, *added};
    const auto look = [&] { newcomer.look(run, observers); };
    if (!run.run_until(from_seconds(p.number("seconds")), context, look)) return output;
    report_time("all_seen_s", seen.all(players), output);
    newcomer.report(output);
    output.set("links_mean", links_of(*swarm));
    output.set("datagrams_per_s",
               static_cast<double>(swarm->counts().sent) / seconds(swarm->now()) / swarm->size());
    report_focus(run.screens(), output);
    report_others(run.screens(), output);
    run.report_traffic(output);
    output.work = {.peers = swarm->size(),
                   .rounds = static_cast<std::uint64_t>(swarm->now() / field.world().tick),
                   .messages = swarm->counts().sent};
    swarm->finish();
    return output;
}

}  // namespace fray::lab
