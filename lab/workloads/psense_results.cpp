#include "lab/workloads/psense_results.hpp"

#include "lab/metrics/statistics.hpp"
#include "lab/workloads/tabled_experiment.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {
namespace {

/// A peer that sent this share of its cap has reached it: another update would not have fitted.
constexpr double kFull = 0.95;
/// A newcomer that does not know all players in view after this long counts as never complete.
constexpr std::uint32_t kLongEnough = 30;
/// Rounds within which recovery from a crash of many is promised, and for which it must then last.
constexpr std::size_t kRecovery = 10;
constexpr double kRecoveredPct = 99.9;

std::vector<ColumnSpec> quality_columns() {
    using enum Aggregate;
    return {
        {"in_view", "", mean, "players in the vision range"},
        {"pq", "", mean, "protocol quality: 1 is best; mean over players, then rounds"},
        {"pq_p90", "", mean, "90 % of the players have this or better; mean over rounds"},
        {"pq_round_deviation", "", mean, "standard deviation of the rounds' pq"},
        {"position_age", "rounds", mean, "of players in view, at most 20; 20 for unknown players"},
        {"one_hop", "", mean, "players in view that are known from an update of one hop"},
        {"known_pct", "%", mean, "of players in view, with an update of the last 10 rounds"},
        {"known_pct_worst", "%", min, "in the worst round"},
        {"known_pct_settled", "%", mean, "of pairs in view that both joined more than ten rounds ago"},
        {"position_error", "units", mean, "shown minus true position of known players in view"},
        {"received_error", "units", mean, "the same for the positions in their newest updates"},
        {"isolated_pct", "%", mean, "players that know none of the players in view"},
        {"isolated_max", "", max, "of them in the worst round"},
    };
}

std::vector<ColumnSpec> network_columns() {
    using enum Aggregate;
    return {
        {"upload_kbps_mean", "kbit/s", mean, "real bytes with headers, per peer"},
        {"upload_kbps_p99", "kbit/s", mean, "over peers and rounds"},
        {"upload_kbps_max", "kbit/s", max, "the same"},
        {"components", "", max, "of the graph of datagrams sent, worst round"},
        {"ghosts", "", max, "players shown in view though gone for over 10 rounds, worst round"},
        {"out_bytes_mean", "bytes", mean, "per peer and round; in paper mode of the paper's marshalling"},
        {"out_bytes_round_max", "bytes", mean, "of the fullest peer of a round, mean over rounds"},
        {"out_bytes_max", "bytes", max, "of any peer in any round"},
        {"in_bytes_mean", "bytes", mean, "per peer and round, counted likewise"},
        {"in_bytes_round_max", "bytes", mean, "of the fullest peer of a round, mean over rounds"},
        {"in_bytes_max", "bytes", max, "of any peer in any round"},
        {"full_rounds_pct", "%", mean, "rounds in which some peer sent 95 % of its cap or more"},
        {"forwarded_mean", "", mean, "updates a peer forwarded, per round"},
        {"forward_duplicates_mean", "", mean, "forwarded updates a peer had already, per round"},
        {"cap_violations", "", sum, "rounds above the real cap"},
        {"ledger_violations", "", sum, "stays of peers whose ledger is not what the network carried"},
        {"trace_hash", "", hash, "of every sending and delivery"},
    };
}

std::vector<ColumnSpec> resource_columns() {
    using enum Aggregate;
    return {
        {"memory_bytes_per_peer", "bytes", mean, "reported by the peers, at the end"},
        {"resident_bytes_per_peer", "bytes", max,
         "by which the process grew, simulator and meters included; valid with --jobs 1 only"},
        {"peer_rounds_per_cpu_second", "", mean,
         "after the warm-up: peers, simulated network and byte counts"},
    };
}

std::vector<ColumnSpec> event_columns() {
    using enum Aggregate;
    return {
        {"newcomers_timed", "", sum,
         "players that joined after the warm-up and at some time knew all in view"},
        {"newcomers_never", "", sum,
         "players that never knew all settled players in view in 30 rounds or more"},
        {"newcomer_rounds_p50", "", mean, "rounds until a newcomer knew all players in view"},
        {"newcomer_rounds_p95", "", mean, "the same"},
        {"newcomer_rounds_max", "", max, "the same"},
        {"recovery_rounds", "", max,
         "from the crash until one component and 99.9 % known, for ten rounds in a row"},
        {"known_pct_recovered", "%", min, "worst round from ten rounds after the crash on"},
        {"components_recovered", "", max, "the same"},
    };
}

}  // namespace

