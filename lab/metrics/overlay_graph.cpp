#include "lab/metrics/overlay_graph.hpp"

#include <algorithm>
#include <numeric>

namespace fray::lab {

void UnionFind::reset(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0U);
}

std::uint32_t UnionFind::find(std::uint32_t element) {
    while (parent_[element] != element) {
        parent_[element] = parent_[parent_[element]];
        element = parent_[element];
    }
    return element;
}

bool UnionFind::join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
}

void OverlayGraph::on_sent(const Transit& transit) {
    if (transit.to == kNobody) return;
    const Edge edge{transit.from, transit.to};
    std::vector<Edge>& edges = rounds_[current_];
    if (edges.empty() || edges.back() != edge) edges.push_back(edge);
}

std::uint64_t OverlayGraph::end_round(std::span<const Placed> players) {
    std::uint64_t components = 0;
    for (const Placed& player : players) components += player.present ? 1 : 0;
    sets_.reset(players.size());
    for (const auto& edges : rounds_) {
        for (const auto& [from, to] : edges) {
            if (!players[from].present || !players[to].present) continue;
            if (sets_.join(from, to)) --components;
        }
    }
    current_ = (current_ + 1) % kLiveRounds;
    rounds_[current_].clear();
    return components;
}

std::uint64_t link_components(const Swarm& swarm) {
    // The lower index first: listed twice if both ends hold the link.
    std::vector<std::pair<PeerIndex, PeerIndex>> ends;
    std::uint64_t components = 0;
    for (PeerIndex i = 0; i < swarm.size(); ++i) {
        if (!swarm.alive(i)) continue;
        ++components;
        for (const PeerId& id : swarm.peer(i).peers()) {
            const PeerIndex other = swarm.index_of(Address::from_number(id.number()));
            ends.emplace_back(std::min(i, other), std::max(i, other));
        }
    }
    std::sort(ends.begin(), ends.end());
    UnionFind sets;
    sets.reset(swarm.size());
    for (std::size_t k = 1; k < ends.size(); ++k) {
        if (ends[k] == ends[k - 1] && sets.join(ends[k].first, ends[k].second)) --components;
    }
    return components;
}

}  // namespace fray::lab
