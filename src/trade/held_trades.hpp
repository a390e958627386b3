#pragma once
// The trades that a desk has not yet forgotten, in all three roles, oldest first, with the quotas that bound
// their number.

#include "trade/trade.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace fray {

class HeldTrades {
public:
    explicit HeldTrades(std::vector<Trade> trades) : trades_{std::move(trades)} {}

    [[nodiscard]] const std::vector<Trade>& all() const { return trades_; }
    [[nodiscard]] auto begin() { return trades_.begin(); }
    [[nodiscard]] auto end() { return trades_.end(); }

    /// A trade that the journal holds.
    [[nodiscard]] Trade* find(const TradeName& name);
    /// A trade in which we are a side and have not voted.
    [[nodiscard]] Trade* find_open(const TradeId& id);
    /// A trade in which we are a side, in any stage.
    [[nodiscard]] Trade* find_as_side(const TradeId& id);

    /// Each role has its quota, so that other peers cannot use up the room for our own trades.
    [[nodiscard]] bool full(TradeRole role) const;
    /// full(role), or this peer has used up its own quota.
    [[nodiscard]] bool full_for(const PeerId& peer, TradeRole role) const;

    /// The quota of trades whose other side stays silent allows this one to be recorded.
    [[nodiscard]] bool may_record(const Trade& trade) const;
    /// Drops a trade of the peer with the most droppable ones, if this peer has fewer. Returns whether it
    /// did.
    bool make_room_for(const PeerId& peer);

    /// The reference is valid until the next add() or sweep().
    Trade& add(Trade trade) { return trades_.emplace_back(std::move(trade)); }
    /// Removes trades that are over.
    void sweep();

private:
    [[nodiscard]] std::size_t droppable_of(const PeerId& peer) const;

    std::vector<Trade> trades_;
};

}  // namespace fray
