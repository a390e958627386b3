#pragma once
// Judges trades from outside: the first items of each player, the offers, and the outcome shown to each
// player.

#include <fray/trade.hpp>

#include <map>
#include <string>

namespace fray::test {

class TradeLedger {
public:
    void owns(const PeerId& peer, const Items& items) { first_[peer] = items; }
    void proposed(const TradeId& trade, const TradeTerms& terms) { trades_[trade].terms = terms; }
    void decided(const PeerId& peer, const TradeDecided& event);

    [[nodiscard]] const TradeTerms& terms(const TradeId& trade) const { return trades_.at(trade).terms; }
    [[nodiscard]] std::uint64_t proposed() const { return trades_.size(); }
    /// Trades with this outcome shown to at least one player.
    [[nodiscard]] std::uint64_t ended(bool committed) const;

    /// Call it once all is quiet: lists everything that does not hold, or nothing. A player that is not among
    /// the living never returns.
    [[nodiscard]] std::string judge(const std::map<PeerId, const TradeDesk*>& living) const;

private:
    struct Known {
        TradeTerms terms;
        std::map<PeerId, bool> outcome;  // by the player that it was shown to
        [[nodiscard]] bool shown(bool committed) const;
    };
    using Living = std::map<PeerId, const TradeDesk*>;
    void judge_outcomes(const Living& living, std::string& wrong) const;
    void judge_items(const Living& living, std::string& wrong) const;
    void judge_totals(const Living& living, std::string& wrong) const;
    void judge_locks(const Living& living, std::string& wrong) const;

    std::map<PeerId, Items> first_;
    std::map<TradeId, Known> trades_;
    std::string told_twice_;
};

}  // namespace fray::test
