#include "sim/network.hpp"

#include <algorithm>
#include <tuple>

namespace fray::sim {

namespace {

constexpr std::uint16_t kNoRule = 0xFFFF;

Micros draw_jitter(const Jitter& jitter, const ExponentialTable& exponential, RandomStream& random) {
    double micros = 0;
    if (jitter.mean.count() > 0)
        micros += static_cast<double>(jitter.mean.count()) * exponential(random.next());
    if (jitter.spike_chance > 0 && random.chance(jitter.spike_chance)) {
        micros += static_cast<double>(jitter.spike_mean.count()) * exponential(random.next());
    }
    return static_cast<Micros>(micros);
}

/// One draw per datagram in any state, so that later draws do not shift.
bool lost_in_burst(const BurstLoss& loss, RandomStream& random, PairState& pair) {
    const double draw = random.uniform();
    if (pair.fresh) {
        pair.bad = draw < loss.mean;
    } else if (pair.bad) {
        pair.bad = draw >= 1 / loss.burst;
    } else {
        pair.bad = draw < loss.mean / (1 - loss.mean) / loss.burst;
    }
    return pair.bad;
}

bool draw_loss(const LossModel& model, RandomStream& random, PairState* pair) {
    if (const auto* independent = std::get_if<IndependentLoss>(&model)) {
        return independent->mean > 0 && random.chance(independent->mean);
    }
    return lost_in_burst(*std::get_if<BurstLoss>(&model), random, *pair);
}

/// The additional delay of a datagram that is chosen with this chance, at least 1; otherwise 0.
Micros draw_extra(double chance, Duration most, RandomStream& random) {
    if (!(chance > 0)) return 0;
    const bool chosen = random.chance(chance);
    const double share = random.uniform();
    return chosen ? 1 + static_cast<Micros>(share * static_cast<double>(most.count())) : 0;
}

bool delay_varies(const NetworkModel& model) {
    return !(std::holds_alternative<ConstantLatency>(model.latency) ||
             std::holds_alternative<MatrixLatency>(model.latency) ||
             std::holds_alternative<WorldLatency>(model.latency)) ||
           model.jitter.mean.count() > 0 || model.jitter.spike_chance > 0 || model.shift.every.count() > 0;
}

bool by_pair(const PathRule& a, const PathRule& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); }

}  // namespace

Network::Network(NetworkModel model, Seed seed, Micros fixed_delay)
    : model_{std::move(model)}, seed_{seed}, fixed_delay_{fixed_delay}, latency_{model_.latency, seed} {
    std::stable_sort(model_.paths.begin(), model_.paths.end(), by_pair);
    for (const PathRule& rule : model_.paths) {
        rule_latency_.emplace_back();
        if (rule.latency) rule_latency_.back().emplace(*rule.latency, seed);
    }
    for (const Partition& partition : model_.partitions) partitions_.add(partition);
    // A path that needs no memory gets none: 100,000 peers have millions of them.
    needs_pairs_ = !model_.paths.empty() || std::holds_alternative<BurstLoss>(model_.loss) ||
                   (fixed_delay_ == 0 && (latency_.needs_pair() || model_.shift.every.count() > 0 ||
                                          (model_.keep_order && delay_varies(model_))));
}

void Network::add_peer(const AccessOptions& access) {
    const std::uint64_t index = ends_.size();
    ends_.push_back(End{.latency = RandomStream{seed_, "latency", index},
                        .jitter = RandomStream{seed_, "jitter", index},
                        .loss = RandomStream{seed_, "loss", index},
                        .reordering = RandomStream{seed_, "reordering", index},
                        .duplication = RandomStream{seed_, "duplication", index},
                        .upload = Line{access.upload, index_of(access.upload)},
                        .download = Line{access.download, index_of(access.download)}});
}

