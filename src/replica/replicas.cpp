#include "replica/replicas.hpp"

#include "wire/session_time.hpp"

#include <array>
#include <utility>

namespace fray {

namespace {
constexpr Duration kConfirmation{1s};  // time in which an owner confirms its entities
// After a state, a relayed one must fit it by the rules of motion for so long: more than two intervals of a
// crowd, and less than a player is out of a game.
constexpr Duration kBelieved{2500ms};
}  // namespace

std::size_t Replicas::entities(LinkNumber owner) const {
    const ReplicaStore* store = stores_.find(owner);
    return store == nullptr ? 0 : store->size();
}

SessionInstant Replicas::taken_at(LinkNumber owner, std::size_t i) const {
    return stores_.find(owner)->when_at(i);
}

void Replicas::write_stamped(LinkNumber owner, std::size_t i, BitWriter& out) const {
    const ReplicaStore& store = *stores_.find(owner);
    out.bits(store.stamp_at(i), kStampBits);
    store.write_newest(out, i, context_.world(), context_.codec);
}

std::optional<HeardState> Replicas::newest(LinkNumber link, std::uint32_t number) const {
    const ReplicaStore* store = stores_.find(link);
    const auto at = store == nullptr ? std::nullopt : store->find(number);
    if (!at) return std::nullopt;
    return store->newest(*at, context_.codec);
}

std::optional<HeardState> Replicas::first(LinkNumber link) const {
    const ReplicaStore* store = stores_.find(link);
    if (store == nullptr || store->size() == 0) return std::nullopt;
    return store->newest(0, context_.codec);
}

bool Replicas::was_withdrawn(LinkNumber link, std::uint32_t number) const {
    const ReplicaStore* store = stores_.find(link);
    return store != nullptr && store->withdrew(number);
}

/// A relay may have altered it. A lie that was believed must not keep out the truth for long, so an old state
/// does not count.
bool Replicas::is_possible(const ReplicaStore& store, const RelayedState& relayed) const {
    const auto at = store.find(relayed.state.number);
    const ValidFunction& valid = context_.world().types[static_cast<std::size_t>(relayed.state.type)].valid;
    if (!at || valid == nullptr) return true;
    const HeardState held = store.newest(*at, context_.codec);
    const Duration elapsed = relayed.when - held.when;
    if (held.type != relayed.state.type || elapsed <= Duration{0} || elapsed > kBelieved) return true;
    return valid(held.pose, held.payload, context_.codec.restore(relayed.state.pose), relayed.state.payload,
                 elapsed);
}

bool Replicas::take_relayed(LinkNumber owner, const RelayedState& state) {
    if (!is_possible(stores_[owner], state)) {
        context_.rejections.count(Rejection::impossible);
        return false;
    }
    const auto outcome = stores_[owner].relay(state);
    if (outcome == ReplicaStore::Outcome::stale) return false;
    ++counts_.received;
    if (outcome == ReplicaStore::Outcome::appeared && context_.links.is_known(owner))
        appearances_->handle_appeared(owner, state.state.number);
    return true;
}

std::span<const MessageKind> Replicas::kinds() const {
    static constexpr std::array kKinds{MessageKind::state, MessageKind::withdraw};
    return kKinds;
}

Receipt Replicas::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    return kind == MessageKind::state ? read_state(arrival, in) : read_withdraw(arrival, in);
}

