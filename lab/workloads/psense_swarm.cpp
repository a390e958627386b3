#include "lab/workloads/psense_swarm.hpp"

#include "lab/metrics/resources.hpp"

#include <fmt/format.h>

namespace fray::lab {
namespace {

/// The last moment of a round: datagrams for the next round have arrived and were handled.
constexpr Duration kLastMoment{1us};
/// A crash happens before that.
constexpr Duration kCrash{2us};

/// The swarm numbers its peers' ids from one.
PeerIndex owner_of(const Replica& replica) { return static_cast<PeerIndex>(replica.id.owner.number() - 1); }

}  // namespace

Result<std::unique_ptr<PSenseSwarm>> PSenseSwarm::create(const PSenseSetup& setup, Population& population,
                                                         Seed seed, std::string recording) {
    auto swarm = Swarm::create(setup.swarm, derive(seed, "swarm"));
    if (!swarm) return swarm.error();
    return std::unique_ptr<PSenseSwarm>{
        new PSenseSwarm{setup, population, std::move(*swarm), seed, std::move(recording)}};
}

PSenseSwarm::PSenseSwarm(const PSenseSetup& setup, Population& population, Swarm swarm, Seed seed,
                         std::string recording)
    : setup_{setup},
      population_{population},
      swarm_{std::move(swarm)},
      random_{seed, "through"},
      recording_{std::move(recording)},
      traffic_{setup.paper_mode ? Marshalling::paper : Marshalling::real},
      caps_{swarm_},
      ledger_{swarm_},
      knowledge_{swarm_, setup.round} {
    swarm_.set_workload(this);
    for (Observer* observer : {static_cast<Observer*>(&graph_), static_cast<Observer*>(&traffic_),
                               static_cast<Observer*>(&caps_), static_cast<Observer*>(&ledger_)})
        swarm_.add_observer(observer);
    if (!recording_.empty()) recorder_.emplace(swarm_, "psense");
    if (setup.through == Through::nearby)
        grid_.emplace(setup.movement.area, static_cast<float>(setup.ranges.vision));
    if (!setup.resources) return;
    return_free_memory();
    resident_before_ = resident_bytes();
}

PSenseSwarm::~PSenseSwarm() {
    swarm_.finish();  // while the meters that observe it still exist
    swarm_.set_workload(nullptr);
}

// --- the run ---

Result<void> PSenseSwarm::change(std::uint32_t round, const Change& change) {
    const Duration at = setup_.round * round;
    for (const PlayerIndex who : change.crashes) {
        population_.disappear(who, round);
        anybody_gone_ = true;
        auto scheduled =
            swarm_.schedule({.at = at - kCrash, .kind = ActionKind::crash, .peer = who, .through = {}});
        if (!scheduled) return scheduled;
    }
    if (round > 0) {
        advance(at - kLastMoment);
        traffic_.end_round(swarm_, population_.placed(at), round > setup_.schedule.warm_up_rounds);
    }
    if (round == setup_.schedule.warm_up_rounds) warm_up_cost_ = cost_;
    return change.joins == 0 ? Result<void>{} : add_players(round, change.joins);
}

Result<void> PSenseSwarm::add_players(std::uint32_t round, std::uint32_t count) {
    PeerPlan plan;
    plan.start = setup_.round * round;
    auto there = population_.all_present();
    if (grid_) grid_->place(population_.placed(plan.start));
    for (std::uint32_t i = 0; i < count; ++i) {
        const PlayerIndex who = population_.add(round);
        if (grid_) {
            if (const auto nearest = grid_->nearest(population_.movement(who).position()))
                plan.through = nearest->who;
        } else if (!there.empty()) {
            plan.through = there[random_.below(static_cast<std::uint32_t>(there.size()))];
        }
        const auto added = swarm_.add_peer(setup_.peers[who % setup_.peers.size()], plan);
        if (!added) return added.error();
        FRAY_ASSERT(*added == who);
        entities_.emplace_back();
        if (setup_.through == Through::earlier) there.push_back(who);
    }
    return {};
}

void PSenseSwarm::run_until(Duration t) {
    advance(t);
    knowledge_.forget();
}

void PSenseSwarm::advance(Duration t) {
    const double before = thread_cpu_seconds();
    swarm_.run_until(t);
    cost_.cpu_seconds += thread_cpu_seconds() - before;
    cost_.peer_rounds = swarm_.counts().frames;
}

std::optional<PeerIndex> PSenseSwarm::somebody(PeerIndex but) {
    auto there = population_.all_present();
    std::erase(there, but);
    if (there.empty()) return std::nullopt;
    return there[random_.below(static_cast<std::uint32_t>(there.size()))];
}

// --- the games ---

State PSenseSwarm::state_of_player(PlayerIndex who) const {
    const Movement& movement = population_.movement(who);
    Pose pose;
    pose.position = movement.position();
    pose.velocity = movement.velocity() * static_cast<float>(setup_.rounds_per_second);
    return state_of(pose);
}

void PSenseSwarm::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    population_.appear(index, swarm.now());
    const auto entity = swarm.publish(index, state_of_player(index));
    FRAY_ASSERT(entity);
    entities_[index] = *entity;
}

