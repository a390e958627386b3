#pragma once
// Number of connected components of the overlay: by datagrams sent, and by links.

#include <fray/swarm.hpp>

#include "lab/metrics/neighbour_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fray::lab {

/// Union-find.
class UnionFind {
public:
    void reset(std::size_t count);
    [[nodiscard]] std::uint32_t find(std::uint32_t element);
    /// Returns whether they were in different sets.
    bool join(std::uint32_t a, std::uint32_t b);

private:
    std::vector<std::uint32_t> parent_;
};

class OverlayGraph : public Observer {
public:
    /// An edge lives for this many rounds after the last datagram along it, because sensor nodes do not
    /// exchange datagrams in every round.
    static constexpr std::size_t kLiveRounds = 3;

    void on_sent(const Transit& transit) override;

    /// Counts the components of the present peers, along the edges between them, and ends the round.
    [[nodiscard]] std::uint64_t end_round(std::span<const Placed> players);

private:
    using Edge = std::pair<PeerIndex, PeerIndex>;
    std::array<std::vector<Edge>, kLiveRounds> rounds_;
    std::size_t current_ = 0;
    UnionFind sets_;
};

/// Components of the living peers, along the links that both ends hold at this moment. A link counts until it
/// times out, however little is sent over it.
[[nodiscard]] std::uint64_t link_components(const Swarm& swarm);

}  // namespace fray::lab
