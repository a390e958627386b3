#pragma once
// Two peers with one id: a peer calls under the id of a linked one, from another address. Either the linked
// peer is gone and has come back elsewhere, or a second peer uses its id. The link is probed: if the linked
// peer acknowledges the probe it keeps its id, otherwise the caller may replace it. A caller at the same
// address needs no probe, because no two peers share a socket.

#include <fray/time.hpp>

#include "core/per_link.hpp"
#include "link/link.hpp"
#include "link/outbound.hpp"

#include <cstdint>

namespace fray {

class IdContests {
public:
    IdContests(Outbound& out, Duration tick) : out_{out}, tick_{tick} {}

    enum class Verdict : std::uint8_t { open, taken, free };
    /// A call under the id of this linked peer.
    [[nodiscard]] Verdict judge(Instant now, const Link& living);
    void forget_link(LinkNumber link) { contests_.erase(link); }
    [[nodiscard]] std::size_t heap_bytes() const { return contests_.heap_bytes(); }

private:
    struct Contest {
        Instant since = kNever;  // when the first probe was asked for
        Instant next_probe{};
        Instant proven_until = Instant::min();
        std::uint16_t first_probe = 0;  // its sequence number, or that of a datagram before it
    };
    [[nodiscard]] Duration patience(const Link& living) const;

    Outbound& out_;
    Duration tick_;
    PerLink<Contest> contests_;
};

}  // namespace fray
