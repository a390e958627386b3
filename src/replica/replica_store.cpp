#include "replica/replica_store.hpp"

#include "wire/input_codec.hpp"

#include <algorithm>

namespace fray {

namespace {
constexpr std::size_t kFirstBaselines = 4;
constexpr std::size_t kMaxHeldBytes = 16 * 1024 * 1024;  // of payloads; above it, no further entity is added
constexpr std::size_t kMaxWithdrawn = kMaxRemoteEntities;
}  // namespace

void ReplicaStore::Entity::widen() {
    std::vector<Held> wider(held.empty() ? kFirstBaselines : held.size() * 2);
    for (Held& h : held) {
        if (h.used) wider[h.sequence & (wider.size() - 1)] = std::move(h);
    }
    held = std::move(wider);
}

/// Where this state goes: the ring widens while another one that may still be a baseline is there.
inline ReplicaStore::Held& ReplicaStore::Entity::place(std::uint16_t sequence) {
    if (held.empty()) widen();
    for (;;) {
        Held& slot = held[sequence & (held.size() - 1)];
        const bool needed = slot.used && slot.sequence != sequence &&
                            static_cast<std::int16_t>(slot.sequence - last_baseline) >= 0;
        if (!needed || held.size() >= kMaxBaselines) return slot;
        widen();
    }
}

std::optional<ReplicaStore::Applied> ReplicaStore::apply(BitReader& in, const World& world,
                                                         const PoseCodec& codec, const UpdateOrigin& origin,
                                                         Rejection& why) {
    const std::uint64_t number = read_varint(in);
    const auto back = static_cast<std::uint32_t>(in.bits(kBackBits));
    why = Rejection::malformed;
    if (!in.ok() || number > 0xFFFFFFFF) return std::nullopt;
    if (back == 0) return apply_full(in, world, codec, origin, static_cast<std::uint32_t>(number), why);
    if (const auto at = find(static_cast<std::uint32_t>(number)))
        return apply_delta(in, world, codec, origin, entities_[*at], back, why);
    why = withdrew(static_cast<std::uint32_t>(number)) ? Rejection::stale : Rejection::unknown_entity;
    return std::nullopt;
}

std::optional<ReplicaStore::Applied> ReplicaStore::apply_full(BitReader& in, const World& world,
                                                              const PoseCodec& codec,
                                                              const UpdateOrigin& origin,
                                                              std::uint32_t number, Rejection& why) {
    if (!read_whole(in, world, codec, read_)) return std::nullopt;
    if (withdrew(number)) return Applied{Outcome::stale, number};
    const auto place = std::ranges::lower_bound(entities_, number, {}, &Entity::number);
    const bool known = place != entities_.end() && place->number == number;
    if (known && place->type != read_.type) {
        why = Rejection::impossible;
        return std::nullopt;
    }
    if (known) return Applied{keep(*place, origin, false), number};
    if (entities_.size() >= kMaxRemoteEntities || held_bytes_ > kMaxHeldBytes) {
        why = Rejection::no_room;
        return std::nullopt;
    }
    Entity fresh{.number = number, .type = read_.type, .held = {}, .relayed = {}};
    fresh.last_baseline = origin.sequence;
    return Applied{keep(*entities_.insert(place, std::move(fresh)), origin, true), number};
}

inline std::optional<ReplicaStore::Applied> ReplicaStore::apply_delta(BitReader& in, const World& world,
                                                                      const PoseCodec& codec,
                                                                      const UpdateOrigin& origin,
                                                                      Entity& entity, std::uint32_t back,
                                                                      Rejection& why) {
    const auto base_sequence = static_cast<std::uint16_t>(origin.sequence - back);
    const Held* base = entity.find(base_sequence);
    // An update with a newer baseline overtook this one, and its baseline was dropped: stale, not invalid.
    const bool overtaken = origin.when < entity.when;
    why = overtaken ? Rejection::stale : Rejection::no_baseline;
    if (base == nullptr) return std::nullopt;
    read_.type = entity.type;
    read_.pose = codec.read_delta(in, base->pose, stamp_difference(base->stamp, origin.stamp));
    const EntityType& type = world.types[static_cast<std::size_t>(entity.type)];
    why = Rejection::malformed;
    fields_.clear();
    read_.payload.clear();
    if (!in.ok()) return std::nullopt;
    if (!base->payload.empty()) {  // a payload without bits never has any
        if (!type.fields(base->payload, fields_)) return std::nullopt;
        if (!type.read_delta(in, fields_, read_.payload)) return std::nullopt;
    }
    read_input(in, base->input, read_.input);
    if (!in.ok()) return std::nullopt;
    if (static_cast<std::int16_t>(base_sequence - entity.last_baseline) > 0)
        entity.last_baseline = base_sequence;
    return Applied{keep(entity, origin, false), entity.number};
}

inline ReplicaStore::Outcome ReplicaStore::keep(Entity& entity, const UpdateOrigin& origin, bool is_new) {
    if (entity.held.empty()) entity.last_baseline = origin.sequence;  // until now only relayed
    const bool newer =
        is_new || origin.when > entity.when ||
        (origin.when == entity.when && static_cast<std::int16_t>(origin.sequence - entity.newest) > 0);
    Held& slot = entity.place(origin.sequence);
    if (!newer && !entity.relayed && slot.used && slot.sequence == entity.newest)
        return Outcome::stale;  // the slot holds the newest state
    slot.pose = read_.pose;
    slot.sequence = origin.sequence;
    slot.stamp = origin.stamp;
    slot.used = true;
    held_bytes_ -= slot.payload.capacity();
    copy_bytes(read_.payload, slot.payload);
    held_bytes_ += slot.payload.capacity();
    copy_bytes(read_.input, slot.input);
    if (!newer) return Outcome::stale;
    entity.newest = origin.sequence;
    entity.when = origin.when;
    if (entity.relayed) held_bytes_ -= entity.relayed->payload.capacity();
    entity.relayed.reset();
    return is_new ? Outcome::appeared : Outcome::fresh;
}

void ReplicaStore::write_newest(BitWriter& out, std::size_t i, const World& world,
                                const PoseCodec& codec) const {
    const Entity& entity = entities_[i];
    const Held& held = entity.shown();
    write_numbered(out, world, codec, entity.number, {entity.type, held.pose, held.payload, held.input});
}

ReplicaStore::Outcome ReplicaStore::relay(const RelayedState& relayed) {
    const WholeState& whole = relayed.state;
    if (withdrew(whole.number)) return Outcome::stale;
    auto place = std::ranges::lower_bound(entities_, whole.number, {}, &Entity::number);
    const bool known = place != entities_.end() && place->number == whole.number;
    if (known && (place->type != whole.type || relayed.when <= place->when)) return Outcome::stale;
    if ((!known || !place->confirmed()) && heard_owner()) return Outcome::stale;
    if (!known) {
        if (entities_.size() >= kMaxRelayedStates || held_bytes_ > kMaxHeldBytes) return Outcome::stale;
        place = entities_.insert(
            place, Entity{.number = whole.number, .type = whole.type, .held = {}, .relayed = {}});
    }
    if (!place->relayed) place->relayed = std::make_unique<Held>();
    Held& held = *place->relayed;
    held_bytes_ -= held.payload.capacity();
    held.pose = whole.pose;
    held.stamp = relayed.stamp;
    held.payload = whole.payload;
    held.input = whole.input;
    held_bytes_ += held.payload.capacity();
    place->when = relayed.when;
    return known ? Outcome::fresh : Outcome::appeared;
}

std::optional<std::uint32_t> ReplicaStore::take_unconfirmed(SessionInstant until) {
    const auto unconfirmed =
        std::ranges::find_if(entities_, [&](const Entity& e) { return !e.confirmed() && e.when < until; });
    if (unconfirmed == entities_.end() || !heard_owner()) return std::nullopt;
    const std::uint32_t number = unconfirmed->number;
    if (unconfirmed->relayed) held_bytes_ -= unconfirmed->relayed->payload.capacity();
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
    for (const Held& held : entities_[*at].held) held_bytes_ -= held.payload.capacity();
    if (entities_[*at].relayed) held_bytes_ -= entities_[*at].relayed->payload.capacity();
    entities_.erase(entities_.begin() + static_cast<std::ptrdiff_t>(*at));
    return true;
}

void ReplicaStore::restamp(SessionInstant now) {
    // Not later than now: otherwise the next update would count as stale.
    for (Entity& entity : entities_) entity.when = std::min(now, complete_stamp(entity.shown().stamp, now));
}

HeardState ReplicaStore::newest(std::size_t i, const PoseCodec& codec) const {
    const Entity& entity = entities_[i];
    const Held& held = entity.shown();
    return {.number = entity.number,
            .type = entity.type,
            .pose = codec.restore(held.pose),
            .when = entity.when,
            .payload = held.payload,
            .input = held.input};
}

std::size_t ReplicaStore::heap_bytes() const {
    std::size_t sum = entities_.capacity() * sizeof(Entity) + withdrawn_.capacity() * sizeof(std::uint32_t);
    sum += read_.payload.capacity() + read_.input.capacity() + fields_.capacity() * sizeof(std::uint64_t);
    for (const Entity& e : entities_) {
        sum += e.held.capacity() * sizeof(Held);
        if (e.relayed) sum += sizeof(Held) + e.relayed->payload.capacity() + e.relayed->input.capacity();
        for (const Held& h : e.held) sum += h.payload.capacity() + h.input.capacity();
    }
    return sum;
}

}  // namespace fray
