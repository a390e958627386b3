#pragma once
// Which datagrams arrived: detects duplicates, and tells what to acknowledge.

#include <fray/stats.hpp>
#include <fray/time.hpp>

#include "link/send_window.hpp"
#include "wire/limits.hpp"

#include <cstdint>
#include <optional>

namespace fray {

class ReceiveWindow {
public:
    /// Why this datagram must be rejected; nothing if it is new.
    [[nodiscard]] std::optional<Rejection> refuse(std::uint16_t sequence) const {
        const auto ahead = static_cast<std::int16_t>(sequence - newest_);
        if (!any_ || ahead > 0) return std::nullopt;
        if (ahead <= -64) return Rejection::stale;
        if ((arrived_ >> static_cast<unsigned>(-ahead) & 1U) != 0) return Rejection::duplicate;
        return std::nullopt;
    }

    /// The datagram was read to its end: it is acknowledged from now on.
    void accept(Instant now, std::uint16_t sequence) {
        const auto ahead = static_cast<std::int16_t>(sequence - newest_);
        if (!any_ || ahead > 0) {
            const unsigned shift = any_ ? static_cast<unsigned>(ahead) : 64;
            arrived_ = (shift >= 64 ? 0 : arrived_ << shift) | 1U;
            newest_ = sequence;
            newest_at_ = now;
            any_ = true;
        } else {
            arrived_ |= std::uint64_t{1} << static_cast<unsigned>(-ahead);
        }
    }

    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] std::uint16_t newest() const { return newest_; }
    [[nodiscard]] AckHeader acknowledgement(Instant now) const {
        return AckHeader{.newest = newest_,
                         .earlier = static_cast<std::uint32_t>(arrived_ >> 1U),
                         .delay = now - newest_at_,
                         .delay_known = true};
    }

private:
    std::uint64_t arrived_ = 0;  // bit i: newest_ - i arrived
    Instant newest_at_{};
    std::uint16_t newest_ = 0;
    bool any_ = false;
};

}  // namespace fray
