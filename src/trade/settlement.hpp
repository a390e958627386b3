#pragma once
// How a trade ends: the items move, the game is told, and the trade is remembered for a while. A decision and
// the items that it moves change together, so that one journal has both or neither.

#include <fray/trade.hpp>

#include "trade/closed_trade.hpp"
#include "trade/holdings.hpp"
#include "trade/trade.hpp"
#include "trade/trade_outbox.hpp"

#include <utility>
#include <vector>

namespace fray {

class Settlement {
public:
    Settlement(std::vector<ClosedTrade> closed, Holdings& holdings, TradeOutbox& outbox)
        : closed_{std::move(closed)}, holdings_{holdings}, outbox_{outbox} {}

    /// Trades that are over, oldest first.
    [[nodiscard]] const std::vector<ClosedTrade>& closed() const { return closed_; }
    [[nodiscard]] const ClosedTrade* find_closed(const TradeName& name) const;
    /// Whether a trade with this id, offered to this partner, is over.
    [[nodiscard]] bool offer_closed(const TradeId& id, const PeerId& partner) const;

    void decide(Instant now, Trade& trade, bool commit, TradeReason reason);
    /// Reports the decision of a trade to the game.
    void show(Trade& trade, TradeReason reason);
    /// Ends a trade in which we have not voted.
    void drop(Trade& trade, TradeReason reason);
    void close(Trade& trade);
    void close_where_all_know(Trade& trade);

private:
    std::vector<ClosedTrade> closed_;
    Holdings& holdings_;
    TradeOutbox& outbox_;
};

}  // namespace fray
