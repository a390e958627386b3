#include "lab/metrics/contact_meter.hpp"
#include "lab/metrics/message_meter.hpp"
#include "lab/workloads/fault_schedule.hpp"
#include "lab/workloads/foundation.hpp"
#include "lab/workloads/foundation_common.hpp"
#include "lab/workloads/metered_swarm.hpp"
#include "lab/workloads/players.hpp"
#include "sim/checkers/exactly_once_checker.hpp"

namespace fray::lab {
namespace {

/// Messages sent in the last seconds may still be on their way when the run ends.
constexpr Duration kLastMessages{5s};

NetworkModel network_of(const Parameters& p) {
    NetworkModel network;
    network.latency = ConstantLatency{from_seconds(p.number("latency_ms") / 1000)};
    network.jitter.mean = from_seconds(p.number("jitter_ms") / 1000);
    network.loss = IndependentLoss{p.number("loss")};
    network.duplication = {.chance = p.number("duplication"), .extra = 20ms};
    network.reordering = {.chance = p.number("reordering"), .extra = 40ms};
    return network;
}

std::vector<ParameterSpec> fault_schedule_parameters() {
    return {
        ParameterSpec::number("latency_ms", 50.0, 0, 10'000, "one way, the same in both directions"),
        ParameterSpec::number("jitter_ms", 2.0, 0, 1000, "mean of an exponential delay on top"),
        ParameterSpec::number("loss", 0.1, 0, 0.9, "share of datagrams"),
        ParameterSpec::number("duplication", 0.05, 0, 1, "share of datagrams"),
        ParameterSpec::number("reordering", 0.05, 0, 1, "share of datagrams held back by up to 40 ms"),
        ParameterSpec::integer("crashes", 8, 0, 1000, "peers that crash and come back"),
        ParameterSpec::number("away_seconds", 4.0, 0.1, 3600, "and are away for at most this"),
        ParameterSpec::number("partition_at", 30.0, 0, 86'400, "seconds from the start"),
        ParameterSpec::number("partition_seconds", 10.0, 0.1, 3600, "every other peer cannot reach the rest"),
        ParameterSpec::number("message_interval", 0.5, 0.01, 3600, "seconds between two messages of a peer"),
    };
}

std::vector<ColumnSpec> fault_columns() {
    using enum Aggregate;
    return {
        {"messages_sent", "", sum, "reliable and ordered ones, times receivers"},
        {"messages_delivered", "", sum, "of them"},
        {"messages_required", "", sum, "sender and receiver lived to the end"},
        {"messages_missing", "", sum, "required, and never delivered"},
        {"messages_duplicated", "", sum, "delivered to the same stay again"},
        {"messages_misordered", "", sum, "ordered ones that overtook another"},
        {"messages_stray", "", sum, "delivered to a stay they were not for"},
        {"exactly_once_violations", "", sum, "as the simulator's own checker counts"},
        {"crashes_done", "", sum, "of peers"},
        {"rejoins_done", "", sum, "of peers"},
        {"datagrams_partitioned", "", sum, "lost in the partition"},
        {"copies", "", sum, "datagrams the network doubled"},
        {"held_back", "", sum, "datagrams the network delayed for reordering"},
        {"healed_pairs", "", sum, "ordered pairs the partition separated"},
        {"healed_pairs_never", "", sum, "of them, without any update made after the healing"},
        {"reunion_ms", "ms", max, "from healing to the last pair being linked again"},
        {"healed_in_rtt_2_frames_pct", "%", min,
         "pairs that held an update within one RTT and two frames of contact"},
        {"healed_ms_p50", "ms", mean, "from contact to holding an update"},
        {"healed_ms_p99", "ms", max, "the same"},
        {"healed_ms_max", "ms", max, "the same"},
        {"heard_in_rtt_2_frames_pct", "%", min, "the same, from the owner's first datagram on"},
        {"heard_ms_p50", "ms", mean, "from the owner's first datagram to holding an update"},
        {"heard_ms_p99", "ms", max, "the same"},
        {"heard_ms_max", "ms", max, "the same"},
    };
}

void report(RunOutput& output, const MessageMeter& messages, const sim::ExactlyOnceChecker& checker) {
    output.set("messages_sent", messages.sent);
    output.set("messages_delivered", messages.delivered);
    output.set("messages_required", messages.required);
    output.set("messages_missing", messages.missing);
    output.set("messages_duplicated", messages.duplicated);
    output.set("messages_misordered", messages.misordered);
    output.set("messages_stray", messages.stray);
    output.set("exactly_once_violations", std::uint64_t{checker.violation_count()});
}

void report(RunOutput& output, const ContactMeter& contacts, double deadline_ms) {
    const auto& result = contacts.result();
    const auto reached = static_cast<double>(result.pairs - result.never);
    const double share = result.pairs == 0 ? 0 : reached / static_cast<double>(result.pairs);
    output.set("healed_pairs", result.pairs);
    output.set("healed_pairs_never", result.never);
    output.set("reunion_ms", contacts.reunion_ms());
    output.set("healed_in_rtt_2_frames_pct", 100 * share * result.since_linked.share_up_to(deadline_ms));
    output.set("healed_ms_p50", result.since_linked.quantile(0.5));
    output.set("healed_ms_p99", result.since_linked.quantile(0.99));
    output.set("healed_ms_max", result.since_linked.largest());
    output.set("heard_in_rtt_2_frames_pct", 100 * share * result.since_heard.share_up_to(deadline_ms));
    output.set("heard_ms_p50", result.since_heard.quantile(0.5));
    output.set("heard_ms_p99", result.since_heard.quantile(0.99));
    output.set("heard_ms_max", result.since_heard.largest());
}

void report(RunOutput& output, const SwarmCounts& counts) {
    output.set("crashes_done", counts.crashes);
    output.set("rejoins_done", counts.rejoins);
    output.set("datagrams_partitioned", counts.dropped_for(DropReason::partitioned));
    output.set("copies", counts.duplicated);
    output.set("held_back", counts.held_back);
}

}  // namespace

FoundationFaults::FoundationFaults()
    : TabledExperiment{"foundation_faults", joined({common_parameters(), fault_schedule_parameters()}),
                       joined({MeteredSwarm::columns(), fault_columns()})} {}

Result<void> FoundationFaults::check(const Parameters& parameters) const {
    if (auto common = check_common(parameters); !common) return common;
    if (auto schedule = check_schedule(parameters); !schedule) return schedule;
    return network_of(parameters).check();
}

Result<RunOutput> FoundationFaults::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    auto swarm = Swarm::create(swarm_options(parameters, network_of(parameters)), derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    const FaultSchedule schedule = FaultSchedule::make(parameters, seed);
    const Duration end = from_seconds(parameters.number("seconds"));
    Players players{
        foundation_world(),
        {.message_interval = parameters.number("message_interval"), .silent_from = end - kLastMessages},
        derive(seed, "players")};
    MessageMeter messages{*swarm};
    sim::ExactlyOnceChecker exactly_once{*swarm};
    ContactMeter contacts{*swarm, schedule.partition.until, schedule.side};
    MeteredSwarm meters{*swarm, players, from_seconds(parameters.number("warm_up_seconds")), context};
    meters.updates().set_listener([&](const UpdateMeter::Arrival& arrival) { contacts.note(arrival); });
    swarm->add_observer(&messages);
    swarm->add_observer(&exactly_once);
    swarm->add_observer(&contacts);
    if (auto added = add_peers(*swarm, parameters); !added) return added.error();
    if (auto applied = schedule.apply(*swarm); !applied) return applied.error();
    RunOutput output;
    if (!meters.run_until(end)) return output;
    messages.conclude(end - kLastMessages);
    exactly_once.conclude();
    contacts.conclude();
    if (auto concluded = meters.conclude(output); !concluded) return concluded.error();
    report(output, messages, exactly_once);
    report(output, contacts, 2 * parameters.number("latency_ms") + 2 * millis(foundation_world().tick));
    report(output, swarm->counts());
    return output;
}

}  // namespace fray::lab
