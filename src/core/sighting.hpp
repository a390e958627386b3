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

}  // namespace fray
