#include "replica/replica_store.hpp"

#include "wire/input_codec.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr std::size_t kFirstBaselines = 4;
constexpr std::size_t kMaxWithdrawn = kMaxRemoteEntities;

/// Bytes that a state allocates where so many are reserved.
std::size_t growth(const WholeState& state, std::size_t reserved) {
    const std::size_t size = state.payload.size() + state.input.size();
    return size - std::min(size, reserved);
}
static_assert(kMaxInputBytes <= 0xFF);

}  // namespace

inline void ReplicaStore::Held::set_bytes(const WholeState& state) {
    const std::size_t size = state.payload.size() + state.input.size();
    if (size > bytes.capacity()) bytes.reserve(size);  // exactly: held_bytes_ counts on it
    bytes.resize(size);
    const auto input = std::ranges::copy(state.payload, bytes.begin()).out;
    std::ranges::copy(state.input, input);
    input_size = static_cast<std::uint8_t>(state.input.size());
}

void ReplicaStore::Entity::widen() {
    std::vector<Held> wider(held.empty() ? kFirstBaselines : held.size() * 2);
    for (Held& h : held) {
        if (h.used) wider[h.sequence & (wider.size() - 1)] = std::move(h);
    }
    held = std::move(wider);
}

/// Where this state goes: the ring widens while another one that may still be a baseline is there, and if it
/// may take so many bytes.
inline ReplicaStore::Held& ReplicaStore::Entity::place(std::uint16_t sequence, std::size_t room) {
    if (held.empty()) widen();
    for (;;) {
        Held& slot = held[sequence & (held.size() - 1)];
        const bool needed = slot.used && slot.sequence != sequence &&
                            static_cast<std::int16_t>(slot.sequence - last_baseline) >= 0;
        const std::size_t wider = held.size() * sizeof(Held);  // bytes more
        if (!needed || held.size() >= kMaxBaselines || wider > room) return slot;
        widen();
        room -= wider;
    }
}

std::optional<ReplicaStore::Applied> ReplicaStore::apply(BitReader& in, const World& world,
                                                         const PoseCodec& codec, const UpdateOrigin& origin,
                                                         ReadUpdate& read) {
    const std::uint64_t number = read_varint(in);
    const auto back = static_cast<std::uint32_t>(in.bits(kBackBits));
    read.why = Rejection::malformed;
    if (!in.ok() || number > 0xFFFFFFFF) return std::nullopt;
    if (back == 0) return apply_full(in, world, codec, origin, static_cast<std::uint32_t>(number), read);
    if (const auto at = find(static_cast<std::uint32_t>(number)))
        return apply_delta(in, world, codec, origin, entities_[*at], back, read);
    read.why = withdrew(static_cast<std::uint32_t>(number)) ? Rejection::stale : Rejection::unknown_entity;
    return std::nullopt;
}

std::optional<ReplicaStore::Applied> ReplicaStore::apply_full(BitReader& in, const World& world,
                                                              const PoseCodec& codec,
                                                              const UpdateOrigin& origin,
                                                              std::uint32_t number, ReadUpdate& read) {
    if (!read_whole(in, world, codec, read.state)) return std::nullopt;
    if (withdrew(number)) return Applied{Outcome::stale, number};
    const auto place = std::ranges::lower_bound(entities_, number, {}, &Entity::number);
    const bool known = place != entities_.end() && place->number == number;
    if (known && place->type != read.state.type) {
        read.why = Rejection::impossible;
        return std::nullopt;
    }
    read.why = Rejection::no_room;
    if (known) return keep(*place, origin, false, read.state);
    const std::size_t needed = kFirstBaselines * sizeof(Held) + growth(read.state, 0);
    if (entities_.size() >= kMaxRemoteEntities || held_bytes_ + needed > kMaxReplicaBytes)
        return std::nullopt;
    Entity fresh{.number = number, .type = read.state.type, .held = {}, .relayed = {}};
    fresh.last_baseline = origin.sequence;
    return keep(*entities_.insert(place, std::move(fresh)), origin, true, read.state);
}

