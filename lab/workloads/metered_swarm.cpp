#include "lab/workloads/metered_swarm.hpp"

#include <fray/fingerprint.hpp>

#include "lab/metrics/statistics.hpp"

#include <fmt/format.h>

namespace fray::lab {
namespace {

constexpr Duration kSlice{100ms};       ///< between two checks for a stop request and of the clocks
constexpr Duration kClockSettling{3s};  ///< a newcomer's clock counts after this

}  // namespace

MeteredSwarm::MeteredSwarm(Swarm& swarm, Workload& workload, Duration warm_up, RunContext& context)
    : swarm_{swarm},
      context_{context},
      updates_{swarm, warm_up},
      upload_{warm_up},
      clock_{swarm, kClockSettling},
      caps_{swarm},
      ledger_{swarm} {
    swarm.set_workload(&workload);
    for (Observer* observer : {static_cast<Observer*>(&updates_), static_cast<Observer*>(&upload_),
                               static_cast<Observer*>(&clock_), static_cast<Observer*>(&stats_),
                               static_cast<Observer*>(&caps_), static_cast<Observer*>(&ledger_)})
        swarm.add_observer(observer);
    if (!context.recording().empty()) recorder_.emplace(swarm, "foundation");
}

MeteredSwarm::~MeteredSwarm() {
    swarm_.finish();  // while the meters that observe it still exist
    swarm_.set_workload(nullptr);
}

bool MeteredSwarm::run_until(Duration end, const std::function<bool()>& done) {
    while (swarm_.now() < end) {
        if (context_.stop_requested()) return false;
        const Duration slice = std::min(swarm_.now() + kSlice, end);
        swarm_.run_until(slice);
        clock_.sample();
        context_.progress(seconds(slice) / seconds(end));
        if (done && done()) break;
    }
    return true;
}

double MeteredSwarm::linked_share() const {
    std::uint64_t links = 0;
    std::uint64_t alive = 0;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        ++alive;
        links += swarm_.peer(i).peers().size();
    }
    return alive < 2 ? 1 : share(links, alive * (alive - 1));
}

Result<void> MeteredSwarm::conclude(RunOutput& output) {
    auto saved =
        recorder_ ? recorder_->finish().save(context_.recording(), sim::Overwrite::yes) : Result<void>{};
    const double linked = linked_share();
    const Duration end = swarm_.now();
    output.set("upload_kbps_mean", upload_.mean_kbps(end, swarm_.size()));
    caps_.conclude();
    ledger_.conclude();
    swarm_.finish();
    report_traffic(output);
    report_updates(output);
    report_links(output, linked);
    output.work = {
        .peers = swarm_.size(), .rounds = swarm_.counts().frames, .messages = swarm_.counts().sent};
    return saved;
}

void MeteredSwarm::report_traffic(RunOutput& output) const {
    const SwarmCounts& counts = swarm_.counts();
    std::uint64_t fullest = 0;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) fullest = std::max(fullest, caps_.fullest_window(i));
    output.set("upload_kbps_max_1s", upload_.most_kbps_in_a_second());
    output.set("upload_bytes_max_100ms", fullest);
    output.set("cap_violations", std::uint64_t{caps_.violation_count()});
    output.set("ledger_bytes", stats_.ledger_bytes);
    output.set("network_bytes", counts.sent_bytes);
    output.set("ledger_violations", std::uint64_t{ledger_.violation_count()});
    output.set("datagrams", counts.sent);
    output.set("loss_pct", 100 * share(counts.dropped_for(DropReason::lost), counts.sent));
    output.set("dropped_other",
               counts.dropped_for(DropReason::upload_full) + counts.dropped_for(DropReason::download_full));
    output.set("trace_hash", fmt::format("{:016x}", swarm_.trace_hash()));
}

void MeteredSwarm::report_updates(RunOutput& output) const {
    output.set("updates_sent", stats_.updates_sent);
    output.set("updates_delivered", stats_.updates_received);
    output.set("updates_stale", stats_.updates_stale);
    output.set("bits_per_update", share(stats_.state_bits, stats_.updates_sent));
    output.set("update_age_ms_p50", updates_.ages().quantile(0.5));
    output.set("update_age_ms_p95", updates_.ages().quantile(0.95));
    output.set("update_age_ms_mean", updates_.ages().mean());
    output.set("updates_timed", updates_.ages().count());
}

void MeteredSwarm::report_links(RunOutput& output, double linked) const {
    output.set("linked_pct", 100 * linked);
    output.set("link_rtt_ms_p50", stats_.rtts().quantile(0.5));
    output.set("link_rtt_ms_p95", stats_.rtts().quantile(0.95));
    output.set("link_loss_pct", 100 * share(stats_.links_lost, stats_.links_lost + stats_.links_delivered));
    output.set("clock_error_ms_p50", clock_.errors().quantile(0.5));
    output.set("clock_error_ms_p99", clock_.errors().quantile(0.99));
    output.set("rejected_copies",
               stats_.rejections.of(Rejection::duplicate) + stats_.rejections.of(Rejection::stale));
    output.set("rejected_unlinked", stats_.unlinked_rejections());
    output.set("rejected_other", stats_.strange_rejections());
}

std::vector<ColumnSpec> MeteredSwarm::columns() {
    using enum Aggregate;
    return {
        {"upload_kbps_mean", "kbit/s", mean, "per peer after the warm-up, headers counted"},
        {"upload_kbps_max_1s", "kbit/s", max, "of any peer in any second"},
        {"upload_bytes_max_100ms", "bytes", max, "of any peer in any 100 ms"},
        {"cap_violations", "", sum, "windows of 100 ms above the cap"},
        {"ledger_bytes", "bytes", sum, "booked by the peers"},
        {"network_bytes", "bytes", sum, "carried by the network, headers counted"},
        {"ledger_violations", "", sum, "stays of peers whose ledger is not what the network carried"},
        {"datagrams", "", sum, "sent"},
        {"loss_pct", "%", mean, "of the datagrams, lost by the network"},
        {"dropped_other", "", sum, "datagrams that met a full queue"},
        {"updates_sent", "", sum, "one per update and receiver"},
        {"updates_delivered", "", sum, "newer than what the receiver held"},
        {"updates_stale", "", sum, "overtaken on the way"},
        {"bits_per_update", "bits", mean, "state only, without headers"},
        {"update_age_ms_p50", "ms", mean, "true time from the owner's update to its application"},
        {"update_age_ms_p95", "ms", mean, "the same"},
        {"update_age_ms_mean", "ms", mean, "the same"},
        {"updates_timed", "", sum, "updates these ages are of"},
        {"linked_pct", "%", min, "ordered pairs of living peers that are linked at the end"},
        {"link_rtt_ms_p50", "ms", mean, "the links' own estimates"},
        {"link_rtt_ms_p95", "ms", mean, "the same"},
        {"link_loss_pct", "%", mean, "the links' own count"},
        {"clock_error_ms_p50", "ms", mean, "session time against that of the oldest peer"},
        {"clock_error_ms_p99", "ms", max, "the same"},
        {"rejected_copies", "", sum, "datagrams seen before or too old"},
        {"rejected_unlinked", "", sum, "datagrams of a link that the receiver had given up"},
        {"rejected_other", "", sum, "datagrams refused for any other reason"},
        {"trace_hash", "", hash, "of every sending and delivery"},
    };
}

}  // namespace fray::lab
