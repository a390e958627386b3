#pragma once
// What happened, as values: the game asks with Peer::poll_event(), nothing calls into the game.

#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace fray {

/// Why a peer was refused or is gone.
enum class Reason : std::uint8_t {
    left,              ///< it said goodbye
    timed_out,         ///< nothing heard for LinkOptions::timeout
    rejoined,          ///< the same peer came back as a new incarnation
    version_mismatch,  ///< it speaks another protocol version
    world_mismatch,    ///< it holds another World
    full,              ///< no room for another link
    own_id,            ///< it claims our own id
};
inline constexpr Reason kLastReason = Reason::own_id;
[[nodiscard]] std::string_view to_string(Reason reason);

/// This peer is part of the session that it asked to join.
struct Joined {
    PeerId through;
};
/// The peer at this address would not have us, or did not answer (timed_out). After a Joined: it fell silent
/// at once, and we know nobody else of its session; another address may help.
struct Refused {
    Address address;
    Reason reason;
};
struct PeerJoined {
    PeerId peer;
    Incarnation incarnation;
};
struct PeerLeft {
    PeerId peer;
    Incarnation incarnation;
    Reason reason;
};
struct EntityAppeared {
    EntityId entity;
};
struct EntityGone {
    EntityId entity;
};

/// The validator does not accept what we said of this entity of ours: on all other screens it still is as it
/// was then. Go on from there.
struct Overruled {
    EntityId entity;
    State state;
    SessionInstant when;
};

/// One question to the owner of an entity: who asked, and its how many'th.
struct RequestId {
    PeerId asker;
    std::uint32_t number = 0;
    friend constexpr auto operator<=>(const RequestId&, const RequestId&) = default;
};
inline constexpr std::size_t kMaxRequestBytes = 1024;
/// Nobody is judged by a view that is further back.
inline constexpr Duration kMostRewind{2s};

/// Another player's entity does something to one of ours (a shot, a push). It is for us to decide, and by
/// what the other saw: `then` is our entity as it was on its screen. Answer with Peer::answer().
struct Asked {
    RequestId request;
    EntityId by;
    EntityId target;
    SessionInstant seen;  ///< the moment of `then`
    State then;
    std::vector<std::uint8_t> bytes;  ///< what is done: the game's own
};
/// What the owner decided of what we asked with Peer::interact().
struct Answered {
    RequestId request;
    EntityId target;
    bool answered = false;  ///< false: the entity, or its owner, is gone
    std::vector<std::uint8_t> bytes;
};

/// How hard Fray tries to deliver a message of the game.
enum class Delivery : std::uint8_t {
    unreliable,  ///< once; may be lost
    reliable,    ///< exactly once, in any order
    ordered,     ///< exactly once, in the order of sending (chat, trades)
};

/// What another peer's game sent with Peer::send(). `at` is the session time it is meant for: it is handed
/// out no earlier, and as soon as it arrives when that time has passed.
struct Message {
    PeerId from;
    SessionInstant at{};
    Delivery delivery{};
    std::vector<std::uint8_t> bytes;
};

using Event = std::variant<Joined, Refused, PeerJoined, PeerLeft, EntityAppeared, EntityGone, Overruled,
                           Asked, Answered, Message>;

}  // namespace fray
