// Sets up a swarm: peers, clocks, schedules; refuses invalid ones.

#include "sim/check.hpp"
#include "sim/swarm_core.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

using sim::Micros;

namespace {

constexpr double kMostDriftPpm = 1000;
constexpr PeerIndex kMostPeers = 16'000'000;

Result<void> check_plan(const PeerPlan& plan, PeerIndex index, const PeerOptions& options,
                        const SwarmOptions& swarm) {
    const std::string who = "peer " + std::to_string(index) + ": ";
    const bool rounds = swarm.round.count() > 0;
    sim::Check check;
    check.that(index < kMostPeers, who + "a swarm has at most " + std::to_string(kMostPeers) + " peers");
    check.that(plan.through != index, who + "it cannot join through itself");
    if (plan.clock_drift_ppm) {
        check.that(*plan.clock_drift_ppm >= -kMostDriftPpm && *plan.clock_drift_ppm <= kMostDriftPpm,
                   who + "clock_drift_ppm must be within +-1000");
    }
    check.that(!rounds || (!plan.clock_offset && !plan.clock_drift_ppm),
               who + "in round mode all clocks are true: clock_offset and clock_drift_ppm must not be set");
    check.that(!rounds || options.world.tick == swarm.round,
               who + "in round mode World::tick must equal SwarmOptions::round");
    return check.result();
}

}  // namespace

Result<void> SwarmOptions::check() const {
    if (Result<void> result = network.check(); !result) return result;
    sim::Check check;
    check.that(clock_offset_most.count() >= 0, "clock_offset_most must not be negative");
    check.that(clock_drift_most_ppm <= kMostDriftPpm, "clock_drift_most_ppm must be at most 1000");
    check.that(round.count() == 0 || round.count() >= 2, "round must be zero (no rounds) or at least 2 us");
    check.that(round.count() == 0 || (clock_offset_most.count() == 0 && clock_drift_most_ppm == 0),
               "in round mode all clocks are true: clock_offset_most and clock_drift_most_ppm must be zero");
    return check.result();
}

Result<PeerIndex> SwarmCore::add_peer(std::shared_ptr<const PeerOptions> options, const PeerPlan& plan) {
    const auto index = static_cast<PeerIndex>(hosts_.size());
    if (Result<void> result = options->check(); !result) {
        return Error{"peer " + std::to_string(index) + ": " + result.error().message};
    }
    if (Result<void> result = check_plan(plan, index, *options, options_); !result) return result.error();
    if (plan.start.count() < now_) return Error{"peer " + std::to_string(index) + ": its start has passed"};
    const AccessOptions& access = plan.access ? *plan.access : options_.network.access;
    if (Result<void> result = sim::check_access(access); !result) return result.error();
    for (Observer* observer : observers_) observer->on_peer_added(index, *options, plan);
    const Duration tick = options->world.tick;
    auto host = std::make_unique<Host>();
    host->options = std::move(options);
    host->address = Swarm::address_of(index);
    host->clock = make_clock(index, plan);
    host->through = plan.through;
    hosts_.push_back(std::move(host));
    network_.add_peer(access);
    push_action(start_time(index, plan, tick),
                {.kind = InnerAction::start, .peer = index, .stay = 0, .through = {}});
    return index;
}

sim::DriftingClock SwarmCore::make_clock(PeerIndex index, const PeerPlan& plan) const {
    RandomStream random{seed_, "clock", index};
    const double most_ppm = options_.clock_drift_most_ppm;
    const double offset = random.uniform() * static_cast<double>(options_.clock_offset_most.count());
    const double ppm = random.uniform(-most_ppm, most_ppm);
    return sim::DriftingClock{plan.clock_offset.value_or(Duration{static_cast<Micros>(offset)}),
                              static_cast<std::int64_t>(plan.clock_drift_ppm.value_or(ppm) * 1000)};
}

Micros SwarmCore::start_time(PeerIndex index, const PeerPlan& plan, Duration tick) const {
    const Micros round = options_.round.count();
    if (round > 0) return (plan.start.count() + round - 1) / round * round;
    if (!options_.stagger || index == 0) return plan.start.count();
    RandomStream random{seed_, "stagger", index};
    return plan.start.count() + static_cast<Micros>(random.uniform() * static_cast<double>(tick.count()));
}

Result<void> SwarmCore::schedule(const Action& action) {
    const std::string who = "action on peer " + std::to_string(action.peer) + ": ";
    sim::Check check;
    check.that(exists(action.peer), who + "there is no such peer");
    check.that(action.at.count() >= now_, who + "its time has passed");
    check.that(action.through != action.peer, who + "a peer cannot join through itself");
    if (Result<void> result = check.result(); !result) return result;
    for (Observer* observer : observers_) observer->on_scheduled(action);
    InnerAction kind = InnerAction::crash;
    if (action.kind == ActionKind::leave) kind = InnerAction::leave;
    if (action.kind == ActionKind::rejoin) kind = InnerAction::rejoin;
    const Micros round = std::max<Micros>(options_.round.count(), 1);
    const Micros at =
        kind == InnerAction::rejoin ? (action.at.count() + round - 1) / round * round : action.at.count();
    push_action(at, {.kind = kind, .peer = action.peer, .stay = 0, .through = action.through});
    return {};
}

Result<void> SwarmCore::partition(const Partition& partition) {
    if (Result<void> result = sim::check_partition(partition); !result) return result;
    if (partition.from.count() < now_) return Error{"partition: its beginning has passed"};
    for (Observer* observer : observers_) observer->on_partition(partition);
    network_.add_partition(partition);
    return {};
}

void SwarmCore::push_action(Micros at, const Scheduled& action) {
    actions_.push_back(action);
    queue_.push(at, sim::EventKind::action, static_cast<std::uint32_t>(actions_.size() - 1));
}

}  // namespace fray
