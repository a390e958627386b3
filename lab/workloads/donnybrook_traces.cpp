#include "lab/workloads/donnybrook_traces.hpp"

#include <fray/fingerprint.hpp>

#include "interest/attention_value.hpp"
#include "lab/metrics/replica_meter.hpp"
#include "lab/metrics/statistics.hpp"
#include "lab/runner/data_folder.hpp"
#include "lab/workloads/openarena.hpp"
#include "lab/workloads/time_warp_shared.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace fray::lab {

namespace {

constexpr Duration kSettled{5s};  // all are linked, and heard of each other
constexpr float kFast = 1000;     // units per second: three times as fast as a player runs; falls exceed it
constexpr float kBox = 30;        // units: a player is so wide
constexpr float kTurnsAtMost = 720;  // degrees per second; 5 % of the moments turn faster than 240 to 360
constexpr float kMargin = 64;
constexpr double kAimed = 10;       // degrees between the view and the player that a shot is meant for
constexpr Duration kForgotten{3s};  // an interaction counts for so long
constexpr std::uint32_t kFocusPeers = 5;

std::vector<ParameterSpec> parameters_of_traces() {
    return {ParameterSpec::choice("recording", {"A_part1", "B_part1", "D_part1"}, "A_part1",
                                  "of OpenArena: 32 or 16 bots on an open map, 16 in a building"),
            ParameterSpec::choice("interest", {"focus_set", "broadcast"}, "broadcast",
                                  "update policy; only focus_set estimates attention"),
            ParameterSpec::integer("interval_ms", 50, 50, 1000, "between two updates of a player"),
            ParameterSpec::number("rtt_ms", 20, 0, 1000, "between any two peers"),
            ParameterSpec::number("seconds", 120, 10, 360, "of the recording")};
}

std::vector<ColumnSpec> columns_of_traces() {
    using enum Aggregate;
    return {{"shots", "", sum, "of which a player was aimed at: within 10 degrees of the view"},
            {"aimed_top1_pct", "%", mean, "of them: that player gets the highest attention"},
            {"aimed_top5_pct", "%", mean, "one of the five highest"},
            {"aimed_nearest5_pct", "%", mean, "is among the five nearest players"},
            {"hits", "", sum, "of other players"},
            {"hit_top1_pct", "%", mean, "of them: just before, the victim gets the highest attention"},
            {"hit_top5_pct", "%", mean, "one of the five highest"},
            {"hit_nearest5_pct", "%", mean, "is among the five nearest players"},
            {"first_hits", "", sum, "with no hit between the two in the three seconds before"},
            {"first_hit_top5_pct", "%", mean, "of them: the victim gets one of the five highest attentions"},
            {"first_hit_nearest5_pct", "%", mean, "is among the five nearest players"},
            {"guided_error_units_p50", "units", mean, "between screen and truth, all replicas"},
            {"guided_error_units_p95", "units", mean, "the same"},
            {"reckoned_error_units_p50", "units", mean, "the same, by dead reckoning"},
            {"reckoned_error_units_p95", "units", mean, "the same"},
            {"visible_jump_p99", "units", mean, "of a frame: what exceeds 1000 units per second"},
            {"reckoned_jump_p99", "units", mean, "the same, by dead reckoning"},
            {"warps_per_min", "", mean, "of a replica: such excess above a quarter of a player's width"},
            {"reckoned_warps_per_min", "", mean, "the same, by dead reckoning"},
            {"upload_kbps_mean", "kbit/s", mean, "of a peer, headers included"},
            {"trace_hash", "", hash, "of every datagram"}};
}

PeerOptions peer_of(const OpenArena& play, const Parameters& parameters) {
    PeerOptions options;
    const Vec3 margin{kMargin, kMargin, kMargin};
    options.world.name = "openarena";
    options.world.low = play.low() - margin;
    options.world.high = play.high() + margin;
    options.world.velocity_limit = 2500;
    if (parameters.text("interest") == "focus_set") options.interest = FocusSet{};
    options.consistency.interval = from_milliseconds(static_cast<double>(parameters.integer("interval_ms")));
    options.guidance = {.enabled = true, .diameter = kBox, .top_speed = kFast, .turn_limit = kTurnsAtMost};
    return options;
}

/// How many of the samples have a property.
struct Share {
    std::uint64_t count = 0;
    std::uint64_t all = 0;
    void add(bool has) {
        ++all;
        count += has ? 1U : 0U;
    }
    [[nodiscard]] double pct() const {
        return all == 0 ? 0 : 100 * static_cast<double>(count) / static_cast<double>(all);
    }
};

struct AttentionFound {
    Share aimed_top1, aimed_top5, aimed_nearest5;
    Share hit_top1, hit_top5, hit_nearest5;
    Share first_top5, first_nearest5;
};

/// Replays the recording: every peer publishes one player.
class Replayed final : public Workload {
public:
    Replayed(const OpenArena& play, bool has_attention) : play_{play}, has_attention_{has_attention} {
        players_.resize(play.players());
        for (const OpenArena::Act& act : play.acts()) players_[act.actor].acts.push_back(act);
    }
    void started(Swarm& swarm, PeerIndex index, Instant, const Peer&) override {
        const auto entity = swarm.publish(index, state_of(play_.pose(index, swarm.now())));
        FRAY_ASSERT(entity);
        players_[index].entity = *entity;
    }
    void frame(Swarm& swarm, PeerIndex index, Instant, const Peer& peer) override {
        const Pose pose = play_.pose(index, swarm.now());
        Player& player = players_[index];
        const auto updated = swarm.update(index, player.entity, state_of(pose));
        FRAY_ASSERT(updated);
        if (!has_attention_) return;
        (void)set_attention(swarm, index, {.look = Look{.yaw = pose.yaw, .pitch = pose.pitch}});
        for (; player.next < player.acts.size(); ++player.next) {
            const OpenArena::Act& act = player.acts[player.next];
            if (kOpenArenaTick * act.tick > swarm.now()) break;
            if (swarm.now() < kSettled) continue;
            if (act.is_hit)
                hit(swarm, index, peer, act);
            else
                shoot(swarm, index, peer);
        }
    }
    void event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) override {
        if (const auto* asked = std::get_if<Asked>(&event)) (void)swarm.answer(index, asked->request, {});
    }
    [[nodiscard]] const AttentionFound& found() const { return found_; }

private:
    struct Player {
        EntityId entity{};
        std::vector<OpenArena::Act> acts;
        std::size_t next = 0;
    };
    /// By the attention of this peer, as its focus set policy estimates it. 0: the highest.
    [[nodiscard]] static std::uint32_t rank_of(const Peer& peer, PeerIndex target) {
        const Stats stats = peer.stats();
        const PeerId wanted = PeerId::from_number(target + std::uint64_t{1});
        const auto place = std::ranges::find(stats.links, wanted, &LinkStats::peer);
        if (place == stats.links.end()) return static_cast<std::uint32_t>(stats.links.size());
        return static_cast<std::uint32_t>(std::ranges::count_if(
            stats.links, [&](const LinkStats& link) { return link.attention > place->attention; }));
    }
    [[nodiscard]] bool is_alive(PeerIndex player, Duration now) const {
        return play_.moves_since(player, now, kOpenArenaTick) < now;
    }
    /// How many living players are nearer than this one.
    [[nodiscard]] std::uint32_t nearer(PeerIndex self, PeerIndex target, Duration now) const {
        const Vec3 here = play_.pose(self, now).position;
        const float far = distance(here, play_.pose(target, now).position);
        std::uint32_t count = 0;
        for (PeerIndex other = 0; other < play_.players(); ++other)
            count +=
                other != self && is_alive(other, now) && distance(here, play_.pose(other, now).position) < far
                    ? 1U
                    : 0U;
        return count;
    }
    void shoot(const Swarm& swarm, PeerIndex self, const Peer& peer) {
        const Pose pose = play_.pose(self, swarm.now());
        const Vec3 look = forward_vector({.yaw = pose.yaw, .pitch = pose.pitch});
        std::optional<PeerIndex> target;
        double least = kAimed * math::kPi / 180;
        for (PeerIndex other = 0; other < play_.players(); ++other) {
            if (other == self || !is_alive(other, swarm.now())) continue;
            const double off = aim_deviation(look, play_.pose(other, swarm.now()).position - pose.position);
            if (off < least) least = off, target = other;
        }
        if (!target) return;
        const std::uint32_t rank = rank_of(peer, *target);
        found_.aimed_top1.add(rank == 0);
        found_.aimed_top5.add(rank < kFocusPeers);
        found_.aimed_nearest5.add(nearer(self, *target, swarm.now()) < kFocusPeers);
    }
    void hit(Swarm& swarm, PeerIndex self, const Peer& peer, const OpenArena::Act& act) {
        const std::uint32_t rank = rank_of(peer, act.target);
        const bool is_near = nearer(self, act.target, swarm.now()) < kFocusPeers;
        found_.hit_top1.add(rank == 0);
        found_.hit_top5.add(rank < kFocusPeers);
        found_.hit_nearest5.add(is_near);
        const std::pair pair{std::min<PeerIndex>(self, act.target), std::max<PeerIndex>(self, act.target)};
        const auto [last, is_new] = fought_.try_emplace(pair, swarm.now());
        if (is_new || swarm.now() - last->second > kForgotten) {
            found_.first_top5.add(rank < kFocusPeers);
            found_.first_nearest5.add(is_near);
        }
        last->second = swarm.now();
        (void)swarm.interact(self, players_[self].entity, players_[act.target].entity, {});
    }

