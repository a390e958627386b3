#pragma once
// A possible send. The overlay states which peer may receive which update and how far away that peer is; the
// update policy judges how important that is, orders the candidates and cuts them to the budget.

#include <fray/geometry.hpp>

#include "core/per_link.hpp"

#include <cstdint>

namespace fray {

/// An entity of ours that has a state to send.
struct News {
    std::uint16_t primary = 0;  ///< index among our primaries
    Vec3 position;
    std::uint16_t bytes = 0;  ///< approximate size of its update
};

/// The receiver's position is not known.
inline constexpr float kDistanceUnknown = -1;

struct Candidate {
    LinkNumber link = 0;
    std::uint16_t primary = 0;  ///< index among our primaries; from kForwards on, numbers of the overlay
    float distance = kDistanceUnknown;  ///< from the receiver to the entity; 1 is the vision range
    std::uint16_t bytes = 0;            ///< approximate, headers included
    std::uint16_t update = 0;           ///< the same for all copies of one update
    std::uint16_t per_copy = 0;         ///< bytes that each named receiver adds to every copy of this update
    bool named = true;                  ///< this receiver is named in the receiver list
    /// A forward that only saves the originator's upload; false: it introduces two peers.
    bool is_help = false;
    bool first = false;  ///< the receiver holds no state of this entity yet
};

/// From here on, Candidate::primary stands for a forwarded update of another peer.
inline constexpr std::uint16_t kForwards = 0x8000;

}  // namespace fray
