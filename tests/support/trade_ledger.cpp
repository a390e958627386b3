#include "support/trade_ledger.hpp"

#include <algorithm>
#include <cstdint>

namespace fray::test {

namespace {

std::string name(const PeerId& peer) { return "peer " + std::to_string(peer.number()); }

std::string name(const TradeId& trade) {
    return "trade " + std::to_string(trade.proposer.number()) + "/" + std::to_string(trade.number);
}

std::string name(ItemId item) { return "item " + std::to_string(static_cast<std::uint64_t>(item)); }

}  // namespace

bool TradeLedger::Known::shown(bool committed) const {
    return std::ranges::any_of(outcome, [&](const auto& entry) { return entry.second == committed; });
}

void TradeLedger::decided(const PeerId& peer, const TradeDecided& event) {
    const auto [place, added] = trades_[event.trade].outcome.try_emplace(peer, event.committed);
    if (!added && place->second != event.committed) {
        told_twice_ += name(event.trade) + ", " + name(peer) + ": was shown both outcomes\n";
    }
}

std::uint64_t TradeLedger::ended(bool committed) const {
    const auto shown = [&](const auto& entry) { return entry.second.shown(committed); };
    return static_cast<std::uint64_t>(std::ranges::count_if(trades_, shown));
}

std::string TradeLedger::judge(const Living& living) const {
    std::string wrong = told_twice_;
    judge_outcomes(living, wrong);
    judge_items(living, wrong);
    judge_totals(living, wrong);
    judge_locks(living, wrong);
    return wrong;
}

void TradeLedger::judge_outcomes(const Living& living, std::string& wrong) const {
    for (const auto& [trade, known] : trades_) {
        const bool committed = known.shown(true);
        if (committed && known.shown(false)) wrong += name(trade) + ": two outcomes\n";
        for (const PeerId& peer : {trade.proposer, known.terms.partner, known.terms.witness}) {
            if (!committed || !living.contains(peer) || known.outcome.contains(peer)) continue;
            wrong += name(trade) + ", " + name(peer) + ": was never told of the commit\n";
        }
    }
}

/// The first items and the committed trades determine what every living player must have.
void TradeLedger::judge_items(const Living& living, std::string& wrong) const {
    std::map<PeerId, std::map<ItemId, std::int64_t>> expected;
    for (const auto& [peer, items] : first_) {
        for (const Stack& stack : items) expected[peer][stack.item] += stack.count;
    }
    const auto move = [&](const PeerId& from, const PeerId& to, const Items& items) {
        for (const Stack& stack : items) {
            expected[from][stack.item] -= stack.count;
            expected[to][stack.item] += stack.count;
        }
    };
    for (const auto& [trade, known] : trades_) {
        if (!known.shown(true)) continue;
        move(trade.proposer, known.terms.partner, known.terms.give);
        move(known.terms.partner, trade.proposer, known.terms.want);
    }
    for (const auto& [peer, desk] : living) {
        for (const auto& [item, count] : expected[peer]) {
            if (desk->owned(item) == count) continue;
            wrong += name(peer) + " should have " + std::to_string(count) + " of " + name(item) + ", has " +
                     std::to_string(desk->owned(item)) + "\n";
        }
    }
}

/// No item was created; if every player lives, none was lost either.
void TradeLedger::judge_totals(const Living& living, std::string& wrong) const {
    std::map<ItemId, std::uint64_t> before;
    std::map<ItemId, std::uint64_t> after;
    for (const auto& [peer, items] : first_) {
        for (const Stack& stack : items) before[stack.item] += stack.count;
    }
    for (const auto& [peer, desk] : living) {
        for (const Stack& stack : desk->items()) after[stack.item] += stack.count;
    }
    for (const auto& [item, count] : after) {
        if (count > before[item]) wrong += name(item) + " has too many owners\n";
    }
    if (living.size() == first_.size() && before != after) wrong += "something was lost\n";
}

void TradeLedger::judge_locks(const Living& living, std::string& wrong) const {
    for (const auto& [peer, desk] : living) {
        if (desk->undecided() + desk->witnessing() != 0) wrong += name(peer) + " waits for ever\n";
        if (living.size() == first_.size() && desk->remembered() != 0)
            wrong += name(peer) + " remembers for ever\n";
        for (const Stack& stack : desk->items()) {
            if (desk->free(stack.item) != stack.count) wrong += name(peer) + " holds a lock for ever\n";
        }
        if (desk->rejected() != 0) wrong += name(peer) + " refused a message of an honest desk\n";
    }
}

}  // namespace fray::test
