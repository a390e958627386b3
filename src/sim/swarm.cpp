#include <fray/assert.hpp>
#include <fray/swarm.hpp>

#include "sim/swarm_core.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray {

void Workload::started(Swarm&, PeerIndex, Instant, const Peer&) {}
void Workload::event(Swarm&, PeerIndex, Instant, const Peer&, const Event&) {}

void Observer::on_peer_added(PeerIndex, const PeerOptions&, const PeerPlan&) {}
void Observer::on_scheduled(const Action&) {}
void Observer::on_partition(const Partition&) {}
void Observer::on_started(Duration, PeerIndex, const Peer&) {}
void Observer::on_gone(Duration, PeerIndex, const Peer&) {}
void Observer::on_sent(const Transit&) {}
void Observer::on_delivered(const Transit&) {}
void Observer::on_dropped(const Transit&, DropReason) {}
void Observer::on_command(const Command&) {}
void Observer::on_event(Duration, PeerIndex, const Event&) {}

std::string_view to_string(DropReason reason) {
    constexpr std::array<std::string_view, kDropReasonCount> kNames{"lost", "partitioned", "upload_full",
                                                                    "download_full", "nobody_there"};
    return kNames[static_cast<std::size_t>(reason)];
}

std::string_view to_string(StepKind kind) {
    constexpr std::array<std::string_view, 9> kNames{"start", "crash", "leave", "gone", "deliver",
                                                     "drop",  "wake",  "frame", "idle"};
    return kNames[static_cast<std::size_t>(kind)];
}

Result<Swarm> Swarm::create(SwarmOptions options, Seed seed) {
    if (Result<void> result = options.check(); !result) return result.error();
    return Swarm{std::make_unique<SwarmCore>(std::move(options), seed)};
}

Swarm::Swarm(std::unique_ptr<SwarmCore> core) : core_{std::move(core)} {}
Swarm::Swarm(Swarm&&) noexcept = default;
Swarm& Swarm::operator=(Swarm&&) noexcept = default;
Swarm::~Swarm() = default;

Result<PeerIndex> Swarm::add_peer(PeerOptions options, const PeerPlan& plan) {
    return core_->add_peer(std::make_shared<const PeerOptions>(std::move(options)), plan);
}
Result<PeerIndex> Swarm::add_peer(std::shared_ptr<const PeerOptions> options, const PeerPlan& plan) {
    return core_->add_peer(std::move(options), plan);
}
Result<void> Swarm::schedule(const Action& action) { return core_->schedule(action); }
Result<void> Swarm::partition(const Partition& partition) { return core_->partition(partition); }
void Swarm::set_workload(Workload* workload) { core_->workload_ = workload; }
void Swarm::add_observer(Observer* observer) { core_->observers_.push_back(observer); }

void Swarm::run_until(Duration t) { core_->run_until(*this, t.count()); }
std::optional<Step> Swarm::step(Duration limit) { return core_->step(*this, limit.count()); }
void Swarm::finish() { core_->finish(); }

Duration Swarm::now() const { return Duration{core_->now_}; }
PeerIndex Swarm::size() const { return static_cast<PeerIndex>(core_->hosts_.size()); }
bool Swarm::alive(PeerIndex index) const { return core_->alive(index); }
const Peer& Swarm::peer(PeerIndex index) const {
    FRAY_ASSERT(alive(index));
    return *core_->hosts_[index]->peer;
}
const PeerOptions& Swarm::options_of(PeerIndex index) const {
    FRAY_ASSERT(index < size());
    return *core_->hosts_[index]->options;
}
PeerIndex Swarm::index_of(const Address& address) const { return core_->index_of(address); }
Instant Swarm::local_time(PeerIndex index, Duration at) const {
    FRAY_ASSERT(index < size());
    return core_->hosts_[index]->clock.local(at.count());
}
SessionInstant Swarm::session_time(Duration at) const {
    const PeerIndex first = core_->first_started_.value_or(0);
    return SessionInstant{local_time(first, at).time_since_epoch()};
}
const SwarmOptions& Swarm::options() const { return core_->options_; }
Seed Swarm::seed() const { return core_->seed_; }
const SwarmCounts& Swarm::counts() const { return core_->counts_; }
std::uint64_t Swarm::trace_hash() const { return core_->trace_.value(); }
bool Swarm::in_callback() const { return core_->acting_.has_value(); }
std::size_t Swarm::memory_bytes() const { return core_->memory_bytes(); }

// --- commands ---

