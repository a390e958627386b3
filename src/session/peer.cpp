#include <fray/peer.hpp>

#include "session/session.hpp"

#include <utility>

namespace fray {

Result<Peer> Peer::create(PeerOptions options, Seed seed) {
    if (const auto checked = options.check(); !checked) return checked.error();
    return Peer{std::make_unique<Session>(std::move(options), seed)};
}

Peer::Peer(std::unique_ptr<Session> session) : session_{std::move(session)} {}
Peer::Peer(Peer&&) noexcept = default;
Peer& Peer::operator=(Peer&&) noexcept = default;
Peer::~Peer() = default;

PeerId Peer::id() const { return session_->id(); }
Incarnation Peer::incarnation() const { return session_->incarnation(); }
const World& Peer::world() const { return session_->world(); }
SessionInstant Peer::session_time(Instant now) const { return session_->session_time(now); }
std::span<const Replica> Peer::replicas(Instant now) const { return session_->replicas(now); }
std::optional<Replica> Peer::replica(Instant now, const EntityId& id) const {
    return session_->replica(now, id);
}
std::optional<LocalView> Peer::local_view(Instant now, const EntityId& id) const {
    return session_->local_view(now, id);
}
std::vector<PeerId> Peer::peers() const { return session_->peers(); }
Stats Peer::stats() const { return session_->stats(); }
Instant Peer::next_frame() const { return session_->next_frame(); }
std::size_t Peer::memory_bytes() const { return session_->memory_bytes(); }
void Peer::handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes) {
    session_->handle_datagram(now, from, bytes);
}
void Peer::handle_time(Instant now) { session_->handle_time(now); }
void Peer::join(Instant now, const Address& known_peer) { session_->join(now, known_peer); }
Result<EntityId> Peer::publish(Instant now, const State& state) { return session_->publish(now, state); }
Result<void> Peer::update(Instant now, const EntityId& id, const State& state) {
    return session_->update(now, id, state);
}
Result<void> Peer::set_consistency(Instant now, const EntityId& id, const Consistency& consistency) {
    return session_->set_consistency(now, id, consistency);
}
Result<void> Peer::withdraw(Instant now, const EntityId& id) { return session_->withdraw(now, id); }
Result<void> Peer::send(Instant now, const Outgoing& message) { return session_->send(now, message); }
Result<RequestId> Peer::interact(Instant now, const EntityId& by, const EntityId& target,
                                 std::span<const std::uint8_t> bytes) {
    return session_->interact(now, by, target, bytes);
}
Result<void> Peer::answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes) {
    return session_->answer(now, request, bytes);
}
void Peer::leave(Instant now) { session_->leave(now); }
std::optional<Datagram> Peer::poll_datagram(Instant now, std::span<std::uint8_t> buffer) {
    return session_->poll_datagram(now, buffer);
}
Instant Peer::poll_wakeup() const { return session_->poll_wakeup(); }
std::optional<Event> Peer::poll_event() { return session_->poll_event(); }

}  // namespace fray
