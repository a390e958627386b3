#pragma once
// Session time, as the parts of a peer read it.

#include <fray/time.hpp>

#include <cstdint>

namespace fray {

class TimeSource {
public:
    [[nodiscard]] virtual SessionInstant session_time(Instant now) const = 0;
    /// Number of clock references between this peer and session time; 0: our clock is session time.
    [[nodiscard]] virtual std::uint8_t hops() const = 0;
    /// Session time at which this peer joined, as it is written on the wire.
    [[nodiscard]] virtual std::uint64_t joined_us() const = 0;

protected:
    ~TimeSource() = default;
};

}  // namespace fray
