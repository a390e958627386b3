#include "lab/workloads/snagger_pair.hpp"

#include "games/snagger/rules/entity.hpp"

#include <algorithm>

namespace fray::lab {

namespace {
// By then clocks agree and lags have settled.
constexpr std::size_t kWarmUp = 8 * snagger::kTicksPerSecond;
// The slowest algorithm shows the last input 746 ms after it.
constexpr std::size_t kAfterwardsTicks = 2 * snagger::kTicksPerSecond;

/// Whether other screens extrapolate with the player's input. If not, the input is not sent.
bool uses_inputs(const Consistency& consistency) {
    if (const auto* everquest = std::get_if<EverQuest>(&consistency.algorithm))
        return everquest->motion_model;
    return std::holds_alternative<BucketSync>(consistency.algorithm) ||
           std::holds_alternative<Adaptive>(consistency.algorithm);
}
}  // namespace

SnaggerPair::SnaggerPair(const snagger::Recording& recording, const Consistency& consistency,
                         const Besides& besides)
    : recording_{recording},
      players_{Player{InputBuckets{consistency, snagger::kKeys}},
               Player{InputBuckets{consistency, snagger::kKeys}}},
      inputs_travel_{uses_inputs(consistency)},
      duel_{besides.shots},
      market_{besides.trades} {
    const auto* buckets = std::get_if<BucketSync>(&consistency.algorithm);
    for (std::size_t i = 0; i < players_.size(); ++i) {
        players_[i].ship = snagger::start(recording.seed).ships[i];
        if (buckets != nullptr) players_[i].bucket = buckets->bucket;
    }
}

void SnaggerPair::started(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    market_.started(index, now, peer);
    if (index >= players_.size()) return;
    Player& player = players_[index];
    player.next_frame = swarm.now();
    const auto entity = swarm.publish(index, state_of(player.ship.pose));
    if (entity) player.entity = *entity;
}

void SnaggerPair::event(Swarm& swarm, PeerIndex index, Instant now, const Peer&, const Event& event) {
    duel_.event(swarm, index, event);
    market_.event(swarm, index, now, event);
    const auto* appeared = std::get_if<EntityAppeared>(&event);
    if (appeared == nullptr || index >= players_.size()) return;
    players_[index].others = appeared->entity;
    players_[index].sees_other = true;
}

bool SnaggerPair::playing(std::size_t player) const {
    const std::size_t frame = players_[player].frames;
    return frame >= kWarmUp && frame < kWarmUp + recording_.inputs.size();
}

snagger::Input SnaggerPair::keys(std::size_t player) const {
    const std::size_t frame = players_[player].frames;
    return playing(player) ? recording_.inputs[frame - kWarmUp][player] : snagger::Input{};
}

void SnaggerPair::frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    market_.frame(swarm, index, now, index < players_.size() && playing(index));
    if (index >= players_.size()) return;
    Player& player = players_[index];
    const SessionInstant polled = swarm.session_time(swarm.now());
    if (player.frames == kWarmUp) begin_ = std::max(begin_, polled);
    if (player.frames == kWarmUp + recording_.inputs.size()) end_ = end_ == SessionInstant{} ? polled : end_;
    const auto pressed = snagger::input_bytes(keys(index));
    const auto due = player.inputs.apply(peer.session_time(now), pressed);
    player.ship = snagger::advance(player.ship, snagger::input_of(due));
    State state = state_of(player.ship.pose);
    if (inputs_travel_) state.input.assign(due.begin(), due.end());
    (void)swarm.update(index, player.entity, state);
    player.own.simulated.push_back({polled, player.ship.pose.position});
    if (player.bucket > Duration{0}) log_inputs(player, polled, peer.session_time(now));
    ++player.frames;
}

void SnaggerPair::log_inputs(Player& player, SessionInstant polled, SessionInstant own_time) {
    const std::int64_t bucket = own_time.time_since_epoch() / player.bucket;
    auto& frames = player.own.simulated;
    if (bucket != player.collecting) {  // the collected input takes effect from this frame on
        for (; player.first_waiting + 1 < frames.size(); ++player.first_waiting) {
            frames[player.first_waiting].applied = polled;
        }
    }
    player.collecting = bucket;
}

void SnaggerPair::look(Swarm& swarm, std::size_t player) {
    Player& p = players_[player];
    const auto index = static_cast<PeerIndex>(player);
    const Instant now = swarm.local_now(index);
    const SessionInstant shown = swarm.session_time(swarm.now()) + kDrawing;
    // Stamps are on the owner's clock: its error must not count as delay.
    const auto off = [&](PeerIndex owner) {
        return swarm.session_time(swarm.now()) - swarm.peer(owner).session_time(swarm.local_now(owner));
    };
    if (const auto own = swarm.peer(index).local_view(now, p.entity)) {
        p.own.screen.push_back({shown, own->pose.position, own->told + off(index), own->moment + off(index)});
    }
    if (!p.sees_other) return;
    const auto other = swarm.peer(index).replica(now, p.others);
    if (!other) return;
    const Duration theirs = off(1 - index);
    p.other.screen.push_back({shown, other->pose.position, other->told + theirs, other->moment + theirs});
    if (playing(player)) duel_.drawn(swarm, index, p.entity, *other);
    const Corrections& all = other->corrections;
    if (p.frames <= kWarmUp) p.before = all;
    if (p.frames > kWarmUp + recording_.inputs.size()) return;
    p.other.corrections = {all.count - p.before.count, all.sum - p.before.sum, all.most};
}

void SnaggerPair::count_bytes(const Swarm& swarm) {
    for (PeerIndex i = 0; i < std::min<std::size_t>(swarm.size(), bytes_.size()); ++i)
        bytes_[i] = swarm.peer(i).stats().ledger.total_bytes() - bytes_[i];
}

bool SnaggerPair::run(Swarm& swarm, RunContext& context) {
    const std::size_t frames = kWarmUp + recording_.inputs.size() + kAfterwardsTicks;
    const Duration tick = snagger::world().tick;
    swarm.set_workload(this);
    swarm.run_until(tick);  // both have started
    std::array<Duration, 2> next{players_[0].next_frame, players_[1].next_frame};
    for (std::size_t drawn = 0; drawn < 2 * frames; ++drawn) {
        const std::size_t player = next[1] < next[0] ? 1 : 0;
        // Everything that happens at this moment happens before the picture is drawn.
        swarm.run_until(std::max(next[player], swarm.now()));
        if (swarm.alive(static_cast<PeerIndex>(player))) look(swarm, player);
        next[player] += tick;
        if (drawn == 2 * kWarmUp || drawn == 2 * (kWarmUp + recording_.inputs.size())) count_bytes(swarm);
        if (drawn % (2 * snagger::kTicksPerSecond) != 0) continue;
        if (context.stop_requested()) return false;
        context.progress(static_cast<double>(drawn) / static_cast<double>(2 * frames));
    }
    for (PeerIndex i = 0; i < players_.size(); ++i) {
        players_[i].other.decisions = duel_.decisions(i);
        players_[i].other.unanswered = duel_.unanswered(i);
    }
    return true;
}

}  // namespace fray::lab
