#include "trade/held_trades.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

template <class Condition>
Trade* find_first(std::vector<Trade>& trades, const Condition& condition) {
    const auto place = std::ranges::find_if(trades, condition);
    return place == trades.end() ? nullptr : &*place;
}

}  // namespace

Trade* HeldTrades::find(const TradeName& name) {
    Trade* trade = find_first(trades_, [&](const Trade& held) { return held.name == name; });
    return trade == nullptr || !trade->recorded() ? nullptr : trade;
}

Trade* HeldTrades::find_open(const TradeId& id) {
    return find_first(
        trades_, [&](const Trade& held) { return held.name.id == id && held.stage < TradeStage::bound; });
}

Trade* HeldTrades::find_as_side(const TradeId& id) {
    return find_first(trades_, [&](const Trade& held) { return held.name.id == id && held.is_side(); });
}

bool HeldTrades::full(TradeRole role) const {
    constexpr std::array<std::size_t, 3> kShares{kMostTrades - kMostWitnessed - kMostOffered, kMostOffered,
                                                 kMostWitnessed};
    const auto held = std::ranges::count(trades_, role, &Trade::role);
    return static_cast<std::size_t>(held) >= kShares[static_cast<std::size_t>(role)];
}

bool HeldTrades::full_for(const PeerId& peer, TradeRole role) const {
    const auto opened = [&](const Trade& trade) { return trade.name.peer(trade.opener) == peer; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(trades_, opened));
    return count >= kMostPerPeer || full(role);
}

void HeldTrades::sweep() {
    std::erase_if(trades_, [](const Trade& trade) { return trade.stage == TradeStage::over; });
}

}  // namespace fray
