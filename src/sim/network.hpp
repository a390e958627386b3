#pragma once
// The network as a function from a datagram to its fate. It holds no bytes and no queue of events; the swarm
// carries the fate out.

#include <fray/network_model.hpp>
#include <fray/random.hpp>
#include <fray/swarm.hpp>

#include "sim/event_queue.hpp"
#include "sim/exponential_table.hpp"
#include "sim/latency.hpp"
#include "sim/line.hpp"
#include "sim/pair_table.hpp"
#include "sim/partition_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fray::sim {

/// The fate of one datagram.
struct Verdict {
    std::optional<DropReason> dropped;
    Micros arrival = 0;      ///< if it was not dropped
    Micros second_copy = 0;  ///< arrival of a duplicate; 0: none
    bool held_back = false;  ///< chosen for reordering
};

class Network {
public:
    /// `fixed_delay` (round mode), if not zero, replaces latency, shift and jitter.
    Network(NetworkModel model, Seed seed, Micros fixed_delay);

    /// Peers are added in the order of their indices.
    void add_peer(const AccessOptions& access);
    void add_partition(const Partition& partition) { partitions_.add(partition); }

    /// bytes: headers included.
    Verdict transmit(Micros now, PeerIndex from, PeerIndex to, std::uint32_t bytes);
    [[nodiscard]] bool download_limited(PeerIndex to) const { return ends_[to].download.limited(); }
    /// The receiver's download queue; false if it has no room.
    [[nodiscard]] bool download(Micros now, PeerIndex to, std::uint32_t bytes, Micros& left) {
        return ends_[to].download.enter(now, bytes, left);
    }
    [[nodiscard]] std::size_t memory_bytes() const;

private:
    // One stream per sender and per purpose: what one peer sends, or one feature draws, does not shift the
    // numbers of another.
    struct End {
        RandomStream latency;
        RandomStream jitter;
        RandomStream loss;
        RandomStream reordering;
        RandomStream duplication;
        Line upload;
        Line download;
    };
    struct Draws {
        Micros delay = 0;
        bool lost = false;
        Micros held = 0;
        Micros second = 0;
    };

    Draws draw(Micros now, PeerIndex from, PeerIndex to, End& end, PairState* pair);
    Micros draw_delay(Micros now, PeerIndex from, PeerIndex to, End& end, PairState* pair);
    Micros draw_shift(Micros now, PeerIndex from, PeerIndex to, PairState& pair) const;
    PairState* pair_state(PeerIndex from, PeerIndex to);
    [[nodiscard]] std::uint16_t rule_for(PeerIndex from, PeerIndex to) const;
    [[nodiscard]] const PathRule* rule_of(const PairState* pair) const;
    std::shared_ptr<const CapacityIndex> index_of(const LineOptions& line);

    NetworkModel model_;
    Seed seed_;
    Micros fixed_delay_;
    bool needs_pairs_ = false;
    ExponentialTable exponential_;
    LatencySampler latency_;
    std::vector<std::optional<LatencySampler>> rule_latency_;  // one per PathRule
    std::vector<End> ends_;
    PairTable pairs_;
    PartitionTable partitions_;
    std::vector<std::pair<const CapacityTrace*, std::shared_ptr<const CapacityIndex>>> capacities_;
};

}  // namespace fray::sim