inline std::optional<ReplicaStore::Applied> ReplicaStore::apply_delta(BitReader& in, const World& world,
                                                                      const PoseCodec& codec,
                                                                      const UpdateOrigin& origin,
                                                                      Entity& entity, std::uint32_t back,
                                                                      ReadUpdate& read) {
    const auto base_sequence = static_cast<std::uint16_t>(origin.sequence - back);
    const Held* base = entity.find(base_sequence);
    // An update with a newer baseline overtook this one, and its baseline was dropped: stale, not invalid.
    const bool overtaken = origin.when < entity.when;
    read.why = overtaken ? Rejection::stale : Rejection::no_baseline;
    if (base == nullptr) return std::nullopt;
    read.state.type = entity.type;
    read.state.pose = codec.read_delta(in, base->pose, stamp_difference(base->stamp, origin.stamp));
    const EntityType& type = world.types[static_cast<std::size_t>(entity.type)];
    read.why = Rejection::malformed;
    read.fields.clear();
    read.state.payload.clear();
    if (!in.ok()) return std::nullopt;
    if (!base->payload().empty()) {  // a payload without bits never has any
        if (!type.fields(base->payload(), read.fields)) return std::nullopt;
        if (!type.read_delta(in, read.fields, read.state.payload)) return std::nullopt;
    }
    read_input(in, base->input(), read.state.input);
    if (!in.ok()) return std::nullopt;
    if (static_cast<std::int16_t>(base_sequence - entity.last_baseline) > 0)
        entity.last_baseline = base_sequence;
    read.why = Rejection::no_room;
    return keep(entity, origin, false, read.state);
}

inline std::optional<ReplicaStore::Applied> ReplicaStore::keep(Entity& entity, const UpdateOrigin& origin,
                                                               bool is_new, const WholeState& read) {
    const Applied stale{Outcome::stale, entity.number};
    if (entity.held.empty()) entity.last_baseline = origin.sequence;  // until now only relayed
    const bool newer =
        is_new || origin.when > entity.when ||
        (origin.when == entity.when && static_cast<std::int16_t>(origin.sequence - entity.newest) > 0);
    const std::size_t ring = entity.held.capacity();
    Held& slot = entity.place(origin.sequence, kMaxReplicaBytes - std::min(kMaxReplicaBytes, held_bytes_));
    held_bytes_ += (entity.held.capacity() - ring) * sizeof(Held);
    if (!newer && !entity.relayed && slot.used && slot.sequence == entity.newest)
        return stale;  // the slot holds the newest state
    const std::size_t more = growth(read, slot.bytes.capacity());
    if (more > 0 && held_bytes_ + more > kMaxReplicaBytes) return std::nullopt;
    slot.pose = read.pose;
    slot.sequence = origin.sequence;
    slot.stamp = origin.stamp;
    slot.used = true;
    slot.set_bytes(read);
    held_bytes_ += more;
    if (!newer) return stale;
    entity.newest = origin.sequence;
    if (!is_new && origin.when > entity.when) entity.gap = origin.when - entity.when;
    entity.when = origin.when;
    if (entity.relayed) held_bytes_ -= sizeof(Held) + entity.relayed->heap_bytes();
    entity.relayed.reset();
    return Applied{is_new ? Outcome::appeared : Outcome::fresh, entity.number};
}

void ReplicaStore::write_newest(BitWriter& out, std::size_t i, const World& world,
                                const PoseCodec& codec) const {
    const Entity& entity = entities_[i];
    const Held& held = entity.shown();
    write_numbered(out, world, codec, entity.number, {entity.type, held.pose, held.payload(), held.input()});
}

