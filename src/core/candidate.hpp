#pragma once
// A send that could be made: an overlay states who may receive what and how far away the receiver is, an
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

/// Where the receiver is, is not known.
inline constexpr float kDistanceUnknown = -1;

struct Candidate {
    LinkNumber link = 0;
    std::uint16_t primary = 0;  ///< index among our primaries; from kForwards on: an overlay's own numbering
    float distance = kDistanceUnknown;  ///< of the receiver from the entity; 1: as far as a player sees
    std::uint16_t bytes = 0;            ///< about; headers included
    std::uint16_t update = 0;           ///< copies of one update have the same number here,
    std::uint16_t per_copy = 0;         ///< and each takes so many bytes more for every one that is named,
    bool named = true;                  ///< as this one's receiver is, or not
    bool is_help = false;  ///< a forward that only spares the originator; false: it introduces two peers
    bool first = false;    ///< the receiver holds no state of this entity yet
};

/// From here on, Candidate::primary stands for another peer's update that is forwarded.
inline constexpr std::uint16_t kForwards = 0x8000;

}  // namespace fray