    const OpenArena& play_;
    bool has_attention_;
    std::vector<Player> players_;
    std::map<std::pair<PeerIndex, PeerIndex>, Duration> fought_;  // when last
    AttentionFound found_;
};

/// Looks at every replica of every screen. What was dead or placed elsewhere since the update before the
/// newest one is left out: no prediction is meant for that.
void see_all(const Swarm& swarm, const OpenArena& play, Duration interval, ReplicaMeter& meter) {
    const Duration now = swarm.now();
    const SessionInstant at = swarm.session_time(now);
    constexpr Duration kLateAtMost{500ms};  // an update on its way
    for (PeerIndex viewer = 0; viewer < swarm.size(); ++viewer) {
        for (const Replica& replica : swarm.peer(viewer).replicas(swarm.local_now(viewer))) {
            const auto owner = static_cast<PeerIndex>(replica.owner.number() - 1);
            const Duration told = replica.stamp - SessionInstant{} - (at - SessionInstant{} - now);
            const Duration since = play.moves_since(owner, now, 2 * interval + kLateAtMost);
            meter.see(viewer, owner,
                      {.at = at,
                       .stamp = replica.stamp,
                       .shown = replica.pose.position,
                       .reckoned = replica.target.position,
                       .truth = play.pose(owner, now).position,
                       .mode = replica.mode,
                       .is_there = since < now && since <= told - interval});
        }
    }
}

