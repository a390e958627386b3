#pragma once
// A send that could be made: what an overlay offers and an update policy orders and cuts.

#include <cstdint>

namespace fray {

/// The number under which this peer holds a link.
using LinkNumber = std::uint16_t;

struct Candidate {
    LinkNumber link = 0;
    std::uint16_t primary = 0;  ///< index among our primaries
    float importance = 0;       ///< larger goes first
    std::uint16_t bytes = 0;    ///< about; headers included
};

}  // namespace fray
