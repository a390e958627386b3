#pragma once
// Session time on the wire: 52 bits of microseconds, 71 years before and after zero; and a stamp, 16 bits of
// milliseconds, that the receiver completes from its own session time.

#include <fray/time.hpp>

#include <algorithm>
#include <cstdint>

namespace fray {

inline constexpr unsigned kSessionTimeBits = 52;
inline constexpr std::uint64_t kMaxWireTime = (std::uint64_t{1} << kSessionTimeBits) - 1;
inline constexpr unsigned kStampBits = 16;

/// Times beyond that range are clamped.
[[nodiscard]] constexpr std::uint64_t wire_time(SessionInstant t) {
    constexpr std::int64_t kHalf = std::int64_t{1} << (kSessionTimeBits - 1);
    return static_cast<std::uint64_t>(std::clamp(micros(t.time_since_epoch()), -kHalf, kHalf - 1) + kHalf);
}

[[nodiscard]] constexpr SessionInstant session_instant(std::uint64_t wire) {
    return SessionInstant{
        Duration{static_cast<std::int64_t>(wire) - (std::int64_t{1} << (kSessionTimeBits - 1))}};
}

/// Milliseconds, rounded down, the low 16 bits.
[[nodiscard]] constexpr std::uint16_t stamp_of(SessionInstant t) {
    return static_cast<std::uint16_t>(
        std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count());
}

/// The moment nearest to `about` that has this stamp: unambiguous within half a minute.
[[nodiscard]] constexpr SessionInstant complete_stamp(std::uint16_t stamp, SessionInstant about) {
    const auto base = std::chrono::floor<std::chrono::milliseconds>(about);
    const auto ahead =
        static_cast<std::int16_t>(stamp - static_cast<std::uint16_t>(base.time_since_epoch().count()));
    return SessionInstant{base + std::chrono::milliseconds{ahead}};
}

}  // namespace fray