void conclude_attention(RunOutput& output, const AttentionFound& found) {
    output.set("shots", found.aimed_top1.all);
    output.set("aimed_top1_pct", found.aimed_top1.pct());
    output.set("aimed_top5_pct", found.aimed_top5.pct());
    output.set("aimed_nearest5_pct", found.aimed_nearest5.pct());
    output.set("hits", found.hit_top1.all);
    output.set("hit_top1_pct", found.hit_top1.pct());
    output.set("hit_top5_pct", found.hit_top5.pct());
    output.set("hit_nearest5_pct", found.hit_nearest5.pct());
    output.set("first_hits", found.first_top5.all);
    output.set("first_hit_top5_pct", found.first_top5.pct());
    output.set("first_hit_nearest5_pct", found.first_nearest5.pct());
}

void conclude_errors(RunOutput& output, const ReplicaMeter& meter) {
    const ReplicaMeter::Group& all = meter.unfocused();
    output.set("guided_error_units_p50", all.error.quantile(0.5));
    output.set("guided_error_units_p95", all.error.quantile(0.95));
    output.set("reckoned_error_units_p50", all.reckoned_error.quantile(0.5));
    output.set("reckoned_error_units_p95", all.reckoned_error.quantile(0.95));
    output.set("visible_jump_p99", meter.shown().jumps.quantile(0.99));
    output.set("reckoned_jump_p99", meter.reckoned().jumps.quantile(0.99));
    output.set("warps_per_min", meter.per_minute(meter.shown().warps));
    output.set("reckoned_warps_per_min", meter.per_minute(meter.reckoned().warps));
}

}  // namespace

DonnybrookTraces::DonnybrookTraces()
    : TabledExperiment{"donnybrook_traces", parameters_of_traces(), columns_of_traces()} {}

Result<RunOutput> DonnybrookTraces::run(const Parameters& parameters, Seed seed, RunContext& context) const {
    const auto play =
        OpenArena::load(data_folder() + "/" + std::string{kOpenArenaFolder}, parameters.text("recording"));
    if (!play) return play.error();
    NetworkModel network;
    network.latency = ConstantLatency{from_milliseconds(parameters.number("rtt_ms") / 2)};
    auto swarm = Swarm::create({.network = network}, seed);
    if (!swarm) return swarm.error();
    const bool has_attention = parameters.text("interest") == "focus_set";
    Replayed replayed{*play, has_attention};
    swarm->set_workload(&replayed);
    const auto options = std::make_shared<const PeerOptions>(peer_of(*play, parameters));
    for (std::uint32_t i = 0; i < play->players(); ++i) {
        if (const auto added = swarm->add_peer(options); !added) return added.error();
    }
    ReplicaMeter meter{{.top_speed = kFast, .diameter = kBox, .unit = 20}};
    const Duration interval = options->consistency.interval;
    const Duration length = from_seconds(parameters.number("seconds"));
    while (swarm->now() < length && !context.stop_requested()) {
        swarm->run_for(kOpenArenaTick);
        if (swarm->now() >= kSettled) see_all(*swarm, *play, interval, meter);
        context.progress(seconds(swarm->now()) / seconds(length));
    }
    if (context.was_stopped()) return RunOutput{};
    RunOutput output;
    if (has_attention) conclude_attention(output, replayed.found());
    conclude_errors(output, meter);
    const SwarmCounts counts = swarm->counts();
    constexpr double kKbitPerByte = 0.008;
    output.set("upload_kbps_mean",
               static_cast<double>(counts.sent_bytes) * kKbitPerByte / (seconds(length) * play->players()));
    output.set("trace_hash", Fingerprint{}.add(swarm->trace_hash()).hex());
    output.work = {.peers = play->players(),
                   .rounds = static_cast<std::uint64_t>(length / kOpenArenaTick),
                   .messages = counts.sent};
    return output;
}

}  // namespace fray::lab
