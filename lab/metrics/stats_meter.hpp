#pragma once
// Statistics that the peers of a swarm report of themselves, over all their stays.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"

#include <cstdint>

namespace fray::lab {

class StatsMeter : public Observer {
public:
    StatsMeter() : rtts_{0, 0.1, 50'000} {}  // to 5 s

    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;

    // Complete after Swarm::finish().
    std::uint64_t ledger_bytes = 0;
    std::uint64_t datagrams = 0;
    std::uint64_t state_bits = 0;
    std::uint64_t updates_sent = 0;
    std::uint64_t updates_received = 0;
    std::uint64_t updates_stale = 0;
    std::uint64_t messages_delivered = 0;
    std::uint64_t links = 0;            ///< at the end of each stay
    std::uint64_t links_delivered = 0;  ///< datagrams acknowledged
    std::uint64_t links_lost = 0;
    std::uint64_t memory_bytes = 0;
    RejectionCounts rejections{};
    /// Smoothed round-trip times of links at the end of each stay, milliseconds.
    [[nodiscard]] const Histogram& rtts() const { return rtts_; }
    /// Rejections of datagrams for links that the receiver has dropped, or whose number it has reused.
    [[nodiscard]] std::uint64_t unlinked_rejections() const;
    /// Rejections that neither crashes nor the network can cause: not duplicates, late datagrams, or
    /// datagrams for dropped links. They indicate a bug or a lie.
    [[nodiscard]] std::uint64_t strange_rejections() const;

private:
    Histogram rtts_;
};

}  // namespace fray::lab