/// Runs one command and tells the observers. Then wakes the peer, unless its own callback is running, which
/// does that afterwards.
template <class Act>
auto SwarmCore::command(Command report, Act act) {
    using Outcome = decltype(act(*hosts_[0]->peer, Instant{}, report));
    if (!alive(report.peer)) {
        return Outcome{Error{"peer " + std::to_string(report.peer) +
                             " of the swarm is not alive: it has not started, has left or has crashed"}};
    }
    Host& host = *hosts_[report.peer];
    report.at = Duration{now_};
    auto result = act(*host.peer, local_now(report.peer), report);
    report.accepted = result.has_value();
    for (Observer* observer : observers_) observer->on_command(report);
    if (acting_ != report.peer && host.armed > now_) {
        host.armed = now_;
        queue_.push(now_, sim::EventKind::due, report.peer);
    }
    return result;
}

Result<EntityId> Swarm::publish(PeerIndex index, const State& state, Tenure tenure) {
    Command report{.at = {}, .peer = index, .kind = CommandKind::publish, .state = &state};
    if (tenure != Tenure::fixed) report.kind = CommandKind::publish_with_tenure;
    report.tenure = tenure;
    return core_->command(report, [&](Peer& peer, Instant now, Command& done) {
        Result<EntityId> result = peer.publish(now, state, tenure);
        if (result) done.entity = *result;
        return result;
    });
}

Result<void> Swarm::update(PeerIndex index, const EntityId& entity, const State& state) {
    const Command report{
        .at = {}, .peer = index, .kind = CommandKind::update, .entity = entity, .state = &state};
    return core_->command(report,
                          [&](Peer& peer, Instant now, Command&) { return peer.update(now, entity, state); });
}

Result<void> Swarm::withdraw(PeerIndex index, const EntityId& entity) {
    const Command report{.at = {}, .peer = index, .kind = CommandKind::withdraw, .entity = entity};
    return core_->command(report,
                          [&](Peer& peer, Instant now, Command&) { return peer.withdraw(now, entity); });
}

Result<void> Swarm::hand_over(PeerIndex index, const EntityId& entity, const PeerId& to) {
    Command report{.at = {}, .peer = index, .kind = CommandKind::hand_over, .entity = entity};
    report.to = to;
    return core_->command(report,
                          [&](Peer& peer, Instant now, Command&) { return peer.hand_over(now, entity, to); });
}

Result<void> Swarm::send(PeerIndex index, const Outgoing& message) {
    const Command report{.at = {}, .peer = index, .kind = CommandKind::send, .message = &message};
    return core_->command(report, [&](Peer& peer, Instant now, Command&) { return peer.send(now, message); });
}

Result<void> Swarm::set_consistency(PeerIndex index, const EntityId& entity, const Consistency& consistency) {
    const Command report{
        .at = {}, .peer = index, .kind = CommandKind::choose, .entity = entity, .consistency = &consistency};
    return core_->command(report, [&](Peer& peer, Instant now, Command&) {
        return peer.set_consistency(now, entity, consistency);
    });
}

Result<void> set_attention(Swarm& swarm, PeerIndex index, const AttentionWeights& weights) {
    const Command report{.at = {}, .peer = index, .kind = CommandKind::set_attention, .attention = &weights};
    return swarm.core_->command(
        report, [&](Peer& peer, Instant now, Command&) { return peer.set_attention(now, weights); });
}

Result<RequestId> Swarm::interact(PeerIndex index, const EntityId& by, const EntityId& target,
                                  std::span<const std::uint8_t> bytes) {
    const Command report{.at = {},
                         .peer = index,
                         .kind = CommandKind::interact,
                         .entity = by,
                         .target = target,
                         .bytes = bytes};
    return core_->command(report, [&](Peer& peer, Instant now, Command& done) {
        Result<RequestId> result = peer.interact(now, by, target, bytes);
        if (result) done.request = *result;
        return result;
    });
}

Result<void> Swarm::answer(PeerIndex index, const RequestId& request, std::span<const std::uint8_t> bytes) {
    const Command report{
        .at = {}, .peer = index, .kind = CommandKind::answer, .request = request, .bytes = bytes};
    return core_->command(
        report, [&](Peer& peer, Instant now, Command&) { return peer.answer(now, request, bytes); });
}

Result<void> Swarm::join(PeerIndex index, PeerIndex through) {
    const Command report{.at = {}, .peer = index, .kind = CommandKind::join, .through = through};
    return core_->command(
        report, [&](Peer& peer, Instant now, Command&) { return peer.join(now, address_of(through)); });
}

}  // namespace fray
