#include "ownership/known_entities.hpp"

namespace fray {

KnownEntity* KnownEntities::find(const EntityId& id) {
    const auto found = entities_.find(id);
    return found == entities_.end() ? nullptr : &found->second;
}

const KnownEntity* KnownEntities::find(const EntityId& id) const {
    const auto found = entities_.find(id);
    return found == entities_.end() ? nullptr : &found->second;
}

bool KnownEntities::has_room(const PeerId& owner) const {
    const auto first = bodies_.lower_bound({owner, 0});
    const auto last = bodies_.upper_bound({owner, 0xFFFF'FFFF});
    const auto of_one = static_cast<std::size_t>(std::distance(first, last));
    return of_one < kMaxOfOne && entities_.size() < kMost;
}

KnownEntity& KnownEntities::set(const Claim& claim) {
    KnownEntity& known = entities_[claim.id];
    const bool same_body = known.claim.owner == claim.owner && known.claim.body == claim.body;
    if (!same_body || known.claim.id != claim.id) {
        if (known.present) freeze(known);
        bodies_.erase({known.claim.owner, known.claim.body});
        bodies_[{claim.owner, claim.body}] = claim.id;
    }
    known.claim = claim;
    known.ownerless_since.reset();
    if (is_own(known)) {
        known.shown = true;
        known.present = false;
        return known;
    }
    const auto link = context_.links.up(claim.owner);
    known.present = link && replicas_.newest(*link, claim.body).has_value();
    if (known.present) appear(known);
    return known;
}

void KnownEntities::keep_state(const EntityId& id, const State& state, SessionInstant when) {
    KnownEntity& known = entities_[id];
    known.last = state;
    known.last_when = when;
}

void KnownEntities::erase(const EntityId& id) {
    const auto found = entities_.find(id);
    if (found == entities_.end()) return;
    const KnownEntity& known = found->second;
    bodies_.erase({known.claim.owner, known.claim.body});
    if (known.shown && !is_own(known)) context_.mailbox.report(EntityGone{id});
    entities_.erase(found);
}

std::optional<EntityId> KnownEntities::entity_of(const PeerId& owner, std::uint32_t body) const {
    const auto found = bodies_.find({owner, body});
    if (found == bodies_.end()) return std::nullopt;
    return found->second;
}

std::vector<EntityId> KnownEntities::list_of(const PeerId& owner) const {
    std::vector<EntityId> ids;
    const auto last = bodies_.upper_bound({owner, 0xFFFF'FFFF});
    for (auto it = bodies_.lower_bound({owner, 0}); it != last; ++it) ids.push_back(it->second);
    return ids;
}

EntityId KnownEntities::public_id(const PeerId& owner, std::uint32_t number) const {
    if (!is_lasting(number)) return {owner, number};
    return entity_of(owner, number).value_or(EntityId{owner, number});
}

Replica KnownEntities::ownerless(SessionInstant now, const KnownEntity& known) const {
    const State& last = known.last;
    return {.id = known.claim.id,
            .owner = known.claim.owner,
            .type = last.type,
            .pose = last.pose,
            .target = last.pose,
            .received = last.pose,
            .received_payload = last.payload,
            .stamp = known.last_when,
            .age = now - known.last_when,
            .moment = known.last_when,
            .told = known.last_when,
            .payload = last.payload,
            .input = last.input};
}

void KnownEntities::list_ownerless(SessionInstant now, std::vector<Replica>& replicas) const {
    for (const auto& [id, known] : entities_) {
        if (known.shown && !known.present && !is_own(known)) replicas.push_back(ownerless(now, known));
    }
}

void KnownEntities::appear(KnownEntity& known) {
    known.ownerless_since.reset();
    if (known.shown) return;
    known.shown = true;
    context_.mailbox.report(EntityAppeared{known.claim.id});
}

void KnownEntities::freeze(KnownEntity& known) {
    known.present = false;
    const auto link = context_.links.up(known.claim.owner);
    const auto newest = link ? replicas_.newest(*link, known.claim.body) : std::nullopt;
    if (!newest) return;
    known.last = State{.pose = newest->pose,
                       .payload = {newest->payload.begin(), newest->payload.end()},
                       .input = {newest->input.begin(), newest->input.end()},
                       .type = newest->type};
    known.last_when = newest->when;
}

void KnownEntities::handle_appeared(LinkNumber link, std::uint32_t number) {
    const PeerId& owner = context_.links.peer(link);
    if (!is_lasting(number)) return context_.mailbox.report(EntityAppeared{{owner, number}});
    const auto id = entity_of(owner, number);
    if (!id) return;  // its claim is on its way
    KnownEntity& known = entities_[*id];
    known.present = true;
    appear(known);
}

void KnownEntities::handle_gone(LinkNumber link, std::uint32_t number) {
    const PeerId& owner = context_.links.peer(link);
    if (!is_lasting(number)) return context_.mailbox.report(EntityGone{{owner, number}});
    if (const auto id = entity_of(owner, number)) freeze(entities_[*id]);
}

void KnownEntities::reset() {
    std::vector<EntityId> others;
    for (const auto& [id, known] : entities_) {
        if (!is_own(known)) others.push_back(id);
    }
    for (const EntityId& id : others) erase(id);
}

std::size_t KnownEntities::heap_bytes() const {
    constexpr std::size_t kNode = 4 * sizeof(void*) + sizeof(EntityId);
    std::size_t sum = bodies_.size() * (kNode + sizeof(EntityId));
    for (const auto& [id, known] : entities_)
        sum += kNode + sizeof(known) + known.last.payload.capacity() + known.last.input.capacity();
    return sum;
}

}  // namespace fray
