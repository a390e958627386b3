#pragma once
// What one player asks of its tank in one step.

#include "games/panzer/rules/units.hpp"

#include <cstdint>

namespace fray::panzer {

inline constexpr std::int8_t kFull = 7;  ///< throttle and steering of a key; sticks give less
inline constexpr unsigned kAimBits = 12;

/// An angle without the bits that are not sent. The rules use no others, so that all peers aim alike.
[[nodiscard]] constexpr Angle sent_aim(Angle aim) {
    return static_cast<Angle>(aim >> (16U - kAimBits) << (16U - kAimBits));
}

struct Input {
    std::int8_t throttle = 0;  ///< -kFull (back) to kFull (ahead)
    std::int8_t steer = 0;     ///< -kFull (right, clockwise) to kFull (left)
    Angle aim = 0;             ///< where the turret is to point, seen from above; not relative to the hull
    bool gun = false;          ///< held down: fires whenever the gun is loaded
    bool shell = false;        ///< likewise

    friend constexpr bool operator==(const Input&, const Input&) = default;
};

/// 22 bits.
template <class Stream>
void serialize(Stream& stream, Input& input) {
    stream.integer(input.throttle, -kFull, kFull);
    stream.integer(input.steer, -kFull, kFull);
    std::uint16_t aim = input.aim >> (16U - kAimBits);
    stream.integer(aim, 0, (1U << kAimBits) - 1);
    input.aim = static_cast<Angle>(aim << (16U - kAimBits));
    stream.boolean(input.gun);
    stream.boolean(input.shell);
}

}  // namespace fray::panzer
