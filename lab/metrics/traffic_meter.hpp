#pragma once
// Bytes per peer and round, out and in: real ones with headers, as the network saw them, and those of the
// pSense paper's marshalling, as the peers counted them.

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
    /// Each value becomes the larger of the two.
    void raise_to(const RoundTraffic& other);
};

/// Whose bytes are asked for: those of the paper's marshalling, which only the peers know, are not free.
enum class Marshalling : std::uint8_t { real, paper };

class TrafficMeter : public Observer {
public:
    explicit TrafficMeter(Marshalling marshalling);

    void on_started(Duration at, PeerIndex index, const Peer& peer) override;
    void on_gone(Duration at, PeerIndex index, const Peer& peer) override;
    void on_sent(const Transit& transit) override;
    void on_delivered(const Transit& transit) override;

    /// What happened since the last call, of the present ones. `counted`: it goes into uploads().
    void end_round(const Swarm& swarm, std::span<const Placed> players, bool counted);

    /// That of the last round, in the bytes of the marshalling.
    [[nodiscard]] const RoundTraffic& round() const { return round_; }
    /// Updates forwarded, and forwarded ones that were known already. Complete after Swarm::finish().
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
