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
    friend constexpr bool operator==(const Stamp&, const Stamp&) = default;
    // Not defaulted: libc++ 16 cannot compare time points in three ways.
    friend constexpr std::strong_ordering operator<=>(const Stamp& a, const Stamp& b) {
        if (a.at == b.at) return a.name <=> b.name;
        return a.at < b.at ? std::strong_ordering::less : std::strong_ordering::greater;
    }
};

/// Before every message of this time.
[[nodiscard]] constexpr Stamp first_at(SessionInstant at) { return {at, {}}; }

}  // namespace fray