Receipt Replicas::read_state(const Arrival& arrival, BitReader& in) {
    const auto stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    const UpdateOrigin origin{arrival.sequence, stamp,
                              complete_stamp(stamp, context_.session_time(arrival.now))};
    ReplicaStore& store = stores_[arrival.link];
    const bool observed = states_->wants_states(arrival.link);
    bool any_appeared = false;
    while (in.boolean()) {
        const auto applied = store.apply(in, context_.world(), context_.codec, origin, read_);
        if (!applied) return malformed(read_.why);
        if (observed) observe(arrival, store, *applied, origin.when);
        if (applied->outcome == ReplicaStore::Outcome::stale) {
            ++counts_.stale;
            continue;
        }
        ++counts_.received;
        if (applied->outcome != ReplicaStore::Outcome::appeared) continue;
        appearances_->handle_appeared(arrival.link, applied->number);
        any_appeared = true;
    }
    if (relays_) drop_unconfirmed(arrival.now, arrival.link, store);
    if (sightings_ != nullptr && store.size() != 0) {
        sightings_->handle_sighting(arrival.now, arrival.link,
                                    {context_.codec.restore(store.pose_at(0)).position, store.when_at(0)});
    }
    // Until it has an acknowledgement, the owner repeats first states, whole.
    return in.ok() ? Receipt{.can_wait = !any_appeared} : malformed();
}

void Replicas::observe(const Arrival& arrival, const ReplicaStore& store,
                       const ReplicaStore::Applied& applied, SessionInstant when) {
    const auto at = store.find(applied.number);
    if (!at) return;  // withdrawn
    const WholeState& read = read_.state;
    states_->handle_state(arrival.now, arrival.link,
                          {.number = applied.number,
                           .type = store.type_at(*at),
                           .pose = context_.codec.restore(read.pose),
                           .when = when,
                           .payload = read.payload,
                           .input = read.input},
                          applied.outcome != ReplicaStore::Outcome::stale);
}

void Replicas::drop_unconfirmed(Instant now, LinkNumber link, ReplicaStore& store) {
    // An entity that only other peers sent does not exist if its owner does not confirm it. The owner may
    // need several datagrams to send all of its entities.
    const SessionInstant until = context_.session_time(now) - kConfirmation;
    while (const auto gone = store.take_unconfirmed(until)) {
        appearances_->handle_gone(link, *gone);
        states_->handle_entity_gone(link, *gone);
    }
}

Receipt Replicas::read_withdraw(const Arrival& arrival, BitReader& in) {
    const std::uint64_t number = read_varint(in);
    if (!in.ok() || number > 0xFFFFFFFF) return malformed();
    const auto gone = static_cast<std::uint32_t>(number);
    ReplicaStore& store = stores_[arrival.link];
    if (store.find(gone)) appearances_->handle_gone(arrival.link, gone);
    store.withdraw(gone);
    states_->handle_entity_gone(arrival.link, gone);
    return taken();
}

void Replicas::handle_link_up(Instant, const LinkUp& up) {
    const ReplicaStore* store = stores_.find(up.link);  // may hold relayed states already
    for (std::size_t i = 0; store != nullptr && i < store->size(); ++i)
        appearances_->handle_appeared(up.link, store->number_at(i));
}

void Replicas::handle_link_down(Instant, const LinkDown& down) { report_gone(down.link); }

void Replicas::report_gone(LinkNumber number) {
    const ReplicaStore* store = stores_.find(number);
    for (std::size_t i = 0; store != nullptr && i < store->size(); ++i)
        appearances_->handle_gone(number, store->number_at(i));
}

void Replicas::handle_moved(LinkNumber from, LinkNumber to) {
    if (stores_.find(from) == nullptr) return;
    ReplicaStore store = std::move(stores_[from]);
    stores_.erase(from);
    store.forget_baselines();
    stores_[to] = std::move(store);
}

void Replicas::forget_link(LinkNumber link) {
    if (is_acquaintance(link)) report_gone(link);  // no link goes down with it
    stores_.erase(link);
}

void Replicas::handle_clock_set(Instant now) {
    for (ReplicaStore& store : stores_) store.restamp(context_.session_time(now));
    for (ReplicaStore& store : stores_.acquaintances()) store.restamp(context_.session_time(now));
}

std::size_t Replicas::memory_bytes() const {
    std::size_t sum = sizeof(*this) + stores_.heap_bytes() + read_.heap_bytes();
    for (const ReplicaStore& store : stores_) sum += store.heap_bytes();
    for (const ReplicaStore& store : stores_.acquaintances()) sum += store.heap_bytes();
    return sum;
}

}  // namespace fray
