#pragma once
// One peer of a session. It opens no socket, reads no clock and starts no thread: time and datagrams come in
// as arguments; datagrams, events and the next wake-up time come out as values. Methods form four groups:
//
//   getters     read, change nothing
//   handle_*    input from the network, and time
//   commands    input from the game
//   poll_*      output: datagrams, wake-up time, events
//
// `now` is always the first parameter and must never decrease. Not thread-safe: one thread at a time.
// UdpPeer (udp_peer.hpp) is a peer with a real socket, Swarm (swarm.hpp) runs many in a simulated network.

#include <fray/attention.hpp>
#include <fray/encode.hpp>
#include <fray/event.hpp>
#include <fray/ids.hpp>
#include <fray/options.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/secret_key.hpp>
#include <fray/state.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fray {

/// Largest datagram, without UDP and IP headers.
inline constexpr std::size_t kMaxDatagramBytes = 1200;

/// Peers link only if their versions are equal.
inline constexpr std::uint16_t kProtocolVersion = 4;

/// A datagram to send. The bytes lie in the buffer given to poll_datagram().
struct Datagram {
    Address to;
    std::span<const std::uint8_t> bytes;
};

/// How long a session-wide message is kept for peers that are not linked yet, unless the game says otherwise.
inline constexpr Duration kLinkedWithin{10s};
/// The longest such time.
inline constexpr Duration kMostLinkedWithin{60s};

/// The receivers of a message.
struct Audience {
    std::vector<PeerId> peers;  ///< empty: every linked peer
    /// Also every peer that gets linked within this time, newcomers included. Not together with `peers`.
    Duration within{};
    /// Every peer that is linked at this moment. Right after Joined these are few: see session().
    [[nodiscard]] static Audience everyone() { return {}; }
    [[nodiscard]] static Audience only(PeerId peer) { return Audience{{peer}, {}}; }
    /// Every peer that is linked now or gets linked within this time (at most kMostLinkedWithin), each stay
    /// of a peer exactly once. May be sent before this peer has joined. Reliable or ordered only. With
    /// pSense, peers are linked only while they are near each other.
    [[nodiscard]] static Audience session(Duration within = kLinkedWithin) { return {{}, within}; }
};

/// A message from this game to the games of other peers. Peer::send() also takes a value instead of one.
struct Outgoing {
    std::vector<std::uint8_t> bytes;  ///< at most kMaxMessageBytes
    Audience audience{};
    Delivery delivery = Delivery::reliable;
    std::optional<SessionInstant> at{};  ///< when it takes effect; unset: now
};
inline constexpr std::size_t kMaxMessageBytes = 32 * 1024;
/// Session-wide messages of one peer that are kept at a time, and their bytes. send() refuses further ones.
inline constexpr std::size_t kMaxKeptMessages = 1024;
inline constexpr std::size_t kMaxKeptBytes = 1024 * 1024;
/// How far ahead of session time Outgoing::at may lie.
inline constexpr Duration kMostAhead{60s};

/// How long a shared or movable entity stays among the replicas while no owner is known. A take-over follows
/// a link timeout, and two peers may notice a crash up to a timeout apart.
[[nodiscard]] constexpr Duration ownerless_most(const LinkOptions& link) { return 2 * link.timeout + 1s; }
/// How long two peers may both own an entity at most while they are linked with each other, or with a common
/// third peer.
[[nodiscard]] constexpr Duration two_owners_most(const LinkOptions& link) { return 2 * link.timeout; }

class Session;  // implements Peer

/// Movable. A Peer that was moved from may only be destroyed or assigned to; other calls end the process.
class Peer {
public:
    /// For real networks: everything that others must not guess is drawn from the key, see system_key().
    /// Returns an error naming the first invalid option.
    [[nodiscard]] static Result<Peer> create(PeerOptions options, const SecretKey& key);
    /// For simulations and tests: the same seed gives the same peer. A seed has 64 bits and is no secret, so
    /// UdpDriver refuses such a peer.
    [[nodiscard]] static Result<Peer> create(PeerOptions options, Seed seed);