void PSenseSwarm::frame(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    population_.step(index, swarm.now());
    const auto updated = swarm.update(index, entities_[index], state_of_player(index));
    FRAY_ASSERT(updated);
}

void PSenseSwarm::event(Swarm& swarm, PeerIndex index, Instant, const Peer&, const Event& event) {
    const auto* refused = std::get_if<Refused>(&event);
    if (refused == nullptr) return;
    ++refusals_;
    if (!setup_.rejoin || refused->reason == Reason::already_joined) return;
    if (const auto other = somebody(index)) (void)swarm.join(index, *other);
}

// --- what is measured ---

std::optional<Sighting> PSenseSwarm::about(PlayerIndex who, PlayerIndex whom) {
    return knowledge_.about(who, whom);
}

std::uint64_t PSenseSwarm::count_ghosts(std::uint32_t round, std::span<const Placed> players) {
    std::uint64_t ghosts = 0;
    if (!anybody_gone_) return ghosts;
    for (PeerIndex who = 0; who < players.size(); ++who) {
        if (!players[who].present) continue;
        for (const Replica& replica : swarm_.peer(who).replicas(swarm_.local_now(who))) {
            const std::uint32_t gone = population_.gone(owner_of(replica));
            if (gone == kNoRound || round - gone <= kKnownRounds) continue;
            const float away = setup_.movement.area.distance(players[who].position, replica.pose.position);
            if (static_cast<double>(away) <= setup_.ranges.vision) ++ghosts;
        }
    }
    knowledge_.forget();
    return ghosts;
}

std::optional<RoundNetwork> PSenseSwarm::end_round(std::uint32_t round, std::span<const Placed> players,
                                                   bool counted) {
    // The traffic of a round is known only at its end: this is the last round's.
    return RoundNetwork{.components = graph_.end_round(players),
                        .ghosts = counted ? count_ghosts(round, players) : 0,
                        .traffic = traffic_.round()};
}

Result<void> PSenseSwarm::conclude(RunOutput& output) {
    auto saved = recorder_ ? recorder_->finish().save(recording_, sim::Overwrite::yes) : Result<void>{};
    report_resources(output);
    caps_.conclude();
    ledger_.conclude();
    swarm_.finish();
    report_traffic(output);
    output.work = {
        .peers = swarm_.size(), .rounds = swarm_.counts().frames, .messages = swarm_.counts().sent};
    return saved;
}

void PSenseSwarm::report_resources(RunOutput& output) const {
    double memory = 0;
    double alive = 0;
    for (PeerIndex i = 0; i < swarm_.size(); ++i) {
        if (!swarm_.alive(i)) continue;
        memory += static_cast<double>(swarm_.peer(i).memory_bytes());
        ++alive;
    }
    if (alive == 0) return;
    output.set("memory_bytes_per_peer", memory / alive);
    if (!setup_.resources) return;
    const double taken = static_cast<double>(resident_bytes()) - static_cast<double>(resident_before_);
    const auto peer_rounds = static_cast<double>(cost_.peer_rounds - warm_up_cost_.peer_rounds);
    output.set("resident_bytes_per_peer", taken / alive);
    output.set("peer_rounds_per_cpu_second", peer_rounds / (cost_.cpu_seconds - warm_up_cost_.cpu_seconds));
}

void PSenseSwarm::report_traffic(RunOutput& output) const {
    const double kbps_per_byte = 8 * setup_.rounds_per_second / 1000;
    output.set("upload_kbps_mean", traffic_.uploads().mean() * kbps_per_byte);
    output.set("upload_kbps_p99", traffic_.uploads().quantile(0.99) * kbps_per_byte);
    output.set("upload_kbps_max", traffic_.uploads().largest() * kbps_per_byte);
    const auto peer_rounds = static_cast<double>(swarm_.counts().frames);
    output.set("forwarded_mean", static_cast<double>(traffic_.forwarded) / peer_rounds);
    output.set("forward_duplicates_mean", static_cast<double>(traffic_.forward_duplicates) / peer_rounds);
    output.set("cap_violations", std::uint64_t{caps_.violation_count()});
    output.set("ledger_violations", std::uint64_t{ledger_.violation_count()});
    output.set("trace_hash", fmt::format("{:016x}", swarm_.trace_hash()));
}

}  // namespace fray::lab