PSenseResults::Sums& PSenseResults::Sums::operator+=(const Sums& other) {
    looks += other.looks;
    pq += other.pq;
    pq_p90 += other.pq_p90;
    counts += other.counts;
    return *this;
}

double PSenseResults::Sums::known_pct() const {
    return counts.in_view == 0 ? 100 : 100 * share(counts.known, counts.in_view);
}

void PSenseResults::add(std::uint32_t round, const RoundQuality& quality) {
    const std::uint64_t looks = quality.in_view > 0 ? 1 : 0;
    current_.sums += {.looks = looks, .pq = quality.pq, .pq_p90 = quality.pq_p90, .counts = quality};
    current_.isolated_most = std::max(current_.isolated_most, quality.isolated);
    note_newcomers(round, quality);
}

void PSenseResults::note_newcomers(std::uint32_t round, const RoundQuality& quality) {
    newcomers_.resize(quality.each.size());
    for (PlayerIndex who = 0; who < quality.each.size(); ++who) {
        const PlayerQuality& now = quality.each[who];
        Newcomer& newcomer = newcomers_[who];
        if (now.in_view == 0 || newcomer.complete != kNoRound) continue;
        newcomer.saw_anybody = true;
        if (now.overlooked == 0) newcomer.overlooks = false;
        if (now.known == now.in_view) newcomer.complete = round;
    }
}

void PSenseResults::end_round(const std::optional<RoundNetwork>& network) {
    has_network_ = network.has_value();
    if (network) current_.network = *network;
    rounds_.push_back(std::exchange(current_, {}));
}

void PSenseResults::conclude(RunOutput& output) const {
    report_quality(output);
    if (has_network_) report_network(output);
    report_newcomers(output);
    if (setup_.schedule.crash_share > 0) report_recovery(output);
    if (setup_.curve) output.curves.push_back(curve());
}

void PSenseResults::report_quality(RunOutput& output) const {
    Sums all;
    std::uint64_t isolated_most = 0;
    double known_least = 100;
    std::vector<double> pqs;
    for (const Round& round : rounds_) {
        all += round.sums;
        isolated_most = std::max(isolated_most, round.isolated_most);
        known_least = std::min(known_least, round.sums.known_pct());
        if (round.sums.looks > 0) pqs.push_back(share(round.sums.pq, round.sums.looks));
    }
    const QualityCounts& counts = all.counts;
    output.set("in_view", share(counts.in_view, counts.players));
    output.set("isolated_pct", 100 * share(counts.isolated, counts.players));
    output.set("isolated_max", isolated_most);
    if (counts.in_view == 0) return;  // no player had another in view: quality is undefined
    output.set("pq", share(all.pq, all.looks));
    output.set("pq_p90", share(all.pq_p90, all.looks));
    output.set("pq_round_deviation", summarize(pqs).deviation);
    output.set("position_age", share(counts.position_age_sum, counts.in_view));
    output.set("one_hop", share(counts.one_hop, counts.players));
    output.set("known_pct", all.known_pct());
    output.set("known_pct_worst", known_least);
    if (all.counts.settled != 0)
        output.set("known_pct_settled", 100 * share(all.counts.settled_known, all.counts.settled));
    if (counts.known == 0) return;
    output.set("position_error", share(counts.position_error_sum, counts.known));
    output.set("received_error", share(counts.received_error_sum, counts.known));
}

