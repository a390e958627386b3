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

/// Sets that grow together.
class UnionFind {
public:
    void reset(std::size_t count);
    [[nodiscard]] std::uint32_t find(std::uint32_t element);
    /// Whether they were apart.
    bool join(std::uint32_t a, std::uint32_t b);

private:
    std::vector<std::uint32_t> parent_;
};

class OverlayGraph : public Observer {
public:
    /// An edge lives this many rounds after the last datagram along it: sensor nodes do not hear of each
    /// other in every round.
    static constexpr std::size_t kLiveRounds = 3;

    void on_sent(const Transit& transit) override;

    /// Of the present ones, along the edges between them; then the round is over.
    [[nodiscard]] std::uint64_t end_round(std::span<const Placed> players);

private:
    using Edge = std::pair<PeerIndex, PeerIndex>;
    std::array<std::vector<Edge>, kLiveRounds> rounds_;
    std::size_t current_ = 0;
    UnionFind sets_;
};

/// Components of the living peers, along the links that both ends hold at this moment. A link is held for as
/// long as it does not time out, so links on which little is said count, too.
[[nodiscard]] std::uint64_t link_components(const Swarm& swarm);

}  // namespace fray::lab
