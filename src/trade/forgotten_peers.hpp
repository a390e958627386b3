#pragma once
// Peers that never return, as the game declared with TradeDesk::forget(). A desk keeps nothing for them and
// exchanges no messages with them.

#include <fray/trade.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace fray {

class ForgottenPeers {
public:
    /// `peers` must be ascending.
    explicit ForgottenPeers(std::vector<PeerId> peers) : peers_{std::move(peers)} {}

    /// Ascending.
    [[nodiscard]] const std::vector<PeerId>& all() const { return peers_; }
    [[nodiscard]] bool contains(const PeerId& peer) const { return std::ranges::binary_search(peers_, peer); }
    /// Returns an error if the list is full.
    Result<void> add(const PeerId& peer) {
        if (peers_.size() >= kMostForgotten)
            return Error{"a desk may forget at most " + std::to_string(kMostForgotten) + " peers"};
        peers_.insert(std::ranges::lower_bound(peers_, peer), peer);
        return {};
    }

private:
    std::vector<PeerId> peers_;
};

}  // namespace fray