Verdict Network::transmit(Micros now, PeerIndex from, PeerIndex to, std::uint32_t bytes) {
    End& end = ends_[from];
    PairState* const pair = needs_pairs_ ? pair_state(from, to) : nullptr;
    const Draws draws = draw(now, from, to, end, pair);
    if (pair != nullptr) pair->fresh = false;
    Verdict verdict;
    Micros left = now;
    if (end.upload.limited() && !end.upload.enter(now, bytes, left)) {
        verdict.dropped = DropReason::upload_full;
    } else if (partitions_.separates(now, from, to)) {
        verdict.dropped = DropReason::partitioned;
    } else if (draws.lost) {
        verdict.dropped = DropReason::lost;
    }
    if (verdict.dropped) return verdict;
    verdict.arrival = left + draws.delay + draws.held;
    verdict.held_back = draws.held > 0;
    if (pair != nullptr && model_.keep_order && !verdict.held_back) {
        verdict.arrival = std::max(verdict.arrival, pair->last_arrival);
        pair->last_arrival = verdict.arrival;
    }
    if (draws.second > 0) verdict.second_copy = verdict.arrival + draws.second;
    return verdict;
}

/// Every feature that is switched on draws for every datagram, even for dropped ones: the n-th datagram of a
/// sender gets the same numbers whatever else is switched on.
inline Network::Draws Network::draw(Micros now, PeerIndex from, PeerIndex to, End& end, PairState* pair) {
    Draws draws;
    const PathRule* const rule = rule_of(pair);
    draws.delay = fixed_delay_ > 0 ? fixed_delay_ : draw_delay(now, from, to, end, pair);
    draws.lost = draw_loss(rule != nullptr && rule->loss ? *rule->loss : model_.loss, end.loss, pair);
    if (draws.delay == kLostMicros) draws.lost = true;
    draws.held = draw_extra(model_.reordering.chance, model_.reordering.extra, end.reordering);
    draws.second = draw_extra(model_.duplication.chance, model_.duplication.extra, end.duplication);
    return draws;
}

inline Micros Network::draw_delay(Micros now, PeerIndex from, PeerIndex to, End& end, PairState* pair) {
    const PathRule* const rule = rule_of(pair);
    LatencySampler& sampler = rule != nullptr && rule->latency ? *rule_latency_[pair->rule] : latency_;
    const Micros latency = sampler.sample(now, from, to, end.latency, pair);
    const Micros jitter = draw_jitter(rule != nullptr && rule->jitter ? *rule->jitter : model_.jitter,
                                      exponential_, end.jitter);
    if (latency == kLostMicros) return kLostMicros;
    const Micros shift = model_.shift.every.count() > 0 ? draw_shift(now, from, to, *pair) : 0;
    return latency + shift + jitter;
}

/// Depends only on the pair and the time slot, and is the same for both directions; cached during the slot.
Micros Network::draw_shift(Micros now, PeerIndex from, PeerIndex to, PairState& pair) const {
    const auto slot = static_cast<std::uint32_t>(now / model_.shift.every.count());
    if (pair.shift_slot != slot) {
        const std::uint64_t both =
            (static_cast<std::uint64_t>(std::min(from, to)) << 32U) | std::max(from, to);
        RandomStream random{derive(seed_, "shift", both), "slot", slot};
        pair.shift_slot = slot;
        pair.shift =
            static_cast<std::int32_t>(random.exponential(static_cast<double>(model_.shift.mean.count())));
    }
    return pair.shift;
}

inline PairState* Network::pair_state(PeerIndex from, PeerIndex to) {
    PairState& pair = pairs_.find(from, to);
    if (pair.fresh && !model_.paths.empty()) pair.rule = rule_for(from, to);
    return &pair;
}

std::uint16_t Network::rule_for(PeerIndex from, PeerIndex to) const {
    PathRule wanted;
    wanted.from = from;
    wanted.to = to;
    const auto found = std::lower_bound(model_.paths.begin(), model_.paths.end(), wanted, by_pair);
    if (found == model_.paths.end() || found->from != from || found->to != to) return kNoRule;
    return static_cast<std::uint16_t>(found - model_.paths.begin());
}

inline const PathRule* Network::rule_of(const PairState* pair) const {
    return pair == nullptr || pair->rule == kNoRule ? nullptr : &model_.paths[pair->rule];
}

std::shared_ptr<const CapacityIndex> Network::index_of(const LineOptions& line) {
    if (!line.trace) return nullptr;
    for (const auto& [trace, index] : capacities_) {
        if (trace == line.trace.get()) return index;
    }
    return capacities_.emplace_back(line.trace.get(), std::make_shared<const CapacityIndex>(*line.trace))
        .second;
}

std::size_t Network::memory_bytes() const { return pairs_.memory_bytes() + ends_.capacity() * sizeof(End); }

}  // namespace fray::sim
