#include <fray/assert.hpp>
#include <fray/peer.hpp>

#include "session/session.hpp"
#include "wire/limits.hpp"

#include <algorithm>
#include <utility>

namespace fray {

namespace {
/// The game's clock is the edge: from here on, times can be added and subtracted without overflow.
Instant within_range(Instant now) {
    return std::clamp(now, Instant{-kMostLocalTime}, Instant{kMostLocalTime});
}
}  // namespace

Result<Peer> Peer::create(PeerOptions options, const SecretKey& key) {
    if (const auto checked = options.check(); !checked) return checked.error();
    Peer peer{std::make_unique<Session>(std::move(options), key)};
    peer.has_secret_key_ = true;
    return peer;
}

Result<Peer> Peer::create(PeerOptions options, Seed seed) {
    if (const auto checked = options.check(); !checked) return checked.error();
    return Peer{std::make_unique<Session>(std::move(options), seed)};
}

Peer::Peer(std::unique_ptr<Session> session) : session_{std::move(session)} {}
Peer::Peer(Peer&&) noexcept = default;
Peer& Peer::operator=(Peer&&) noexcept = default;
Peer::~Peer() = default;

Session& Peer::session() const {
    FRAY_ASSERT(session_ != nullptr);  // this Peer was moved from
    return *session_;
}

PeerId Peer::id() const { return session().id(); }
Incarnation Peer::incarnation() const { return session().incarnation(); }
const World& Peer::world() const { return session().world(); }
SessionInstant Peer::session_time(Instant now) const { return session().session_time(within_range(now)); }
std::span<const Replica> Peer::replicas(Instant now) const {
    return session().screen().replicas(within_range(now));
}
std::optional<Replica> Peer::replica(Instant now, const EntityId& id) const {
    return session().screen().replica(within_range(now), id);
}
bool Peer::owns(const EntityId& id) const { return session().screen().owns(id); }
std::optional<LocalView> Peer::local_view(Instant now, const EntityId& id) const {
    return session().screen().local_view(within_range(now), id);
}
std::vector<PeerId> Peer::peers() const { return session().peers(); }
Stats Peer::stats() const { return session().stats(); }
Instant Peer::next_frame() const { return session().next_frame(); }
std::size_t Peer::memory_bytes() const { return session().memory_bytes(); }
void Peer::handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes) {
    session().handle_datagram(within_range(now), from, bytes);
}
void Peer::handle_time(Instant now) { session().handle_time(within_range(now)); }
Result<void> Peer::join(Instant now, const Address& known_peer) {
    return session().join(within_range(now), known_peer);
}
Result<EntityId> Peer::publish(Instant now, const State& state, Tenure tenure) {
    now = within_range(now);
    return session().entities(now).publish(now, state, tenure);
}
Result<void> Peer::update(Instant now, const EntityId& id, const State& state) {
    now = within_range(now);
    return session().entities(now).update(now, id, state);
}
Result<void> Peer::set_consistency(Instant now, const EntityId& id, const Consistency& consistency) {
    now = within_range(now);
    return session().entities(now).set_consistency(now, id, consistency);
}
Result<void> Peer::set_attention(Instant now, const AttentionWeights& weights) {
    return session().set_attention(within_range(now), weights);
}
Result<void> Peer::tune(Instant now, const Tuning& tuning) {
    return fray::tune(session(), within_range(now), tuning);
}
Result<void> Peer::hand_over(Instant now, const EntityId& id, const PeerId& to) {
    now = within_range(now);
    return session().entities(now).hand_over(now, id, to);
}
Result<void> Peer::withdraw(Instant now, const EntityId& id) {
    return session().entities(within_range(now)).withdraw(id);
}
Result<void> Peer::send(Instant now, const Outgoing& message) {
    return session().send(within_range(now), message);
}
Result<RequestId> Peer::interact(Instant now, const EntityId& by, const EntityId& target,
                                 std::span<const std::uint8_t> bytes) {
    now = within_range(now);
    const auto shown = session().screen().replica(now, target);
    const auto seen = shown ? std::optional{shown->moment} : std::nullopt;
    return session().entities(now).interact(now, by, target, seen, bytes);
}
Result<void> Peer::answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes) {
    return session().entities(within_range(now)).answer(request, bytes);
}
void Peer::leave(Instant now) { session().leave(within_range(now)); }
std::optional<Datagram> Peer::poll_datagram(Instant now, std::span<std::uint8_t> buffer) {
    return session().poll_datagram(within_range(now), buffer);
}
Instant Peer::poll_wakeup() const { return session().poll_wakeup(); }
std::optional<Event> Peer::poll_event() { return session().poll_event(); }

}  // namespace fray
