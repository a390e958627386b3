#include "support/ownership_world.hpp"

#include <fray/assert.hpp>

#include <algorithm>
#include <utility>

namespace fray::test {

namespace {
constexpr Duration kSample{20ms};
constexpr EntityTypeId kChest{1};
/// From the last change of a link or an owner until there must be one owner.
constexpr Duration kSettling = two_owners_most(LinkOptions{.timeout = OwnershipWorld::kTimeout});

bool is_change(const Event& event) {
    return std::holds_alternative<PeerJoined>(event) || std::holds_alternative<PeerLeft>(event) ||
           std::holds_alternative<Acquired>(event) || std::holds_alternative<Relinquished>(event);
}
}  // namespace

void OwnershipTotals::add(const OwnershipTotals& other) {
    decided += other.decided;
    answered += other.answered;
    unanswered += other.unanswered;
    taken_over += other.taken_over;
    handed_over += other.handed_over;
    returned += other.returned;
    yielded += other.yielded;
    diverged += other.diverged;
    merged += other.merged;
    held += other.held;
    repeated += other.repeated;
    ended += other.ended;
    lost += other.lost;
    gone += other.gone;
    apart += other.apart;
    most_decided = std::max(most_decided, other.decided);
    both_owned = std::max(both_owned, other.both_owned);
}

PeerOptions OwnershipWorld::options() {
    PeerOptions options;
    options.world.types = {EntityType::bare("avatar"), EntityType::of<Chest>("chest")};
    options.overlay = FullMesh{.retry = 100ms, .retry_most = 200ms};
    options.link.timeout = kTimeout;
    options.link.keep_alive = 100ms;
    return options;
}

OwnershipWorld::OwnershipWorld(std::uint64_t seed, const OwnershipFaults& faults)
    : faults_{faults}, random_{Seed{seed}, "ownership world"} {
    SwarmOptions swarm;
    swarm.network.latency = LogNormalLatency{.median = 12ms, .least = 5ms, .sigma = 0.4};
    swarm.network.loss = IndependentLoss{.mean = faults.loss};
    swarm.network.duplication = Duplication{.chance = faults.loss, .extra = 30ms};
    swarm.network.partitions = faults.partitions;
    auto made = Swarm::create(swarm, Seed{seed});
    FRAY_ASSERT(made.has_value());
    swarm_.emplace(std::move(*made));
    swarm_->set_workload(this);
    swarm_->add_observer(this);
    avatars_.resize(faults.peers);
    const auto shared = std::make_shared<const PeerOptions>(options());
    for (PeerIndex i = 0; i < faults.peers; ++i) FRAY_ASSERT(swarm_->add_peer(shared).has_value());
    for (const OwnershipFaults::Ending& ending : faults.endings) {
        FRAY_ASSERT(swarm_->schedule({ending.at, ending.kind, ending.peer, {}}).has_value());
        endings_.push_back(ending.at);
        if (!ending.back_after) continue;
        const Action back{ending.at + *ending.back_after, ActionKind::rejoin, ending.peer, ending.through};
        FRAY_ASSERT(swarm_->schedule(back).has_value());
    }
}

std::vector<OwnershipWorld::Entry> OwnershipWorld::entries(const std::vector<std::uint8_t>& log) {
    std::vector<Entry> all;
    for (std::size_t i = 0; i + kEntryBytes <= log.size(); i += kEntryBytes) {
        Entry entry{.asker = log[i], .number = 0, .decider = log[i + 5]};
        for (std::size_t k = 0; k < 4; ++k)
            entry.number |= static_cast<std::uint32_t>(log[i + 1 + k]) << (8 * k);
        all.push_back(entry);
    }
    return all;
}

void OwnershipWorld::append(std::vector<std::uint8_t>& log, const Entry& entry) {
    log.push_back(static_cast<std::uint8_t>(entry.asker));
    for (unsigned k = 0; k < 4; ++k) log.push_back(static_cast<std::uint8_t>(entry.number >> (8 * k)));
    log.push_back(static_cast<std::uint8_t>(entry.decider));
}

void OwnershipWorld::complain(const std::string& what) {
    problems_ += std::to_string(swarm_->now() / 1us) + " us: " + what + "\n";
}

// --- the game ---

void OwnershipWorld::started(Swarm& swarm, PeerIndex index, Instant, const Peer&) {
    avatars_[index] = swarm.publish(index, state_of(Pose{})).value();
    if (!chest_) chest_ = swarm.publish(index, state_of(Pose{}, Chest{}, kChest), Tenure::shared).value();
}

void OwnershipWorld::frame(Swarm& swarm, PeerIndex index, Instant now, const Peer& peer) {
    // Something is sent in every frame, so that loss alone ends hardly any link.
    const float x = static_cast<float>(swarm.now() / 1ms % 1000);
    (void)swarm.update(index, *avatars_[index], state_of(Pose{.position = {x, 0, 0}}));
    if (calm()) return;
    const bool sees = peer.owns(*chest_) || peer.replica(now, *chest_);
    const std::size_t length = faults_.busy ? kBusyBytes : 3;
    if (sees && (faults_.busy || random_.chance(0.25)))
        (void)swarm.interact(index, *avatars_[index], *chest_, std::vector<std::uint8_t>(length, 1));
    if (!faults_.hand_overs || faults_.busy || !peer.owns(*chest_) || !random_.chance(0.02)) return;
    const auto others = peer.peers();
    if (others.empty()) return;
    const PeerId to = others[random_.below(static_cast<std::uint32_t>(others.size()))];
    if (!swarm.hand_over(index, *chest_, to)) complain("a hand-over to a linked peer was refused");
}

void OwnershipWorld::event(Swarm&, PeerIndex index, Instant now, const Peer& peer, const Event& event) {
    if (is_change(event)) last_change_ = swarm_->now();
    if (const auto* asked = std::get_if<Asked>(&event)) decide(index, now, peer, *asked);
    if (const auto* diverged = std::get_if<Diverged>(&event)) merge(index, now, peer, *diverged);
    if (const auto* answered = std::get_if<Answered>(&event)) {
        ++(answered->answered ? totals_.answered : totals_.unanswered);
        if (!answered->answered) return;
        const std::pair request{index, answered->request.number};
        if (answers_.contains(request)) complain("a request was answered twice");
        answers_[request] = swarm_->now();
    }
    if (const auto* acquired = std::get_if<Acquired>(&event)) {
        if (!peer.owns(acquired->entity)) return;  // lost again meanwhile
        totals_.handed_over += acquired->why == Change::handed_over ? 1U : 0U;
        totals_.returned += acquired->why == Change::returned ? 1U : 0U;
        totals_.taken_over += acquired->why == Change::owner_lost ? 1U : 0U;
    }
    if (const auto* gone = std::get_if<EntityGone>(&event)) {
        if (gone->entity == *chest_ && peer.owns(*chest_)) complain("an owned entity was reported gone");
    }
}

void OwnershipWorld::decide(PeerIndex index, Instant now, const Peer& peer, const Asked& asked) {
    const std::vector<std::uint8_t> reply(faults_.busy ? kBusyBytes : 1, static_cast<std::uint8_t>(index));
    const auto local = peer.local_view(now, *chest_);
    if (!swarm_->answer(index, asked.request, reply)) return;  // this peer lost it, or another one decided
    const Entry entry{static_cast<PeerIndex>(asked.request.asker.number() - 1), asked.request.number, index};
    Chest chest = *local->as<Chest>();
    for (const Entry& former : entries(chest.log)) {
        if (former.asker == entry.asker && former.number == entry.number)
            complain("peer " + std::to_string(index) + " applied a request that was applied before");
    }
    append(chest.log, entry);
    ++totals_.decided;
    if (!swarm_->update(index, *chest_, state_of(Pose{}, chest, kChest)))
        complain("an owner could not update");
}

void OwnershipWorld::merge(PeerIndex index, Instant now, const Peer& peer, const Diverged& diverged) {
    ++totals_.diverged;
    // Details of 16 KiB are kept; only busy runs exceed that.
    if (!diverged.complete && !faults_.busy) complain("a history was not complete");
    incomplete_ = incomplete_ || !diverged.complete;
    const auto local = peer.local_view(now, *chest_);
    if (!local || !peer.owns(*chest_)) return;  // lost again meanwhile; the history follows the owner
    Chest chest = *local->as<Chest>();
    for (const Interaction& one : diverged.only_there) {
        const Entry entry{static_cast<PeerIndex>(one.request.asker.number() - 1), one.request.number,
                          one.reply.at(0)};
        for (const Entry& former : entries(chest.log)) {
            if (former.asker == entry.asker && former.number == entry.number)
                complain("a history told of a request that was applied here, too");
        }
        append(chest.log, entry);
        ++totals_.merged;
    }
    (void)swarm_->update(index, *chest_, state_of(Pose{}, chest, kChest));
}

// --- the checker ---

void OwnershipWorld::on_gone(Duration, PeerIndex, const Peer& peer) {
    const OwnershipStats stats = peer.stats().ownership;
    totals_.yielded += stats.yielded;
    totals_.held += stats.replies_held;
    totals_.repeated += stats.requests_repeated;
}

bool OwnershipWorld::linked(PeerIndex a, PeerIndex b) const {
    const auto of_a = swarm_->peer(a).peers();
    const auto of_b = swarm_->peer(b).peers();
    return std::ranges::count(of_a, swarm_->peer(b).id()) != 0 &&
           std::ranges::count(of_b, swarm_->peer(a).id()) != 0;
}

bool OwnershipWorld::connected(PeerIndex a, PeerIndex b) const {
    if (linked(a, b)) return true;
    for (PeerIndex c = 0; c < swarm_->size(); ++c) {
        if (c != a && c != b && swarm_->alive(c) && linked(a, c) && linked(c, b)) return true;
    }
    return false;
}

void OwnershipWorld::sample() {
    std::vector<PeerIndex> owners;
    for (PeerIndex i = 0; i < swarm_->size(); ++i) {
        if (swarm_->alive(i) && swarm_->peer(i).owns(*chest_)) owners.push_back(i);
    }
    std::map<std::pair<PeerIndex, PeerIndex>, Duration> both;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        for (std::size_t k = i + 1; k < owners.size(); ++k) {
            if (!connected(owners[i], owners[k])) continue;
            const std::pair pair{owners[i], owners[k]};
            const auto since = both_since_.find(pair);
            both[pair] = since == both_since_.end() ? swarm_->now() : since->second;
            totals_.both_owned = std::max(totals_.both_owned, swarm_->now() - both[pair]);
        }
    }
    both_since_ = std::move(both);
}