ReplicaStore::Outcome ReplicaStore::relay(const RelayedState& relayed) {
    const WholeState& whole = relayed.state;
    if (withdrew(whole.number)) return Outcome::stale;
    auto place = std::ranges::lower_bound(entities_, whole.number, {}, &Entity::number);
    const bool known = place != entities_.end() && place->number == whole.number;
    if (known && (place->type != whole.type || relayed.when <= place->when)) return Outcome::stale;
    if ((!known || !place->confirmed()) && heard_owner()) return Outcome::stale;
    const std::size_t most = sizeof(Held) + whole.payload.size() + whole.input.size();
    if (held_bytes_ + most > kMaxReplicaBytes) return Outcome::stale;
    if (!known) {
        if (entities_.size() >= kMaxRelayedStates) return Outcome::stale;
        place = entities_.insert(
            place, Entity{.number = whole.number, .type = whole.type, .held = {}, .relayed = {}});
    }
    const bool first = !place->relayed;
    if (first) place->relayed = std::make_unique<Held>();
    Held& held = *place->relayed;
    const std::size_t before = held.heap_bytes();
    held.pose = whole.pose;
    held.stamp = relayed.stamp;
    held.set_bytes(whole);
    held_bytes_ += (first ? sizeof(Held) : 0) + held.heap_bytes() - before;
    if (known) place->gap = relayed.when - place->when;
    place->when = relayed.when;
    return known ? Outcome::fresh : Outcome::appeared;
}

std::optional<std::uint32_t> ReplicaStore::take_unconfirmed(SessionInstant until) {
    const auto unconfirmed =
        std::ranges::find_if(entities_, [&](const Entity& e) { return !e.confirmed() && e.when < until; });
    if (unconfirmed == entities_.end() || !heard_owner()) return std::nullopt;
    const std::uint32_t number = unconfirmed->number;
    held_bytes_ -= unconfirmed->heap_bytes();
    entities_.erase(unconfirmed);
    return number;
}

bool ReplicaStore::withdrew(std::uint32_t number) const {
    return std::ranges::find(withdrawn_, number) != withdrawn_.end();
}

bool ReplicaStore::withdraw(std::uint32_t number) {
    if (withdrawn_.size() == kMaxWithdrawn) withdrawn_.erase(withdrawn_.begin());
    withdrawn_.push_back(number);
    const auto at = find(number);
    if (!at) return false;
    held_bytes_ -= entities_[*at].heap_bytes();
    entities_.erase(entities_.begin() + static_cast<std::ptrdiff_t>(*at));
    return true;
}

void ReplicaStore::forget_baselines() {
    for (Entity& entity : entities_) {
        held_bytes_ -= entity.heap_bytes();
        if (!entity.relayed) entity.relayed = std::make_unique<Held>(*entity.find(entity.newest));
        entity.held = {};
        held_bytes_ += entity.heap_bytes();
    }
}

void ReplicaStore::restamp(SessionInstant now) {
    // Not later than now: otherwise the next update would count as stale.
    for (Entity& entity : entities_) {
        entity.when = std::min(now, complete_stamp(entity.shown().stamp, now));
        entity.gap = HeardState::kNoGap;  // the next state counts its gap from this one
    }
}

HeardState ReplicaStore::newest(std::size_t i, const PoseCodec& codec) const {
    const Entity& entity = entities_[i];
    const Held& held = entity.shown();
    return {.number = entity.number,
            .type = entity.type,
            .pose = codec.restore(held.pose),
            .when = entity.when,
            .payload = held.payload(),
            .input = held.input(),
            .gap = entity.gap};
}

std::size_t ReplicaStore::heap_bytes() const {
    std::size_t sum = entities_.capacity() * sizeof(Entity) + withdrawn_.capacity() * sizeof(std::uint32_t);
    for (const Entity& e : entities_) sum += e.heap_bytes();
    return sum;
}

std::size_t ReplicaStore::Entity::heap_bytes() const {
    std::size_t sum = held.capacity() * sizeof(Held);
    if (relayed) sum += sizeof(Held) + relayed->heap_bytes();
    for (const Held& h : held) sum += h.heap_bytes();
    return sum;
}

}  // namespace fray
