#pragma once
// The keys that one player holds during one tick: the arrow keys and the space bar.

#include <array>
#include <cstddef>

namespace fray::snagger {

inline constexpr std::size_t kShips = 2;

struct Input {
    bool thrust = false;  ///< up
    bool left = false;    ///< turns counter-clockwise; both turning keys together cancel
    bool right = false;
    bool snag = false;  ///< space; counts in the tick in which it goes down

    friend constexpr bool operator==(const Input&, const Input&) = default;
};

/// Both players' keys, by ship.
using Inputs = std::array<Input, kShips>;

/// Four bits.
template <class Stream>
void serialize(Stream& stream, Input& input) {
    stream.boolean(input.thrust);
    stream.boolean(input.left);
    stream.boolean(input.right);
    stream.boolean(input.snag);
}

}  // namespace fray::snagger
