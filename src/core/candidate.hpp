#pragma once
// A send that could be made: what an overlay offers and an update policy orders and cuts.

#include <cstdint>

namespace fray {

/// The number under which this peer holds a link.
using LinkNumber = std::uint16_t;

struct Candidate {
    LinkNumber link = 0;
    std::uint16_t primary = 0;   ///< index among our primaries; from kForwards on: an overlay's own numbering
    float importance = 0;        ///< larger goes first
    std::uint16_t bytes = 0;     ///< about; headers included
    std::uint16_t update = 0;    ///< copies of one update have the same number here,
    std::uint16_t per_copy = 0;  ///< and each takes so many bytes more for every one that is named,
    bool named = true;           ///< as this one's receiver is, or not
};

/// Not an update of ours but another peer's, passed on.
inline constexpr std::uint16_t kForwards = 0x8000;

}  // namespace fray
