#pragma once
// Reliable channels that outlive their link: when the same two incarnations meet again, the channel continues
// without a lost or repeated message.

#include <fray/ids.hpp>
#include <fray/time.hpp>

#include "link/link_table.hpp"

#include <cstdint>
#include <vector>

namespace fray {

class ParkedChannels {
public:
    /// Keeps the channel of a link that timed out, if it was used. Evicts the oldest ones if there are too
    /// many, or if all together hold more than kMaxParkedBytes.
    void park(Instant now, Link& link);
    /// The id of the channel that a new link with this incarnation should continue: that of the link that is
    /// up (`former`), or a parked one; 0: none.
    [[nodiscard]] std::uint32_t id_to_continue(const PeerId& peer, Incarnation incarnation,
                                               const Link* former) const;
    /// The link comes up: it takes over the channel of the former link with this peer, which is still up
    /// (`former`) or parked, if both sides have kept it.
    void resume(Instant now, Link& link, Link* former);
    void forget(const PeerId& peer);
    /// Drops channels that were parked for too long, except those that a pending handshake still names.
    void expire(Instant now, const LinkTable& links);
    void clear() { parked_.clear(); }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    struct Parked {
        PeerId peer;
        Incarnation incarnation{};
        Instant since;
        Channel channel;
        std::size_t bytes = 0;  // that the channel has allocated
    };
    std::vector<Parked> parked_;  // oldest first
};

}  // namespace fray
