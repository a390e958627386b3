#pragma once
// When a message of Time Warp takes effect. Stamps order all messages of a session in the same way at every
// peer: by time, then by author, then by the author's running number.

#include <fray/ids.hpp>
#include <fray/time.hpp>

#include <compare>
#include <cstdint>

namespace fray {

/// Names a message: its author never uses a number twice.
struct MessageName {
    PeerId author;
    std::uint32_t number = 0;
    friend constexpr auto operator<=>(const MessageName&, const MessageName&) = default;
};

struct Stamp {
    SessionInstant at{};
    MessageName name;
    friend constexpr auto operator<=>(const Stamp&, const Stamp&) = default;
};

/// Before every message of this time.
[[nodiscard]] constexpr Stamp first_at(SessionInstant at) { return {at, {}}; }

}  // namespace fray
