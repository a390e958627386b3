#pragma once
// Bytes per peer and round, sent and received: real bytes with headers, from the network, and bytes of the
// pSense paper's marshalling, from the peers' own counters.

#include <fray/swarm.hpp>

#include "lab/metrics/histogram.hpp"
#include "lab/metrics/neighbour_grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace fray::lab {

/// One round over all peers.
struct RoundTraffic {
    double out_mean = 0;
    double out_max = 0;
    double in_mean = 0;
    double in_max = 0;

    RoundTraffic& operator+=(const RoundTraffic& other);
    /// Takes the larger value of each field.
    void raise_to(const RoundTraffic& other);
};

/// Which bytes to count. Those of the paper's marshalling need a query of every peer.
enum class Marshalling : std::uint8_t { real, paper };

class TrafficMeter : public Observer {
public:
    explicit TrafficMeter(Marshalling marshalling);

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;
    void on_sent(const Transit& transit) override;
    void on_delivered(const Transit& transit) override;

    /// Traffic of the present peers since the last call. `counted`: adds it to uploads().
    void end_round(const Swarm& swarm, std::span<const Placed> players, bool counted);

    /// A peer's upload in the last round, in bytes of the marshalling.
    [[nodiscard]] const RoundTraffic& round() const { return round_; }
    /// Updates forwarded, and received forwards that were not new. Complete after Swarm::finish().
    std::uint64_t forwarded = 0;
    std::uint64_t forward_duplicates = 0;
    /// Real bytes a peer sent in a round.
    [[nodiscard]] const Histogram& uploads() const { return uploads_; }

private:
    struct Bytes {
        std::uint64_t out = 0;
        std::uint64_t in = 0;
    };
    struct Counts {
        Bytes real{};   ///< of this round
        Bytes paper{};  ///< of the stay, up to the last round
    };
    Counts& counts(PeerIndex index);
    [[nodiscard]] static Bytes paper_bytes(const Peer& peer, Counts& held);

    Marshalling marshalling_;
    std::vector<Counts> counts_;
    RoundTraffic round_;
    Histogram uploads_;
};

}  // namespace fray::lab
