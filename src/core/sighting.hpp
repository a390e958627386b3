#pragma once
// Interfaces by which parts tell each other where peers are, and the states of entities.

#include <fray/geometry.hpp>
#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace fray {

/// Position of a peer: that of its first entity in the newest state.
struct Sighting {
    Vec3 position;
    SessionInstant when;
};

/// Is told where linked peers are.
class SightingObserver {
public:
    virtual void handle_sighting(Instant now, LinkNumber link, const Sighting& sighting) = 0;

protected:
    ~SightingObserver() = default;
};

/// A state of another peer's entity. The spans are valid during the call.
struct HeardState {
    std::uint32_t number = 0;
    EntityTypeId type{};
    Pose pose;
    SessionInstant when;
    std::span<const std::uint8_t> payload;
    std::span<const std::uint8_t> input;
    Duration gap = kNoGap;  ///< between the stamps of this state and of the newest one before it
    /// There was no state before it.
    static constexpr Duration kNoGap = Duration::max();
};

/// Is told the states that arrive from the owners of entities.
class StateObserver {
public:
    /// Whether handle_state() is to be called for this peer's entities.
    [[nodiscard]] virtual bool wants_states(LinkNumber link) const = 0;
    /// A state arrived from its owner directly; `newest`: no newer one was known.
    virtual void handle_state(Instant now, LinkNumber link, const HeardState& state, bool newest) = 0;
    virtual void handle_entity_gone(LinkNumber link, std::uint32_t number) = 0;

protected:
    ~StateObserver() = default;
};

/// The newest states of other peers' entities.
class ReplicaReader {
public:
    [[nodiscard]] virtual std::optional<HeardState> newest(LinkNumber link, std::uint32_t number) const = 0;
    /// That of the peer's first entity, which stands for the peer; nothing if none is known.
    [[nodiscard]] virtual std::optional<HeardState> first(LinkNumber link) const = 0;
    /// Its owner withdrew it recently.
    [[nodiscard]] virtual bool was_withdrawn(LinkNumber link, std::uint32_t number) const = 0;

protected:
    ~ReplicaReader() = default;
};

/// Entities of our own.
class OwnEntities {
public:
    [[nodiscard]] virtual const State* own_state(std::uint32_t number) const = 0;
    /// When the game set that state.
    [[nodiscard]] virtual SessionInstant own_set_at(std::uint32_t number) const = 0;
    /// The state at this moment; nothing if there is no such entity.
    [[nodiscard]] virtual std::optional<State> own_state_at(std::uint32_t number,
                                                            SessionInstant moment) const = 0;

protected:
    ~OwnEntities() = default;
};

/// The states of our entities that the datagram being written carries.
class CarriedStates {
public:
    [[nodiscard]] virtual std::size_t carried() const = 0;
    /// As the receiver will hear it. The spans are valid until the datagram is written.
    [[nodiscard]] virtual HeardState carried_at(std::size_t i) const = 0;
    /// The number of our first entity, which stands for this peer.
    [[nodiscard]] virtual std::optional<std::uint32_t> first_number() const = 0;

protected:
    ~CarriedStates() = default;
};

}  // namespace fray
