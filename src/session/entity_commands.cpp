#include "session/entity_commands.hpp"

#include "core/entity_errors.hpp"

namespace fray {

Result<EntityId> EntityCommands::body(const EntityId& id) const {
    const PeerId& self = is_.options.id;
    if (!is_lasting(id.number)) {
        if (!is_.primaries.find(id)) return not_own_entity(id, self);
        return id;
    }
    if (const auto number = is_.shared.own_body(id)) return EntityId{self, *number};
    if (is_.shared.shown_body(id)) return Error{to_string(id) + " is being handed over"};
    if (const KnownEntity* known = is_.shared.known().find(id))
        return Error{to_string(id) + " is now owned by peer " + to_string(known->claim.owner)};
    return not_own_entity(id, self);
}

Result<EntityId> EntityCommands::publish(Instant now, const State& state, Tenure tenure) {
    std::optional<std::uint32_t> number;
    if (tenure != Tenure::fixed) {
        const auto reserved = is_.shared.new_number(tenure);
        if (!reserved) return reserved.error();
        number = *reserved;
    }
    const auto published = is_.primaries.publish(now, state, number);
    if (!published) return published.error();
    is_.views.own().publish(now, *published);
    if (number) is_.shared.add_published(now, *number, tenure);
    return EntityId{is_.options.id, *published};
}

Result<void> EntityCommands::update(Instant now, const EntityId& id, const State& state) {
    const auto own = body(id);
    if (!own) return own.error();
    if (auto updated = is_.primaries.update(now, *own, state); !updated) return updated;
    is_.views.own().update(now, *is_.primaries.find(*own));
    if (is_lasting(id.number)) is_.shared.note_update(id);
    return {};
}

Result<void> EntityCommands::set_consistency(Instant now, const EntityId& id,
                                             const Consistency& consistency) {
    const auto own = body(id);
    if (!own) return own.error();
    if (auto checked = consistency.check(); !checked) return checked;
    is_.views.own().choose(now, *is_.primaries.find(*own), consistency);
    return {};
}

Result<void> EntityCommands::hand_over(Instant now, const EntityId& id, const PeerId& to) {
    return is_.shared.hand_over(now, id, to);
}

Result<void> EntityCommands::withdraw(const EntityId& id) {
    if (is_lasting(id.number)) return is_.shared.withdraw(id);
    const auto at = is_.primaries.find(id);
    if (auto withdrawn = is_.primaries.withdraw(id); !withdrawn) return withdrawn;
    is_.views.own().withdraw(*at);
    is_.agreement.refuse(id.number);
    return {};
}

Result<RequestId> EntityCommands::interact(Instant now, const EntityId& by, const EntityId& target,
                                           const std::optional<SessionInstant>& seen,
                                           std::span<const std::uint8_t> bytes) {
    const auto own = body(by);
    if (!own) return own.error();
    if (!is_lasting(target.number)) {
        auto request = is_.agreement.interact(now, *own, target, seen, bytes);
        if (request) show_along(now, *own, target.owner);
        return request;
    }
    if (const KnownEntity* known = is_.shared.known().find(target)) show_along(now, *own, known->claim.owner);
    return is_.shared.interact(now, by, target, seen.value_or(is_.clock.session_time(now)), bytes);
}

void EntityCommands::show_along(Instant now, const EntityId& own, const PeerId& to) {
    const auto link = is_.links.up(to);
    const auto at = is_.primaries.find(own);
    if (!link || !at || !is_.views.own().is_default(*at)) return;
    if (is_.primaries.need(now, *link, *at) != Primaries::Need::none)
        is_.primaries.choose_also(now, *link, *at);
}

Result<void> EntityCommands::answer(const RequestId& request, std::span<const std::uint8_t> bytes) {
    return is_lasting(request.number) ? is_.shared.answer(request, bytes)
                                      : is_.agreement.answer(request, bytes);
}

bool EntityCommands::add_body(Instant now, std::uint32_t number, const State& state) {
    if (!is_.primaries.publish(now, state, number)) return false;
    is_.views.own().publish(now, number);
    return true;
}

void EntityCommands::remove_body(std::uint32_t number) {
    const EntityId body{is_.options.id, number};
    const auto at = is_.primaries.find(body);
    if (!at || !is_.primaries.withdraw(body)) return;
    is_.views.own().withdraw(*at);
}

}  // namespace fray
