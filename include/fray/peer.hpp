#pragma once
// One peer of a session. It opens no socket, reads no clock and starts no thread: time and datagrams come
// in as arguments, datagrams, events and the next wake-up come out as values. Methods stand in four groups:
//
//   getters     look, change nothing
//   handle_*    network and time in
//   commands    the game in
//   poll_*      datagrams, wake-up, events out
//
// `now` is always the first parameter and never goes back. Not thread-safe: one thread at a time.
// UdpDriver (udp_driver.hpp) runs a peer over a real socket, Swarm (swarm.hpp) in a simulated network.

#include <fray/event.hpp>
#include <fray/ids.hpp>
#include <fray/options.hpp>
#include <fray/random.hpp>
#include <fray/result.hpp>
#include <fray/state.hpp>
#include <fray/stats.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Datagrams are never longer than this, UDP and IP headers not counted.
inline constexpr std::size_t kMaxDatagramBytes = 1200;

/// Two peers understand each other only with equal versions.
inline constexpr std::uint16_t kProtocolVersion = 1;

/// A datagram to be sent. The bytes live in the buffer given to poll_datagram().
struct Datagram {
    Address to;
    std::span<const std::uint8_t> bytes;
};

/// Who shall get a message.
struct Audience {
    std::vector<PeerId> peers;  ///< empty: everybody linked with us
    [[nodiscard]] static Audience everyone() { return {}; }
    [[nodiscard]] static Audience only(PeerId peer) { return Audience{{peer}}; }
};

/// A message of the game to other peers' games.
struct Outgoing {
    std::vector<std::uint8_t> bytes;  ///< at most kMaxMessageBytes
    Audience audience{};
    Delivery delivery = Delivery::reliable;
    std::optional<SessionInstant> at{};  ///< when it shall take effect; now, where nothing is said
};
inline constexpr std::size_t kMaxMessageBytes = 32 * 1024;
/// A message may be meant for so far in the future.
inline constexpr Duration kMostAhead{60s};

class Session;  // the composition behind Peer

class Peer {
public:
    /// Refuses options that cannot be, with the reason.
    [[nodiscard]] static Result<Peer> create(PeerOptions options, Seed seed);

    Peer(Peer&&) noexcept;
    Peer& operator=(Peer&&) noexcept;
    ~Peer();

    // --- getters ---
    [[nodiscard]] PeerId id() const;
    [[nodiscard]] Incarnation incarnation() const;
    [[nodiscard]] const World& world() const;
    /// Session time at this moment: our own clock until we joined somebody.
    [[nodiscard]] SessionInstant session_time(Instant now) const;
    /// Every replica, brought forward to now, ordered by owner and number. Valid until the next call.
    [[nodiscard]] std::span<const Replica> replicas(Instant now) const;
    /// One replica, or nothing.
    [[nodiscard]] std::optional<Replica> replica(Instant now, const EntityId& id) const;
    /// One of our own entities as it is to be shown here.
    [[nodiscard]] std::optional<LocalView> local_view(Instant now, const EntityId& id) const;
    /// Peers with a working link, in order of id.
    [[nodiscard]] std::vector<PeerId> peers() const;
    [[nodiscard]] Stats stats() const;
    /// When this peer's next frame begins, one World::tick after the last: an update given before goes out
    /// with it.
    [[nodiscard]] Instant next_frame() const;
    /// Bytes of memory this peer holds, roughly.
    [[nodiscard]] std::size_t memory_bytes() const;

    // --- network and time in ---
    /// Any bytes from anywhere: what is not for us, or not well-formed, is dropped and counted.
    void handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes);
    /// To be called at the time poll_wakeup() gave; calling it more often is harmless.
    void handle_time(Instant now);

    // --- commands ---
    /// Enters the session of the peer at this address. Without it, this peer is the first of its own.
    /// Answered by a Joined or Refused event; until then nobody else is answered, as session time is not
    /// known.
    void join(Instant now, const Address& known_peer);
    /// A new entity of ours. Its state goes out with the next frame, and with every frame in which
    /// update() was called. A state whose payload or input is too long, or whose type the world does not
    /// have, is refused.
    [[nodiscard]] Result<EntityId> publish(Instant now, const State& state);
    /// The new state of an entity of ours.
    Result<void> update(Instant now, const EntityId& id, const State& state);
    /// From now on this entity of ours is kept consistent so: told to everybody, and entered without a jump.
    Result<void> set_consistency(Instant now, const EntityId& id, const Consistency& consistency);
    /// The entity is no more.
    Result<void> withdraw(Instant now, const EntityId& id);
    /// A message to other peers' games, at once or at a session time up to a minute ahead. A reliable one
    /// arrives exactly once as long as both incarnations live, also over a lost link that comes back within
    /// two minutes. Refused where too many wait already: a receiver holds about a thousand for a later time.
    Result<void> send(Instant now, const Outgoing& message);
    /// Our entity `by` does something to another peer's: what, is the game's own (at most kMaxRequestBytes).
    /// Its owner is asked, told which moment of it we see now, and decides: an Answered event. Refused where
    /// the owner has not answered many earlier ones.
    Result<RequestId> interact(Instant now, const EntityId& by, const EntityId& target,
                               std::span<const std::uint8_t> bytes);
    /// What we decided of an Asked event. To be answered once. Refused where too much waits for the asker
    /// already.
    Result<void> answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes);
    /// Says goodbye to everybody (a few datagrams; poll them). The peer can join again afterwards, as a new
    /// incarnation.
    void leave(Instant now);

    // --- datagrams, wake-up, events out ---
    /// The next datagram to send, written into buffer (at least kMaxDatagramBytes). Ask until nothing comes.
    [[nodiscard]] std::optional<Datagram> poll_datagram(Instant now, std::span<std::uint8_t> buffer);
    /// When handle_time() is wanted next. May be in the past: then at once.
    [[nodiscard]] Instant poll_wakeup() const;
    [[nodiscard]] std::optional<Event> poll_event();

private:
    explicit Peer(std::unique_ptr<Session> session);
    std::unique_ptr<Session> session_;
};

}  // namespace fray