void PSenseResults::report_network(RunOutput& output) const {
    RoundTraffic sum;
    RoundTraffic most;
    std::uint64_t components = 0;
    std::uint64_t ghosts = 0;
    std::uint64_t full = 0;
    for (const Round& round : rounds_) {
        sum += round.network.traffic;
        most.raise_to(round.network.traffic);
        components = std::max(components, round.network.components);
        ghosts = std::max(ghosts, round.network.ghosts);
        if (round.network.traffic.out_max >= kFull * setup_.cap_bytes) ++full;
    }
    output.set("components", components);
    output.set("ghosts", ghosts);
    output.set("out_bytes_mean", share(sum.out_mean, rounds_.size()));
    output.set("out_bytes_round_max", share(sum.out_max, rounds_.size()));
    output.set("out_bytes_max", most.out_max);
    output.set("in_bytes_mean", share(sum.in_mean, rounds_.size()));
    output.set("in_bytes_round_max", share(sum.in_max, rounds_.size()));
    output.set("in_bytes_max", most.in_max);
    if (setup_.cap_bytes > 0) output.set("full_rounds_pct", 100 * share(full, rounds_.size()));
}

void PSenseResults::report_newcomers(RunOutput& output) const {
    std::vector<double> rounds;
    std::uint64_t never = 0;
    for (PlayerIndex who = 0; who < newcomers_.size(); ++who) {
        const std::uint32_t born = population_.born(who);
        if (born < setup_.schedule.warm_up_rounds || !newcomers_[who].saw_anybody) continue;
        const std::uint32_t until = std::min(population_.gone(who), setup_.total_rounds());
        if (newcomers_[who].complete != kNoRound) rounds.push_back(newcomers_[who].complete - born);
        if (newcomers_[who].overlooks && until - born >= kLongEnough) ++never;
    }
    if (rounds.empty() && never == 0) return;
    output.set("newcomers_timed", std::uint64_t{rounds.size()});
    output.set("newcomers_never", never);
    if (rounds.empty()) return;
    output.set("newcomer_rounds_p50", quantile(rounds, 0.5));
    output.set("newcomer_rounds_p95", quantile(rounds, 0.95));
    output.set("newcomer_rounds_max", quantile(rounds, 1));
}

void PSenseResults::report_recovery(RunOutput& output) const {
    const std::size_t crash = setup_.schedule.crash_round;
    const auto well = [&](std::size_t i) {
        const bool whole = !has_network_ || rounds_[i].network.components <= 1;
        return whole && rounds_[i].sums.known_pct() >= kRecoveredPct;
    };
    std::size_t recovered = rounds_.size();
    std::size_t in_a_row = 0;
    for (std::size_t i = crash; i < rounds_.size() && in_a_row < kRecovery; ++i) {
        if (in_a_row == 0) recovered = i;
        in_a_row = well(i) ? in_a_row + 1 : 0;
    }
    output.set("recovery_rounds", std::uint64_t{(in_a_row > 0 ? recovered : rounds_.size()) - crash});
    double known = 100;
    std::uint64_t components = 0;
    for (std::size_t i = crash + kRecovery; i < rounds_.size(); ++i) {
        known = std::min(known, rounds_[i].sums.known_pct());
        components = std::max(components, rounds_[i].network.components);
    }
    if (crash + kRecovery >= rounds_.size()) return;
    output.set("known_pct_recovered", known);
    if (has_network_) output.set("components_recovered", components);
}

Curve PSenseResults::curve() const {
    Curve curve{.name = "rounds",
                .columns = {"round", "pq", "pq_p90", "known_pct", "position_error", "in_view", "isolated",
                            "components", "ghosts", "out_bytes_mean", "out_bytes_max", "in_bytes_mean",
                            "in_bytes_max"},
                .rows = {}};
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
        const Sums& sums = rounds_[i].sums;
        const RoundNetwork& network = rounds_[i].network;
        curve.rows.push_back(
            {static_cast<double>(i), share(sums.pq, sums.looks), share(sums.pq_p90, sums.looks),
             sums.known_pct(), share(sums.counts.position_error_sum, sums.counts.known),
             share(sums.counts.in_view, sums.counts.players), static_cast<double>(rounds_[i].isolated_most),
             static_cast<double>(network.components), static_cast<double>(network.ghosts),
             network.traffic.out_mean, network.traffic.out_max, network.traffic.in_mean,
             network.traffic.in_max});
    }
    return curve;
}

std::vector<ColumnSpec> PSenseResults::columns() {
    return joined({quality_columns(), network_columns(), event_columns(), resource_columns()});
}

}  // namespace fray::lab
