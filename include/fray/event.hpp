#pragma once
// Events are values: the game fetches them with Peer::poll_event(). Fray never calls into the game.

#include <fray/encode.hpp>
#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fray {

/// Why a link was refused or ended.
enum class Reason : std::uint8_t {
    left,              ///< the peer said goodbye
    timed_out,         ///< no datagram for LinkOptions::timeout
    rejoined,          ///< the peer came back as a new incarnation
    version_mismatch,  ///< the peer has another protocol version
    world_mismatch,    ///< the peer has another World
    full,              ///< no room for another link
    own_id,            ///< another peer uses this peer's id
    busy,              ///< too many handshakes at once; the library tries again and elsewhere
    overlay_mismatch,  ///< the peer has another overlay, or options of it that must be the same for all peers
    overloaded,        ///< the peer did not acknowledge reliable messages, and their queue was full
    already_joined,    ///< join() by a peer that is linked with others: leave() must come first
    unneeded,          ///< the overlay no longer needs the link; the peer may still be in the session
};
inline constexpr Reason kLastReason = Reason::unneeded;
[[nodiscard]] std::string_view to_string(Reason reason);

/// This peer is now part of the session it asked to join. Reported again if this peer lost every other peer
/// right after it joined, and has joined again by itself.
struct Joined {
    PeerId through;
};
/// After Joined: this peer is linked with every member that it has heard of, and a member has told it all
/// that it knows. A member that stays silent for 5 s does not delay it. With pSense: with every peer that it
/// knows to be in sight, once it has looked around its position. Comes once after each Joined, unless this
/// peer leaves or joins again before. Peers that join later are reported by PeerJoined.
struct JoinCompleted {
    std::uint32_t peers = 0;  ///< linked now; Peer::peers() names them
};
/// Joining failed, and waiting does not help: another version, world or overlay, no room, this peer's id is
/// taken, or no known address answered for 10 s (timed_out; twice LinkOptions::timeout if that is longer).
/// Also if the game ended the join itself, by leave() or by another join() (left), or called join() while
/// linked with others (already_joined). `address` is the one given to Peer::join(). Try another address.
///
/// Reported once more after the join if a member refuses a link because it is linked with another peer of
/// the same id (own_id); `address` is then the member's. Leave, and join with another id.
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

/// The validator rejected an update of this entity. All other screens still show `state`. Continue from it.
struct Overruled {
    EntityId entity;
    State state;
    SessionInstant when;
};

/// Identifies one request to the owner of an entity: the peer that asked and its running number.
struct RequestId {
    PeerId asker;
    std::uint32_t number = 0;
    friend constexpr auto operator<=>(const RequestId&, const RequestId&) = default;
};
inline constexpr std::size_t kMaxRequestBytes = 1024;
/// A request is judged by a view at most this far back.
inline constexpr Duration kMostRewind{2s};

/// Requests of one peer about one shared or movable entity that may be open at the same time.
inline constexpr std::size_t kMaxOpenOfEntity = 16;

/// Another player's entity acts on one of ours (a shot, a push). This peer decides, by what the asker saw:
/// `then` is our entity as the asker's screen showed it. Reply with Peer::answer(). If the target is shared
/// or movable, the asker may be this peer itself.
struct Asked {
    RequestId request;
    EntityId by;
    EntityId target;
    SessionInstant seen;              ///< the moment that `then` stands for
    State then;                       ///< pose at `seen`; payload and input as they are now
    std::vector<std::uint8_t> bytes;  ///< the action, in the game's own format

    /// The action as a T; nothing if the bytes do not hold exactly one. The asker may send any bytes.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        return value_of<T>(bytes);
    }
};
/// The owner's decision on a request made with Peer::interact().
struct Answered {
    RequestId request;
    EntityId target;
    /// False: there is no decision, because the entity or its owner is gone. For a shared entity: no owner
    /// decided in time (ownerless_most()), and it is not known whether the request was applied.
    bool answered = false;
    std::vector<std::uint8_t> bytes;

    /// The decision as a T; nothing if there is none, or if the bytes do not hold exactly one T.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        return answered ? value_of<T>(bytes) : std::nullopt;
    }
};

/// Delivery guarantee of a game message.
enum class Delivery : std::uint8_t {
    unreliable,  ///< sent once; may be lost
    reliable,    ///< delivered exactly once, in any order
    ordered,     ///< delivered exactly once, in the order of sending (chat, trades)
    riding,      ///< as reliable, but it causes no datagram: it leaves with the next update or sign of life
};

/// A message that another peer's game sent with Peer::send(). `at` is the session time it is meant for: the
/// event comes no earlier, and on arrival if that time has passed.
struct Message {
    PeerId from;
    SessionInstant at{};
    Delivery delivery{};
    std::vector<std::uint8_t> bytes;

    /// The message as a T; nothing if the bytes do not hold exactly one. They do not name their type: a game
    /// with several kinds of messages needs one struct that says which it is.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        return value_of<T>(bytes);
    }
};

/// Why an entity changed its owner.
enum class Change : std::uint8_t {
    handed_over,  ///< the owner called Peer::hand_over()
    owner_lost,   ///< the owner left, crashed or lost its link: its deputy takes over
    returned,     ///< the peer it was handed to left or crashed before it took the entity
    outranked,    ///< two peers owned it, as after a partition, and the other one remains the owner
};
[[nodiscard]] std::string_view to_string(Change change);

/// This peer owns the entity now. It continues from `state`, with update() and answer(). The entity is no
/// longer among the replicas; no EntityGone event is reported for it.
struct Acquired {
    EntityId entity;
    State state;
    PeerId from;  ///< the former owner
    Change why{};
};
/// This peer does not own the entity any more. It is a replica from now on, without an EntityAppeared event.
/// Requests that this peer has not answered are asked again of the new owner.
struct Relinquished {
    EntityId entity;
    PeerId to;
    Change why{};
};
/// One interaction, as its owner decided it.
struct Interaction {
    RequestId request;
    EntityId by;
    std::vector<std::uint8_t> bytes;  ///< the action
    std::vector<std::uint8_t> reply;
};
/// Another peer owned this entity of ours as well, during a partition, and has given way. The interactions
/// that only that peer decided are listed; their askers have its replies, or get them now: this peer will not
/// be asked about them again. Merge what they did into the state, or tell the players that it is undone.
struct Diverged {
    EntityId entity;
    PeerId other;
    State state;  ///< of the entity at the other peer, in the end
    std::vector<Interaction> only_there;
    /// False: the other peer decided more than it could keep a record of; older interactions are not listed.
    bool complete = true;
};

using Event = std::variant<Joined, JoinCompleted, Refused, PeerJoined, PeerLeft, EntityAppeared, EntityGone,
                           Overruled, Asked, Answered, Message, Acquired, Relinquished, Diverged>;
/// One line for a log: the kind of event, and what it names. Payloads and messages are given by their size.
[[nodiscard]] std::string to_string(const Event& event);

}  // namespace fray

template <>
struct std::hash<fray::RequestId> {
    std::size_t operator()(const fray::RequestId& id) const noexcept {
        return fray::detail::hash_words(fray::detail::words(id.asker.bytes), id.number);
    }
};
