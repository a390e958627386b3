#pragma once
// The state of an entity as the game passes it to Fray, and as Fray returns it for other peers' entities.

#include <fray/consistency.hpp>
#include <fray/encode.hpp>
#include <fray/geometry.hpp>
#include <fray/guide.hpp>
#include <fray/ids.hpp>
#include <fray/time.hpp>
#include <fray/world.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

/// Whether an entity can have another owner than the peer that published it. An entity keeps its id when its
/// owner changes.
enum class Tenure : std::uint8_t {
    fixed,    ///< it belongs to its publisher, and ends when that peer leaves or crashes; the cheapest
    movable,  ///< Peer::hand_over() can give it to another peer; it ends with its owner of the moment
    shared,   ///< movable; and if its owner leaves or crashes, another peer (the deputy) takes over
};

/// The state of a primary: a pose, and the game's payload as canonical bytes. Make it with state_of().
struct State {
    Pose pose;
    std::vector<std::uint8_t> payload;
    /// The player's input, for motion models; optional, at most kMaxInputBytes.
    std::vector<std::uint8_t> input;
    EntityTypeId type{};
    /// Set by state_of() if a field of the game's struct is outside its range: its number, from 1 in the
    /// order of serialize(). The payload is then empty, and publish() and update() refuse the state. 0: none.
    std::uint32_t invalid_field = 0;

    /// The payload as a T; nothing if the bytes do not hold one.
    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        return value_of<T>(payload);
    }
};

/// A state with the game's struct as payload; `type` is the index of its EntityType in World::types.
template <class T>
[[nodiscard]] State state_of(const Pose& pose, const T& payload, EntityTypeId type = {}) {
    State state{.pose = pose, .payload = {}, .input = {}, .type = type};
    state.invalid_field = detail::encode_value(payload, state.payload);
    return state;
}
/// A state without a payload, for an entity type made with EntityType::bare().
[[nodiscard]] inline State state_of(const Pose& pose, EntityTypeId type = {}) {
    return State{.pose = pose, .payload = {}, .input = {}, .type = type};
}

/// One of this peer's own entities as its screen shows it.
struct LocalView : State {
    SessionInstant moment;  ///< the owner's time that the pose stands for
    SessionInstant told;    ///< time of the newest update() that the pose depends on
};

/// Another peer's entity as this peer's screen shows it. The spans are valid until the next call on the peer.
struct Replica {
    EntityId id;
    PeerId owner;  ///< the peer that owns it now; id.owner unless it is movable or shared
    EntityTypeId type{};
    Pose pose;                                       ///< to be drawn
    Pose target;                                     ///< before corrections are blended in
    Pose received;                                   ///< as in the owner's latest update
    std::span<const std::uint8_t> received_payload;  ///< likewise
    SessionInstant stamp;                            ///< when the owner was in the pose `received`
    Duration age{};         ///< session time of the call minus stamp; may be slightly negative
    SessionInstant moment;  ///< the owner's time that the pose stands for
    SessionInstant told;    ///< stamp of the newest update that the pose depends on
    /// Since the entity appeared. For entities with the default algorithm only with
    /// PeerOptions::count_corrections.
    Corrections corrections{};
    std::span<const std::uint8_t> payload;  ///< to be drawn: a guide may show actions later than it was told
    std::span<const std::uint8_t> input;
    ReplicaMode mode = ReplicaMode::direct;  ///< how `pose` came about, see guide.hpp
    /// What guides it; nullptr if its mode is direct. Valid until the next call on the peer.
    const Guidance* guidance = nullptr;

    template <class T>
    [[nodiscard]] std::optional<T> as() const {
        return value_of<T>(payload);
    }
};

}  // namespace fray
