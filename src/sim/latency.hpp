#pragma once
// Draws one-way delays from a LatencyModel.

#include <fray/network_model.hpp>
#include <fray/random.hpp>

#include "sim/event_queue.hpp"
#include "sim/pair_table.hpp"
#include "sim/world_map.hpp"

#include <optional>
#include <vector>

namespace fray::sim {

inline constexpr Micros kLostMicros = -1;

class LatencySampler {
public:
    LatencySampler(LatencyModel model, Seed seed);

    /// Whether sample() must be given the state of the direction.
    [[nodiscard]] bool needs_pair() const { return std::holds_alternative<TraceLatency>(model_); }
    /// The delay of a datagram that leaves now, or kLostMicros if the trace has a lost sample here.
    Micros sample(Micros now, PeerIndex from, PeerIndex to, RandomStream& random, PairState* pair);

private:
    Micros from_trace(const TraceLatency& trace, Micros now, PairState& pair) const;
    Micros from_matrix(const MatrixLatency& matrix, PeerIndex from, PeerIndex to);
    std::uint32_t site_of(PeerIndex peer, std::uint32_t size, bool shuffle);

    LatencyModel model_;
    Seed seed_;
    std::optional<WorldMap> world_;
    std::vector<std::uint32_t> sites_;  // a shuffled order of the matrix's rows
};

}  // namespace fray::sim