std::string OwnershipWorld::run() {
    if (faults_.crash_at_step) {
        const auto [step, victim] = *faults_.crash_at_step;
        while (steps_ < step && swarm_->step(faults_.calm)) ++steps_;
        FRAY_ASSERT(swarm_->schedule({swarm_->now(), ActionKind::crash, victim, {}}).has_value());
        endings_.push_back(swarm_->now());
    }
    const Duration end = faults_.calm + ownerless_most(options().link) + 1200ms;
    // Loss alone may end a link at any time, rarely. What it changes has its stated time, too.
    const Duration longest = end + 10 * kSettling;
    while (swarm_->now() < std::max(end, last_change_ + kSettling) && swarm_->now() < longest) {
        swarm_->run_until(swarm_->now() + kSample);
        sample();
    }
    if (swarm_->now() >= longest) complain("links or owners change all the time");
    judge();
    totals_.ended = swarm_->counts().crashes + swarm_->counts().leaves;
    swarm_->finish();
    return problems_;
}

void OwnershipWorld::judge() {
    if (totals_.both_owned > two_owners_most(options().link))
        complain("two connected peers owned it too long");
    std::vector<PeerIndex> owners;
    std::set<std::pair<PeerIndex, std::uint32_t>> applied;
    for (PeerIndex i = 0; i < swarm_->size(); ++i) {
        if (!swarm_->alive(i) || !swarm_->peer(i).owns(*chest_)) continue;
        owners.push_back(i);
        const auto local = swarm_->peer(i).local_view(swarm_->local_now(i), *chest_);
        for (const Entry& entry : entries(local->as<Chest>()->log))
            applied.insert({entry.asker, entry.number});
    }
    totals_.gone += owners.empty() ? 1U : 0U;
    totals_.apart += owners.size() > 1 ? 1U : 0U;
    for (std::size_t i = 1; i < owners.size(); ++i) {
        if (connected(owners[0], owners[i])) complain("there are two owners in the end");
    }
    for (PeerIndex i = 0; i < swarm_->size(); ++i) {
        if (swarm_->alive(i)) judge_view(i, owners);
    }
    for (const auto& [request, answered] : answers_) {
        if (applied.contains(request) || incomplete_) continue;
        ++totals_.lost;
        if (!may_be_lost(answered)) complain("an answered request was lost");
    }
}

bool OwnershipWorld::may_be_lost(Duration answered) const {
    return std::ranges::any_of(endings_, [&](Duration end) {
        const auto near = [&](Duration other) { return other > end - kRecovery && other < end + kRecovery; };
        const auto splits = [&](const Partition& p) { return p.from < end && end < p.until + kRecovery; };
        // An answer that is on its way when a peer ends arrives a little later.
        return end > answered - kTimeout &&
               (std::ranges::count_if(endings_, near) > 1 || std::ranges::any_of(faults_.partitions, splits));
    });
}

void OwnershipWorld::judge_view(PeerIndex i, const std::vector<PeerIndex>& owners) {
    const auto seen = swarm_->peer(i).replica(swarm_->local_now(i), *chest_);
    if (owners.empty() && seen) complain("an entity without an owner is still shown");
    if (owners.size() != 1 || i == owners[0]) return;
    // It lost the session when the peer that it joined through ended, or is not introduced yet.
    if (!linked(i, owners[0])) {
        ++totals_.apart;
        return;
    }
    if (!seen) complain("peer " + std::to_string(i) + " does not see the chest");
    if (seen && seen->owner != swarm_->peer(owners[0]).id()) complain("a peer names another owner");
}

}  // namespace fray::test
