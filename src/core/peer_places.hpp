#pragma once
// Where this peer's player and those of linked peers are.

#include <fray/geometry.hpp>
#include <fray/time.hpp>

#include "core/per_link.hpp"

#include <optional>

namespace fray {

class PeerPlaces {
public:
    /// The pose of our first entity; nothing if we have none.
    [[nodiscard]] virtual std::optional<Pose> self() const = 0;
    /// Position of the peer's first entity, as far as this peer knows.
    [[nodiscard]] virtual std::optional<Vec3> place(Instant now, LinkNumber link) const = 0;

protected:
    ~PeerPlaces() = default;
};

}  // namespace fray