    Peer(Peer&&) noexcept;
    Peer& operator=(Peer&&) noexcept;
    ~Peer();

    // --- getters ---
    [[nodiscard]] PeerId id() const;
    [[nodiscard]] Incarnation incarnation() const;
    [[nodiscard]] const World& world() const;
    /// Whether it was created with a SecretKey.
    [[nodiscard]] bool has_secret_key() const { return has_secret_key_; }
    /// Session time at `now`. Until this peer joins another, its own clock.
    [[nodiscard]] SessionInstant session_time(Instant now) const;
    /// Every replica as shown at `now`, ordered by owner and number. Valid until the next call on this peer.
    [[nodiscard]] std::span<const Replica> replicas(Instant now) const;
    /// One replica, or nothing if there is none with this id.
    [[nodiscard]] std::optional<Replica> replica(Instant now, const EntityId& id) const;
    /// Whether this peer owns the entity now: it may update, answer for, hand over and withdraw it.
    [[nodiscard]] bool owns(const EntityId& id) const;
    /// One of this peer's own entities, as it is to be drawn here.
    [[nodiscard]] std::optional<LocalView> local_view(Instant now, const EntityId& id) const;
    /// Peers with a working link, in order of id.
    [[nodiscard]] std::vector<PeerId> peers() const;
    [[nodiscard]] Stats stats() const;
    /// When this peer's next frame begins, one World::tick after the last. An update given before then goes
    /// out with it.
    [[nodiscard]] Instant next_frame() const;
    /// Approximate memory use in bytes.
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- network and time in ---
    /// Takes any bytes from any address. Malformed or foreign datagrams are dropped and counted in stats().
    void handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes);
    /// Call it at the time that poll_wakeup() returned. Earlier and repeated calls are harmless.
    void handle_time(Instant now);

    // --- commands ---
    /// Joins the session of the peer at this address. Without it, this peer is the first of a new session.
    /// A Joined or Refused event follows; after Joined, JoinCompleted. This peer retries, and also tries
    /// other members that it learns of; Refused comes only if waiting does not help. Until it has joined,
    /// this peer answers no other, because it does not know session time. A second join() before that
    /// replaces the first, which ends with Refused (left). A peer that is linked with others is in their
    /// session: join() then only reports Refused (already_joined), and leave() must come first. Returns an
    /// error, and changes nothing, if no peer can have this address: 0.0.0.0, ::, a multicast or broadcast
    /// address, or port 0.
    Result<void> join(Instant now, const Address& known_peer);
    /// Creates an entity of this peer. Its state goes out with the next frame, and with each frame in which
    /// update() was called. Returns an error if the pose is not finite, the payload or input is too long, the
    /// type is not in the world, or the payload is not its struct with every field inside its range. A pose
    /// outside the world is clamped, or wrapped, and counted (Stats::poses_clamped). A shared entity needs
    /// the full mesh, because its deputy must stay linked with its owner.
    [[nodiscard]] Result<EntityId> publish(Instant now, const State& state, Tenure tenure = Tenure::fixed);
    /// Sets the new state of one of this peer's entities. Returns an error as publish() does; the entity then
    /// keeps its state.
    Result<void> update(Instant now, const EntityId& id, const State& state);
    /// Sets how this entity is kept consistent. Linked peers are told; screens change over without a jump.
    Result<void> set_consistency(Instant now, const EntityId& id, const Consistency& consistency);
    /// Sets what draws the attention of this peer's player now, by the player's state, until the next call.
    /// Only the FocusSet policy uses it. Returns an error naming the first invalid value.
    Result<void> set_attention(Instant now, const AttentionWeights& weights);
    /// Changes what may change while the peer runs; what was sent before counts against the new upload limit.
    /// Returns an error if the limit is out of range, or if the peer counts its upload by rounds.
    Result<void> tune(Instant now, const Tuning& tuning);
    /// Gives a movable or shared entity to a linked peer. This peer does not own it from this call on. A
    /// Relinquished event follows when the other peer has taken it; an Acquired event if that peer leaves or
    /// crashes before.
    Result<void> hand_over(Instant now, const EntityId& id, const PeerId& to);
    /// Removes the entity from the session.
    Result<void> withdraw(Instant now, const EntityId& id);
    /// Sends a message to other games, to take effect now or up to kMostAhead later. A reliable message is
    /// delivered exactly once while both incarnations live, even over a lost link that returns within two
    /// minutes. Returns an error if too many are pending, or after leave(). A receiver holds 1,024 per sender
    /// for a later time. A session-wide message is kept for its audience (kMaxKeptMessages and
    /// kMaxKeptBytes).
    Result<void> send(Instant now, const Outgoing& message);
    /// Sends a value that has a serialize(); the receiver reads it with Message::as<T>(). Returns an error
    /// also if a field is outside its range.
    template <class T>
        requires(!std::convertible_to<const T&, Outgoing>)
    Result<void> send(Instant now, const T& value, Audience audience = Audience::everyone(),
                      Delivery delivery = Delivery::reliable) {
        auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return send(now, Outgoing{std::move(*bytes), std::move(audience), delivery, {}});
    }
    /// Our entity `by` acts on another peer's entity; the action's format is the game's own (at most
    /// kMaxRequestBytes). The owner gets an Asked event with the moment this peer sees, and decides: an
    /// Answered event follows. Returns an error if the owner has not answered 64 earlier requests. A shared
    /// or movable target may also be owned by this peer, or by no peer at the moment: the request is decided
    /// exactly once, by one owner, even if owners change meanwhile. Of these requests, kMaxOpenOfEntity per
    /// entity may be open.
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes);
    /// The same with a value that has a serialize(); the owner reads it with Asked::as<T>().
    template <detail::GameValue T>
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target, const T& value) {
        const auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return interact(now, by, target, std::span<const std::uint8_t>{*bytes});
    }
    /// Sends this peer's decision on an Asked event. Empty bytes say "as you expected": they ride on the next
    /// datagram to the asker, at the latest its next update or sign of life. Returns an error, and nothing is
    /// sent, if the request was never asked, was answered already, came from a peer that is gone, or is about
    /// an entity that this peer does not own any more; also if too many reliable messages are pending for the
    /// asker. For a shared entity, the reply leaves when the deputy has a record of it. Answer first, and if
    /// that succeeds, update() the entity before the next handle_time(), handle_datagram() or
    /// poll_datagram(): decision and new state are then one record, and no take-over separates them.
    Result<void> answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes);
    /// The same with a value that has a serialize(); the asker reads it with Answered::as<T>().
    template <detail::GameValue T>
    Result<void> answer(Instant now, const RequestId& request, const T& value) {
        const auto bytes = bytes_of(value);
        if (!bytes) return bytes.error();
        return answer(now, request, std::span<const std::uint8_t>{*bytes});
    }
    /// Says goodbye to all linked peers; poll the datagrams afterwards. The peer can join again as a new
    /// incarnation; until then it answers no other peer, and send(), interact() and answer() return errors.
    /// Its entities remain and can be published, updated and withdrawn: they appear in the session it joins
    /// next.
    void leave(Instant now);

    // --- datagrams, wake-up, events out ---
    /// Writes the next datagram into buffer (at least kMaxDatagramBytes). Call it until it returns nothing.
    [[nodiscard]] std::optional<Datagram> poll_datagram(Instant now, std::span<std::uint8_t> buffer);
    /// When handle_time() is due. A time in the past means at once.
    [[nodiscard]] Instant poll_wakeup() const;
    [[nodiscard]] std::optional<Event> poll_event();

    /// For Fray's own tests: Session is internal, and may change at any time.
    explicit Peer(std::unique_ptr<Session> session);

private:
    friend class UdpDriver;  // refers to the session, so that a Peer may move while a driver runs it

    [[nodiscard]] Session& session() const;

    std::shared_ptr<Session> session_;  // nullptr: moved from
    bool has_secret_key_ = false;
};

}  // namespace fray
