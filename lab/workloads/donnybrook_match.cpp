#include "lab/workloads/donnybrook_match.hpp"

#include <fray/fingerprint.hpp>

#include "games/panzer/match/swarm_match.hpp"
#include "games/panzer/rules/shipped_maps.hpp"
#include "games/panzer/rules/tank.hpp"
#include "lab/metrics/agreement_meter.hpp"
#include "lab/metrics/replica_meter.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/metrics/upload_meter.hpp"
#include "lab/metrics/wire_cost.hpp"
#include "lab/workloads/network_choice.hpp"
#include "lab/workloads/time_warp_shared.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace fray::lab {

namespace {

using panzer::MatchOptions;
using panzer::MatchReport;

constexpr Duration kWarmUp{5s};   // joining; the first second of a best-effort rate of 1 Hz
constexpr Duration kSlewed{1ms};  // the clock of a screen may run ahead by so much in a frame
constexpr std::string_view kConstant = "constant";

std::vector<ParameterSpec> parameters_of_match() {
    ParameterSpec network = profile_parameter();
    network.name = "network";
    network.fallback = std::string{kConstant};
    network.choices.emplace_back(kConstant);
    return {condition_parameter(),
            ParameterSpec::integer("players", 32, 2, 2048, "bots, each with a peer of its own"),
            ParameterSpec::choice("map", {"duel", "arena", "ruins", "plains"}, "arena", "where they fight"),
            ParameterSpec::integer("upload_kbps_cap", 108, 1, 1'000'000,
                                   "of each peer, unless the condition is hibw"),
            ParameterSpec::number("rtt_ms", 20, 0, 10'000, "network constant: between any two peers"),
            ParameterSpec::number("loss_pct", 0, 0, 90, "datagrams lost; 0: as the network"),
            std::move(network),
            ParameterSpec::number("seconds", 60, 10, 86'400, "of the match")};
}

std::string column_of(Purpose purpose) { return std::string{to_string(purpose)} + "_bytes_per_update"; }

/// What screens show.
std::vector<ColumnSpec> columns_of_screens() {
    using enum Aggregate;
    return {{"upload_kbps_mean", "kbit/s", mean, "of a peer, headers included"},
            {"upload_kbps_p99", "kbit/s", mean, "of a peer in a second"},
            {"upload_kbps_most", "kbit/s", max, "of any peer in any second"},
            {"focus_size", "", mean, "peers that a peer sends every frame, mean over time"},
            {"focus_stay_s", "s", mean, "from entering the focus set until leaving it"},
            {"focus_rate_hz", "Hz", mean, "updates of a replica in focus"},
            {"focus_age_ms_p50", "ms", mean, "of a replica in focus: since its newest update was made"},
            {"focus_age_ms_p95", "ms", mean, "the same"},
            {"best_effort_rate_hz", "Hz", mean, "updates of a replica out of focus"},
            {"best_effort_gap_s_p99", "s", mean, "between two of them"},
            {"focus_error_units_p50", "m", mean, "between screen and truth, in focus"},
            {"focus_error_units_p95", "m", mean, "the same"},
            {"guided_error_units_p50", "m", mean, "the same, out of focus"},
            {"guided_error_units_p95", "m", mean, "the same"},
            {"reckoned_error_units_p50", "m", mean, "out of focus, if it were shown by dead reckoning"},
            {"reckoned_error_units_p95", "m", mean, "the same"},
            {"converged_ms_p50", "ms", mean, "from gaining focus until updates are shown directly"},
            {"converged_ms_p95", "ms", mean, "the same"},
            {"converged", "", sum, "replicas that converged"},
            {"near_ms_p50", "ms", mean, "from gaining focus until within a diameter of what updates say"},
            {"near_ms_p95", "ms", mean, "the same"},
            {"visible_jump_p99", "m", mean, "of a frame: what exceeds the step of the fastest tank"},
            {"visible_jump_most", "m", max, "the largest; below 0: none"},
            {"warps_per_min", "", mean, "of a replica: such excess above a quarter of a tank"},
            {"reckoned_jump_p99", "m", mean, "visible_jump_p99 if all were shown by dead reckoning"},
            {"reckoned_jump_most", "m", max, "likewise the largest"},
            {"reckoned_warps_per_min", "", mean, "likewise warps"},
            {"impossible_moves_per_min", "", mean,
             "of a replica: steps faster than the rules allow, turns, and moves through walls"}};
}

std::vector<ColumnSpec> columns_of_match() {
    using enum Aggregate;
    std::vector<ColumnSpec> columns = columns_of_screens();
    columns.insert(
        columns.end(),
        {{"agreement_ms_p50", "ms", mean,
          "from a request to its answer, unless it is as expected and elided"},
         {"agreement_ms_p99", "ms", mean, "the same"},
         {"agreements", "", sum, "requests with such an answer"},
         {"agreements_elided", "", sum,
          "requests with the expected outcome, whose answers cause no datagram"},
         {"hits_claimed", "", sum, "shots that hit on the shooter's screen"},
         {"hits_refused_pct", "%", mean, "of them, by their targets"},
         {"kills", "", sum, "of all players"},
         {"scoreboards_equal", "", mean, "share of runs at whose end all scoreboards are equal"},
         {"wire_bytes_per_update", "B", mean, "all bytes sent, headers included, per update that arrived"},
         {"datagrams_per_update", "", mean, "all datagrams sent, per update that arrived"},
         {"trace_hash", "", hash, "of every datagram"}});
    for (std::size_t i = 0; i < kPurposeCount; ++i)
        columns.push_back({column_of(static_cast<Purpose>(i)), "B", mean, "of wire_bytes_per_update"});
    return columns;
}

/// Watches all screens of a match.
class Watcher : public Observer {
public:
    Watcher(const Swarm& swarm, const panzer::Battlefield& field, std::uint32_t players)
        : swarm_{swarm}, field_{field}, tanks_(players), received_(players) {
        constexpr float kFastest = panzer::kTopSpeed * (1 + panzer::kEngineStep * panzer::kMostLevel);
        meter_.emplace(ReplicaLimits{.top_speed = kFastest, .diameter = 2 * panzer::kTankRadius});
    }

    /// A player's own tank, before see() of the same frame.
    void note(PeerIndex player, const panzer::Tank& tank) { tanks_[player] = tank; }
    void see() {
        if (swarm_.now() >= kWarmUp) see_screens();
        arrived_.clear();
    }
    /// An update may be overtaken by the next one before a screen shows it: so arrivals are counted here.
    void on_delivered(const Transit& transit) override {
        if (!swarm_.alive(transit.to)) return;
        const std::uint64_t now = swarm_.peer(transit.to).stats().updates_received;
        const auto fresh = static_cast<std::uint32_t>(now - std::exchange(received_[transit.to], now));
        if (fresh != 0) arrived_[{transit.to, transit.from}] += fresh;
    }
    [[nodiscard]] const ReplicaMeter& meter() const { return *meter_; }
    [[nodiscard]] double focus_size() const { return share(static_cast<double>(focused_), looks_); }

private:
    void see_screens() {
        in_focus_.clear();
        const SessionInstant at = swarm_.session_time(swarm_.now());
        for (PeerIndex owner = 0; owner < swarm_.size(); ++owner) note_focus(owner);
        for (PeerIndex viewer = 0; viewer < swarm_.size(); ++viewer) {
            if (swarm_.alive(viewer)) see_screen(viewer, at);
        }
    }
    /// Which peers this one sends every frame.
    void note_focus(PeerIndex owner) {
        if (!swarm_.alive(owner)) return;
        ++looks_;
        for (const LinkStats& link : swarm_.peer(owner).stats().links) {
            if (link.in_focus) in_focus_.insert({index_of(link.peer), owner});
            focused_ += link.in_focus ? 1U : 0U;
        }
    }
    void see_screen(PeerIndex viewer, SessionInstant at) {
        const Peer& peer = swarm_.peer(viewer);
        for (const Replica& replica : peer.replicas(swarm_.local_now(viewer))) {
            const PeerIndex owner = index_of(replica.owner);
            if (replica.type != panzer::kTankType || owner >= tanks_.size() || !swarm_.alive(owner)) continue;
            const bool is_shown = panzer::tank_of(replica.pose, replica.payload).alive();
            meter_->see(viewer, owner,
                        {.at = at,
                         .stamp = replica.stamp,
                         .shown = replica.pose.position,
                         .reckoned = replica.target.position,
                         .truth = truth(owner),
                         .updates = arrived(viewer, owner),
                         .mode = replica.mode,
                         .in_focus = in_focus_.erase({viewer, owner}) != 0,
                         .is_there = is_shown && tanks_[owner].alive(),
                         .is_possible = moves_by_the_rules({viewer, owner}, replica, at)});
        }
    }
    [[nodiscard]] std::uint32_t arrived(PeerIndex viewer, PeerIndex owner) const {
        const auto found = arrived_.find({viewer, owner});
        return found == arrived_.end() ? 0 : found->second;
    }
    /// Since this screen was seen last.
    [[nodiscard]] bool moves_by_the_rules(const std::pair<PeerIndex, PeerIndex>& pair, const Replica& replica,
                                          SessionInstant at) {
        const auto [place, is_new] = before_.try_emplace(pair);
        Before& before = place->second;
        const bool is_possible =
            is_new || panzer::is_possible(field_, before.pose, before.payload, replica.pose, replica.payload,
                                          at - before.at + kSlewed);
        before = {replica.pose, {replica.payload.begin(), replica.payload.end()}, at};
        return is_possible;
    }
    /// Where the tank is now: it has driven on since its last frame.
    [[nodiscard]] Vec3 truth(PeerIndex owner) const {
        const panzer::Tank& tank = tanks_[owner];
        const Peer& peer = swarm_.peer(owner);
        const Duration since = swarm_.local_now(owner) - (peer.next_frame() - peer.world().tick);
        const auto way = tank.speed * static_cast<float>(std::max(0.0, seconds(since)));
        const panzer::Vec2 place = tank.position + panzer::direction(tank.hull) * way;
        return {place.x, place.y, 0};
    }
    [[nodiscard]] static PeerIndex index_of(const PeerId& id) {
        PeerIndex index = 0;
        while (index < panzer::kMostTanks && PeerId::from_number(index + std::uint64_t{1}) != id) ++index;
        return index;
    }

    struct Before {
        Pose pose;
        std::vector<std::uint8_t> payload;
        SessionInstant at{};
    };

    const Swarm& swarm_;
    const panzer::Battlefield& field_;
    std::optional<ReplicaMeter> meter_;
    std::vector<panzer::Tank> tanks_;
    std::vector<std::uint64_t> received_;                               // updates, by viewer
    std::map<std::pair<PeerIndex, PeerIndex>, std::uint32_t> arrived_;  // viewer, owner: in this frame
    std::set<std::pair<PeerIndex, PeerIndex>> in_focus_;                // viewer, owner
    std::map<std::pair<PeerIndex, PeerIndex>, Before> before_;          // likewise
    std::uint64_t focused_ = 0;
    std::uint64_t looks_ = 0;
};

Result<NetworkModel> network_of(const Parameters& parameters) {
    Result<NetworkModel> network = NetworkModel{};
    if (parameters.text("network") == kConstant)
        network->latency = ConstantLatency{from_milliseconds(parameters.number("rtt_ms") / 2)};
    else
        network = network_named(parameters.text("network"));
    const double loss = parameters.number("loss_pct") / 100;
    if (network && loss > 0) network->loss = IndependentLoss{loss};
    return network;
}

void set_if_any(RunOutput& output, std::string_view column, const Histogram& values, double q) {
    if (values.count() != 0) output.set(column, values.quantile(q));
}

void conclude_replicas(RunOutput& output, const ReplicaMeter& meter) {
    const ReplicaMeter::Group& focused = meter.focused();
    const ReplicaMeter::Group& rest = meter.unfocused();
    if (focused.seconds > 0) {
        output.set("focus_rate_hz", focused.rate_hz());
        output.set("focus_stay_s", meter.focus_stay_s());
    }
    if (rest.seconds > 0) output.set("best_effort_rate_hz", rest.rate_hz());
    set_if_any(output, "focus_age_ms_p50", focused.age_ms, 0.5);
    set_if_any(output, "focus_age_ms_p95", focused.age_ms, 0.95);
    set_if_any(output, "best_effort_gap_s_p99", meter.gaps_s(), 0.99);
    set_if_any(output, "focus_error_units_p50", focused.error, 0.5);
    set_if_any(output, "focus_error_units_p95", focused.error, 0.95);
    set_if_any(output, "guided_error_units_p50", rest.error, 0.5);
    set_if_any(output, "guided_error_units_p95", rest.error, 0.95);
    set_if_any(output, "reckoned_error_units_p50", rest.reckoned_error, 0.5);
    set_if_any(output, "reckoned_error_units_p95", rest.reckoned_error, 0.95);
    set_if_any(output, "converged_ms_p50", meter.converged_ms(), 0.5);
    set_if_any(output, "converged_ms_p95", meter.converged_ms(), 0.95);
    set_if_any(output, "near_ms_p50", meter.near_ms(), 0.5);
    set_if_any(output, "near_ms_p95", meter.near_ms(), 0.95);
    set_if_any(output, "visible_jump_p99", meter.shown().jumps, 0.99);
    set_if_any(output, "reckoned_jump_p99", meter.reckoned().jumps, 0.99);
    output.set("visible_jump_most", meter.shown().longest);
    output.set("reckoned_jump_most", meter.reckoned().longest);
    output.set("converged", meter.converged_ms().count());
    output.set("warps_per_min", meter.per_minute(meter.shown().warps));
    output.set("reckoned_warps_per_min", meter.per_minute(meter.reckoned().warps));
    output.set("impossible_moves_per_min", meter.per_minute(meter.impossible()));
}

void conclude_game(RunOutput& output, const panzer::SwarmMatchResult& result,
                   const AgreementMeter& agreements) {
    set_if_any(output, "agreement_ms_p50", agreements.latency(), 0.5);
    set_if_any(output, "agreement_ms_p99", agreements.latency(), 0.99);
    output.set("agreements", agreements.latency().count());
    output.set("agreements_elided", agreements.elided());
    std::uint64_t claimed = 0;
    std::uint64_t refused = 0;
    std::uint64_t kills = 0;
    std::vector<double> mean;
    double most = 0;
    for (const MatchReport& report : result.reports) {
        claimed += report.hits_claimed;
        refused += report.hits_refused;
        const panzer::Card* own = report.standings.find(report.player);
        kills += own == nullptr ? 0 : own->record.kills;
        mean.push_back(report.network.upload_kbps_mean);
        most = std::max(most, report.network.upload_kbps_most);
    }
    output.set("hits_claimed", claimed);
    output.set("hits_refused_pct", 100 * share(refused, claimed));
    output.set("kills", kills);
    output.set("upload_kbps_mean", summarize(mean).mean);
    output.set("upload_kbps_most", most);
    output.set("scoreboards_equal", result.scoreboards_equal ? 1.0 : 0.0);
    output.set("trace_hash", Fingerprint{}.add(result.trace_hash).hex());
}

void conclude_wire(RunOutput& output, const WireCost& cost, const UploadMeter& upload) {
    output.set("upload_kbps_p99", upload.kbps_in_a_second(0.99));
    output.set("wire_bytes_per_update", cost.bytes_per_update());
    output.set("datagrams_per_update", cost.datagrams_per_update());
    for (std::size_t i = 0; i < kPurposeCount; ++i) {
        const auto purpose = static_cast<Purpose>(i);
        output.set(column_of(purpose), cost.bytes_per_update(purpose));
    }
}

RunOutput conclude(const panzer::SwarmMatchResult& result, const AgreementMeter& agreements,
                   const Watcher& watcher) {
    RunOutput output;
    conclude_game(output, result, agreements);
    conclude_replicas(output, watcher.meter());
    output.set("focus_size", watcher.focus_size());
    return output;
}

MatchOptions match_of(const Parameters& parameters, Seed seed) {
    MatchOptions options = match_under(parameters.text("condition"),
                                       static_cast<std::uint32_t>(parameters.integer("upload_kbps_cap")));
    options.players = static_cast<std::uint32_t>(parameters.integer("players"));
    options.length = from_seconds(parameters.number("seconds"));
    options.seed = seed;
    return options;
}

std::vector<panzer::PlayerOptions> bots(std::uint32_t count) {
    std::vector<panzer::PlayerOptions> players;
    for (std::uint32_t i = 0; i < count; ++i) players.push_back(panzer::bot_player(i));
    return players;
}

}  // namespace

ParameterSpec condition_parameter() {
    return ParameterSpec::choice("condition", {"lobw", "lobw_donny", "hibw"}, "lobw_donny",
                                 "lobw: all updates to all, as far as the upload carries them, shown by dead "
                                 "reckoning; lobw_donny: focus sets and guidable AI; hibw: no limit");
}

MatchOptions match_under(const std::string& condition, std::uint32_t upload_kbps) {
    MatchOptions match;
    const bool is_donnybrook = condition == "lobw_donny";
    match.interest = is_donnybrook ? panzer::InterestName::focus : panzer::InterestName::broadcast;
    match.guidance = is_donnybrook;
    match.upload_kbps = condition == "hibw" ? 0 : upload_kbps;
    return match;
}

DonnybrookMatch::DonnybrookMatch()
    : TabledExperiment{"donnybrook_match", parameters_of_match(), columns_of_match()} {}

Result<void> DonnybrookMatch::check_files(const Parameters& parameters) const {
    const auto network = network_of(parameters);
    if (!network) return network.error();
    const auto map = panzer::shipped_map(parameters.text("map"));
    return map ? Result<void>{} : Result<void>{map.error()};
}

Result<RunOutput> DonnybrookMatch::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto network = network_of(parameters);
    if (!network) return network.error();
    const auto map = panzer::shipped_map(parameters.text("map"));
    if (!map) return map.error();
    const auto mesh = panzer::NavMesh::build(*map);
    if (!mesh) return mesh.error();
    const panzer::Battlefield field{*map};
    const MatchOptions options = match_of(parameters, seed);
    panzer::SwarmMatch match{field, *mesh, options, bots(options.players)};
    AgreementMeter agreements;
    UploadMeter upload{kWarmUp};
    WireCost cost{kWarmUp};
    std::optional<Watcher> watcher;
    const Swarm* swarm = nullptr;
    match.prepare([&](Swarm& prepared) {
        prepared.add_observer(&agreements);
        prepared.add_observer(&upload);
        swarm = &prepared;
        prepared.add_observer(&watcher.emplace(prepared, field, options.players));
    });
    match.watch([&](PeerIndex i, panzer::PlayerGame& game) { watcher->note(i, game.screen().tanks[0]); });
    SwarmCounts counts{};
    const auto result = match.run(*network, [&](double share_done) {
        if (share_done < 1) counts = swarm->counts(), cost.see(*swarm), watcher->see();
        context.progress(share_done);
        return !context.stop_requested();
    });
    if (context.was_stopped()) return RunOutput{};
    if (!result) return result.error();
    RunOutput output = conclude(*result, agreements, *watcher);
    conclude_wire(output, cost, upload);
    output.work = {.peers = options.players,
                   .rounds = static_cast<std::uint64_t>(seconds(options.length) * 20),
                   .messages = counts.sent};
    return output;
}

}  // namespace fray::lab
