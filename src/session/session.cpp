#include "session/session.hpp"

#include "core/entity_errors.hpp"

#include <algorithm>
#include <utility>

namespace fray {

Session::Session(PeerOptions options, const RandomRoot& root, const Additions& additions)
    : is_{std::move(options), root, additions, *this, *this} {}

void Session::start(Instant now) {
    if (started_) return;
    started_ = true;
    next_frame_ = now;
    is_.clock.start(now);
}

// --- getters ---

std::span<const Replica> Session::replicas(Instant now) const {
    shown_.clear();
    const SessionInstant at = session_time(now);
    for (const LinkNumber link : is_.links.up_links()) {
        const ReplicaStore* store = is_.replicas.store(link);
        for (std::size_t i = 0; store != nullptr && i < store->size(); ++i)
            shown_.push_back(is_.views.shown(link, store->newest(i, is_.codec), at));
    }
    return shown_;
}

std::optional<Replica> Session::replica(Instant now, const EntityId& id) const {
    const auto link = is_.links.up(id.owner);
    const auto newest = link ? is_.replicas.newest(*link, id.number) : std::nullopt;
    if (!newest) return std::nullopt;
    return is_.views.shown(*link, *newest, session_time(now));
}

std::optional<LocalView> Session::local_view(Instant now, const EntityId& id) const {
    const auto at = is_.primaries.find(id);
    if (!at) return std::nullopt;
    return is_.views.own().shown(now, *at);
}

std::vector<PeerId> Session::peers() const {
    std::vector<PeerId> ids;
    for (const LinkNumber link : is_.links.up_links()) ids.push_back(is_.links.peer(link));
    return ids;
}

Stats Session::stats() const {
    Stats stats{.ledger = is_.out.ledger(),
                .rejections = is_.rejections,
                .clock = is_.clock.stats(),
                .updates_sent = is_.primaries.updates_sent(),
                .updates_received = is_.replicas.counts().received,
                .updates_stale = is_.replicas.counts().stale,
                .datagrams_received = datagrams_received_,
                .bytes_received = bytes_received_,
                .messages_delivered = is_.messages.delivered(),
                .psense = is_.overlay->stats(),
                .links = {}};
    for (const LinkNumber link : is_.links.up_links()) stats.links.push_back(is_.links.stats(link));
    return stats;
}

std::size_t Session::memory_bytes() const {
    return sizeof(*this) - sizeof(is_) + is_.memory_bytes() + updates_.heap_bytes() +
           actions_.memory_bytes() + shown_.capacity() * sizeof(Replica);
}

// --- commands ---

Result<EntityId> Session::publish(Instant now, const State& state) {
    start(now);
    const auto number = is_.primaries.publish(now, state);
    if (!number) return number.error();
    is_.views.own().publish(now, *number);
    return EntityId{id(), *number};
}

Result<void> Session::update(Instant now, const EntityId& id, const State& state) {
    start(now);
    if (auto updated = is_.primaries.update(now, id, state); !updated) return updated;
    is_.views.own().update(now, *is_.primaries.find(id));
    return {};
}

Result<void> Session::set_consistency(Instant now, const EntityId& id, const Consistency& consistency) {
    start(now);
    const auto at = is_.primaries.find(id);
    if (!at) return not_own_entity(id, this->id());
    if (auto checked = consistency.check(); !checked) return checked;
    is_.views.own().choose(now, *at, consistency);
    return {};
}

Result<void> Session::withdraw(Instant now, const EntityId& id) {
    start(now);
    const auto at = is_.primaries.find(id);
    if (auto withdrawn = is_.primaries.withdraw(id); !withdrawn) return withdrawn;
    is_.views.own().withdraw(*at);
    return {};
}

Result<void> Session::send(Instant now, const Outgoing& message) {
    start(now);
    if (stage_ == Stage::left) return Error{"this peer has left the session: it can send after join()"};
    return is_.messages.send(now, message);
}

Result<RequestId> Session::interact(Instant now, const EntityId& by, const EntityId& target,
                                    std::span<const std::uint8_t> bytes) {
    start(now);
    const auto seen = replica(now, target);
    return is_.agreement.interact(by, target, seen ? std::optional{seen->moment} : std::nullopt, bytes);
}

Result<void> Session::answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes) {
    start(now);
    return is_.agreement.answer(request, bytes);
}

// --- out ---

std::optional<Datagram> Session::poll_datagram(Instant now, std::span<std::uint8_t> buffer) {
    start(now);
    return is_.out.poll(now, buffer);
}

Instant Session::poll_wakeup() const {
    if (!started_) return Instant::min();
    Instant next = std::min(next_frame_, is_.out.blocked_until());
    if (const auto due = is_.mailbox.next_due()) {
        // For this short time, session time and local time advance at nearly the same rate.
        const Duration ahead = std::max(*due - session_time(heard_time_), Duration{1});
        next = std::min(next, heard_time_ + ahead);
    }
    return next;
}

}  // namespace fray
