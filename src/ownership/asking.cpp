#include "ownership/asking.hpp"

#include <fray/peer.hpp>

#include "core/entity_errors.hpp"

#include <algorithm>
#include <utility>

namespace fray {

Result<RequestId> Asking::interact(Instant now, const EntityId& by, const EntityId& target,
                                   SessionInstant seen, std::span<const std::uint8_t> bytes) {
    if (bytes.size() > kMaxRequestBytes) return too_long("the request", bytes.size(), kMaxRequestBytes);
    KnownEntity* known = known_.find(target);
    if (known == nullptr || !known->shown)
        return Error{"the target, " + to_string(target) + ", is not among this peer's replicas"};
    if (!open_.has_room(target)) return Error{"too many requests are open: wait for answers"};
    OpenAsk& ask = open_.open({.previous = known->last_asked,
                               .target = target,
                               .by = by,
                               .seen = seen,
                               .bytes = {bytes.begin(), bytes.end()}});
    known->last_asked = ask.number;
    send(now, *known, ask);
    return RequestId{context_.self, ask.number};
}

void Asking::ask_again(Instant now, const EntityId& target) {
    const KnownEntity* known = known_.find(target);
    if (known == nullptr) return;
    if (known->last_asked != 0) confirm(*known);  // the owner may have learnt of them from another one
    for (OpenAsk& ask : open_.all()) {
        if (ask.target == target && !ask.decided) send(now, *known, ask);
    }
}

void Asking::confirm(const KnownEntity& known) {
    const Closed closed{known.claim.id, open_.oldest(known.claim.id)};
    const Post::Neighbour* owner = post_.find(known.claim.owner);
    if (owner != nullptr) return post_.send(owner->link, OwnerMessage::closed, closed);
    if (known.claim.owner == context_.self) owned_.close({context_.self, incarnation_}, closed);
}

void Asking::ask_waiting(Instant now) {
    const Duration most = ownerless_most(context_.options.link);
    std::vector<std::uint32_t> overdue;
    for (OpenAsk& ask : open_.all()) {
        const KnownEntity* known = known_.find(ask.target);
        if (ask.decided || ask.asked || known == nullptr) continue;
        send(now, *known, ask);
        if (ask.asked) continue;
        if (!ask.unasked_since) ask.unasked_since = now;
        if (now - *ask.unasked_since > most) overdue.push_back(ask.number);
    }
    for (const std::uint32_t number : overdue) give_up(*open_.find(number));
}

void Asking::give_up(const OpenAsk& ask) {
    context_.mailbox.report(Answered{{context_.self, ask.number}, ask.target, false, {}});
    open_.close(ask.number);
}

void Asking::send(Instant now, const KnownEntity& known, OpenAsk& ask) {
    ask.asked.reset();
    const PeerId& owner = known.claim.owner;
    const OwnedEntity* by = owned_.find(ask.by);
    Ask message{.target = ask.target,
                .term = known.claim.term,
                .number = ask.number,
                .previous = ask.previous,
                .oldest = open_.oldest(ask.target),
                .by = by == nullptr ? ask.by.number : by->claim().body,
                .seen = wire_time(ask.seen),
                .bytes = ask.bytes};
    if (owner == context_.self) {
        const OwnedEntity* owned = owned_.find(ask.target);
        if (owned == nullptr || owned->is_being_handed_over()) return;
        const Receipt receipt = owned_.ask(now, {context_.self, incarnation_}, message);
        if (receipt.verdict != Receipt::Verdict::taken) return;
        ask.asked = owner;
        ask.unasked_since.reset();
        return;
    }
    const Post::Neighbour* neighbour = post_.find(owner);
    if (neighbour == nullptr || !post_.has_room(neighbour->link, kMaxRequestBytes + sizeof(Ask))) return;
    post_.send(neighbour->link, OwnerMessage::ask, message);
    ask.asked = owner;
    ask.unasked_since.reset();
}

void Asking::fail(const EntityId& target) {
    const auto is_open = [&](const OpenAsk& ask) { return ask.target == target && !ask.decided; };
    for (auto& all = open_.all();;) {
        const auto found = std::ranges::find_if(all, is_open);
        if (found == all.end()) return;
        give_up(*found);
    }
}

void Asking::fail_all() {
    while (!open_.all().empty()) {
        const EntityId target = open_.all().front().target;
        fail(target);
    }
}

void Asking::handle_link_down(const PeerId& peer) {
    for (OpenAsk& ask : open_.all()) {
        if (ask.asked == peer) ask.asked.reset();
    }
}

Receipt Asking::handle_decided(LinkNumber from, Decided& decided) {
    const OpenAsk* ask = open_.find(decided.number);
    // A reply may come twice, or from a former owner.
    if (ask == nullptr || ask->target != decided.target || ask->asked != context_.links.peer(from))
        return taken();
    if (!context_.mailbox.has_room(decided.bytes.size())) return later();
    open_.close(decided.number);
    context_.mailbox.report(Answered{
        {context_.self, decided.number}, decided.target, decided.answered, std::move(decided.bytes)});
    post_.send(from, OwnerMessage::closed, Closed{decided.target, open_.oldest(decided.target)});
    return taken();
}

void Asking::settle(const Decided& decided) {
    if (open_.find(decided.number) == nullptr) return;
    open_.close(decided.number);
    context_.mailbox.report(
        Answered{{context_.self, decided.number}, decided.target, decided.answered, decided.bytes});
    owned_.close({context_.self, incarnation_}, {decided.target, open_.oldest(decided.target)});
}

}  // namespace fray
