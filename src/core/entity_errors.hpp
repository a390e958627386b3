#pragma once
// Why a command on an entity is refused, in words that name the entity and its owner.

#include <fray/ids.hpp>
#include <fray/result.hpp>

#include <string>

namespace fray {

/// For an entity that is not one of this peer's: it belongs to another peer, or does not exist.
[[nodiscard]] inline Error not_own_entity(const EntityId& id, const PeerId& self) {
    const std::string entity = "entity " + std::to_string(id.number);
    if (id.owner != self)
        return Error{entity + " belongs to peer " + to_string(id.owner) + ", not to this peer"};
    return Error{"this peer has no " + entity + ": it was withdrawn, or never published"};
}

/// "the payload is too long: 5000 bytes, at most 4096 are allowed"
[[nodiscard]] inline Error too_long(const std::string& what, std::size_t bytes, std::size_t most) {
    return Error{what + " is too long: " + std::to_string(bytes) + " bytes, at most " + std::to_string(most) +
                 " are allowed"};
}

}  // namespace fray
