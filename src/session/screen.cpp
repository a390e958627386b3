#include "session/screen.hpp"

#include <algorithm>

namespace fray {

std::span<const Replica> Screen::replicas(Instant now) const {
    make_room();
    const SessionInstant at = is_.clock.session_time(now);
    const KnownEntities& known = is_.shared.known();
    for (const LinkNumber link : is_.links.known()) {
        const ReplicaStore* store = is_.replicas.store(link);
        for (std::size_t i = 0; store != nullptr && i < store->size(); ++i) {
            const std::uint32_t number = store->number_at(i);
            const auto id = is_lasting(number) ? known.entity_of(is_.links.peer(link), number) : std::nullopt;
            if (is_lasting(number) && !id) continue;  // its claim is on its way
            shown_.push_back(shown(link, store->newest(i, is_.codec), at));
            if (id) shown_.back().id = *id;
        }
    }
    if (known.empty()) return shown_;
    known.list_ownerless(at, shown_);
    std::ranges::sort(shown_, {}, &Replica::id);
    return shown_;
}

Replica Screen::shown(LinkNumber link, const HeardState& newest, SessionInstant at) const {
    Replica replica = is_.views.shown(link, newest, at);
    is_.guidance.show(link, newest, at, replica);
    return replica;
}

/// Doubling would leave much memory unused: a replica is large, and a crowd of peers has many.
void Screen::make_room() const {
    shown_.clear();
    std::size_t count = 0;
    for (const LinkNumber link : is_.links.known()) {
        const ReplicaStore* store = is_.replicas.store(link);
        count += store == nullptr ? 0 : store->size();
    }
    if (count > shown_.capacity()) shown_.reserve(count + count / 8);
}

std::optional<Replica> Screen::replica(Instant now, const EntityId& id) const {
    if (is_lasting(id.number)) return lasting(now, id);
    const auto link = is_.links.number_of(id.owner);
    const auto newest = link ? is_.replicas.newest(*link, id.number) : std::nullopt;
    if (!newest) return std::nullopt;
    return shown(*link, *newest, is_.clock.session_time(now));
}

std::optional<Replica> Screen::lasting(Instant now, const EntityId& id) const {
    const KnownEntity* known = is_.shared.known().find(id);
    if (known == nullptr || !known->shown || known->claim.owner == is_.options.id) return std::nullopt;
    const SessionInstant at = is_.clock.session_time(now);
    const auto link = is_.links.up(known->claim.owner);
    const auto newest = link ? is_.replicas.newest(*link, known->claim.body) : std::nullopt;
    if (!newest) return is_.shared.known().ownerless(at, *known);
    Replica replica = shown(*link, *newest, at);
    replica.id = id;
    return replica;
}

bool Screen::owns(const EntityId& id) const {
    if (is_lasting(id.number)) return is_.shared.own_body(id).has_value();
    return is_.primaries.find(id).has_value();
}

std::optional<LocalView> Screen::local_view(Instant now, const EntityId& id) const {
    EntityId body = id;
    if (is_lasting(id.number)) {
        const auto number = is_.shared.shown_body(id);
        if (!number) return std::nullopt;
        body = {is_.options.id, *number};
    }
    const auto at = is_.primaries.find(body);
    if (!at) return std::nullopt;
    return is_.views.own().shown(now, *at);
}

}  // namespace fray
