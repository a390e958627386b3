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
    const auto takes_part = [&](const Trade& trade) {
        if (trade.name.peer(trade.opener) == peer) return true;
        const auto theirs = trade.name.role_of(peer);
        return !trade.is_side() && theirs && trade.voted[static_cast<std::size_t>(*theirs)];
    };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(trades_, takes_part));
    return count >= kMostPerPeer || full(role);
}

bool HeldTrades::may_record(const Trade& trade) const {
    const PeerId& opener = trade.name.peer(trade.opener);
    std::size_t of_all = 0;
    std::size_t of_opener = 0;
    for (const Trade& held : trades_) {
        if (!held.one_sided() || held.droppable() || held.stage == TradeStage::over) continue;
        ++of_all;
        if (held.name.peer(held.opener) == opener) ++of_opener;
    }
    return of_all < kMostOneSided && of_opener < kMostOneSidedPerPeer;
}

std::size_t HeldTrades::droppable_of(const PeerId& peer) const {
    return static_cast<std::size_t>(std::ranges::count_if(trades_, [&](const Trade& trade) {
        return trade.droppable() && trade.name.peer(trade.opener) == peer;
    }));
}

bool HeldTrades::make_room_for(const PeerId& peer) {
    auto victim = trades_.end();
    std::size_t most = droppable_of(peer) + 1;
    for (auto trade = trades_.begin(); trade != trades_.end(); ++trade) {
        if (!trade->droppable()) continue;
        const std::size_t count = droppable_of(trade->name.peer(trade->opener));
        if (count <= most) continue;
        most = count;
        victim = trade;
    }
    if (victim == trades_.end()) return false;
    trades_.erase(victim);
    return true;
}

void HeldTrades::sweep() {
    std::erase_if(trades_, [](const Trade& trade) { return trade.stage == TradeStage::over; });
}

}  // namespace fray
