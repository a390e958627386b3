#include "trade/settlement.hpp"

#include <algorithm>

namespace fray {

const ClosedTrade* Settlement::find_closed(const TradeName& name) const {
    const auto place = std::ranges::find(closed_, name, &ClosedTrade::name);
    return place == closed_.end() ? nullptr : &*place;
}

bool Settlement::offer_closed(const TradeId& id, const PeerId& partner) const {
    const auto same = [&](const ClosedTrade& trade) {
        return trade.name.id == id && trade.name.partner == partner;
    };
    return std::ranges::any_of(closed_, same);
}

void Settlement::decide(Instant now, Trade& trade, bool commit, TradeReason reason) {
    if (commit && trade.is_side()) holdings_.settle(trade);
    trade.verdict.decide(commit);
    trade.note_knows(trade.role);
    trade.enter(now, TradeStage::decided);
    outbox_.require_save();
    // A witness may hold a trade again that was over, with a wrong decision: it reports only what a side
    // confirms.
    if (trade.is_side()) show(trade, reason);
}

void Settlement::show(Trade& trade, TradeReason reason) {
    outbox_.report(TradeDecided{trade.name.id, trade.role, *trade.verdict.decided(), reason});
    trade.shown = true;
    outbox_.require_save();
}

void Settlement::drop(Trade& trade, TradeReason reason) {
    outbox_.report(TradeDecided{trade.name.id, trade.role, false, reason});
    // After a crash, a partner must not be offered again what it declined. A proposer never reuses a number.
    // An offer that its proposer withdrew is not saved: a late copy would expire, and a proposer could make
    // us write the whole journal for two short messages.
    const bool declined = trade.role == TradeRole::partner && reason != TradeReason::withdrawn;
    if (declined) outbox_.require_save();
    close(trade);
}

void Settlement::close(Trade& trade) {
    const bool sure = trade.undecided() || trade.shown;  // otherwise no side confirmed the decision
    if (sure) closed_.push_back({trade.name, trade.verdict.decided().value_or(false)});
    if (closed_.size() > kMostClosed) closed_.erase(closed_.begin());
    trade.stage = TradeStage::over;
}

void Settlement::close_where_all_know(Trade& trade) {
    if (trade.stage != TradeStage::decided || !trade.all_know()) return;
    close(trade);
    outbox_.require_save();
}

}  // namespace fray
