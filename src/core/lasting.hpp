#pragma once
// Entities that may change their owner. Such an entity keeps one id. Each owner realises it as a primary of
// its own, the entity's body, whose number is not the entity's: receivers show a body under the entity's id.

#include <fray/ids.hpp>
#include <fray/state.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <cstdint>
#include <optional>

namespace fray {

/// Numbers from here on belong to movable and shared entities and to their bodies. Others are below.
inline constexpr std::uint32_t kFirstLasting = 0x8000'0000;
[[nodiscard]] constexpr bool is_lasting(std::uint32_t number) { return number >= kFirstLasting; }

/// Which entity a primary stands for.
class EntityNames {
public:
    /// The id under which the game knows this primary of this peer.
    [[nodiscard]] virtual EntityId public_id(const PeerId& owner, std::uint32_t number) const = 0;

protected:
    ~EntityNames() = default;
};

/// Is told which entities of linked peers this peer holds a state of.
class AppearanceObserver {
public:
    virtual void handle_appeared(LinkNumber link, std::uint32_t number) = 0;
    /// The last state can still be read.
    virtual void handle_gone(LinkNumber link, std::uint32_t number) = 0;

protected:
    ~AppearanceObserver() = default;
};

/// Creates and removes the bodies of entities that this peer owns.
class BodyKeeper {
public:
    /// False if this peer has too many entities, or the state is invalid.
    [[nodiscard]] virtual bool add_body(Instant now, std::uint32_t number, const State& state) = 0;
    virtual void remove_body(std::uint32_t number) = 0;

protected:
    ~BodyKeeper() = default;
};

}  // namespace fray
