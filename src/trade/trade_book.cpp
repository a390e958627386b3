#include "trade/trade_book.hpp"

#include "trade/items.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

TradeBook::TradeBook(Instant now, const TradeOptions& options, TradeJournal journal)
    : owner_{journal.owner},
      numbers_{journal.seed, journal.stay + 1},
      forgotten_{std::move(journal.forgotten)},
      holdings_{std::move(journal.items)},
      trades_{std::move(journal.trades)},
      outbox_{forgotten_},
      voting_{options, outbox_},
      settlement_{std::move(journal.closed), holdings_, outbox_} {
    for (Trade& trade : trades_) {
        trade.enter(now, trade.stage);
        if (trade.undecided() || !trade.shown) continue;
        // Perhaps the game did not get it before the crash.
        settlement_.show(trade, reason_of(*trade.verdict.decided()));
    }
}

// --- getters ---

std::size_t TradeBook::undecided() const {
    const auto waits = [](const Trade& trade) { return trade.undecided() && trade.is_side(); };
    return static_cast<std::size_t>(std::ranges::count_if(trades_.all(), waits));
}

std::size_t TradeBook::witnessing() const {
    const auto watches = [](const Trade& trade) { return trade.undecided() && !trade.is_side(); };
    return static_cast<std::size_t>(std::ranges::count_if(trades_.all(), watches));
}

std::vector<TradeState> TradeBook::trades() const {
    std::vector<TradeState> all;
    for (const Trade& trade : trades_.all()) {
        const TradeName& name = trade.name;
        all.push_back({name.id, name.partner, name.witness, trade.role, !trade.undecided(), trade.since});
    }
    return all;
}

// --- commands ---

Result<void> TradeBook::add(const Items& items) {
    if (auto added = holdings_.add(items, trades_.all()); !added) return added;
    outbox_.require_save();
    return {};
}

Result<void> TradeBook::remove(const Items& items) {
    if (auto removed = holdings_.remove(items, trades_.all()); !removed) return removed;
    outbox_.require_save();
    return {};
}

Result<TradeId> TradeBook::propose(Instant now, const TradeTerms& terms) {
    const auto give = sorted(terms.give);
    const auto want = sorted(terms.want);
    if (!give || !want) return too_many_of_one_item();
    if (give->empty() && want->empty()) return Error{"a trade must contain at least one item"};
    if (give->size() > kMostStacks || want->size() > kMostStacks) {
        return Error{"each side of a trade may have at most " + std::to_string(kMostStacks) +
                     " different items"};
    }
    const TradeName name{.id = {owner_, numbers_.next()}, .partner = terms.partner, .witness = terms.witness};
    if (!name.three_peers()) return Error{"proposer, partner and witness must be three different peers"};
    if (forgotten_.contains(terms.partner) || forgotten_.contains(terms.witness))
        return Error{"partner and witness must not be forgotten peers"};
    if (trades_.full(TradeRole::proposer))
        return Error{"too many trades are open: wait until one is decided"};
    if (const auto enough = holdings_.check_free(*give, trades_.all()); !enough) return enough.error();
    if (const auto room = holdings_.check_room(*want, trades_.all()); !room) return room.error();
    (void)hold(now, {.name = name,
                     .role = TradeRole::proposer,
                     .stage = TradeStage::offering,
                     .give = *give,
                     .want = *want,
                     .opener = TradeRole::proposer});
    return name.id;
}

Result<void> TradeBook::accept(Instant now, const TradeId& id) {
    Trade* trade = trades_.find_open(id);
    if (trade == nullptr || trade->role != TradeRole::partner)
        return Error{"there is no open offer with this id to accept"};
    if (auto enough = holdings_.check_free(trade->out(), trades_.all()); !enough) return enough;
    if (auto room = holdings_.check_room(trade->in(), trades_.all()); !room) return room;
    bind(now, *trade, numbers_.next());
    return {};
}

Result<void> TradeBook::refuse(const TradeId& id) {
    Trade* trade = trades_.find_open(id);
    if (trade == nullptr) return Error{"there is no open offer with this id to refuse"};
    const bool proposer = trade->role == TradeRole::proposer;
    outbox_.send_unknown(trade->name, proposer ? TradeRole::partner : TradeRole::proposer);
    settlement_.drop(*trade, proposer ? TradeReason::withdrawn : TradeReason::declined);
    trades_.sweep();
    return {};
}

Result<void> TradeBook::forget(const PeerId& peer) {
    if (forgotten_.contains(peer)) return {};
    if (peer == owner_) return Error{"a desk cannot forget its own peer"};
    if (auto added = forgotten_.add(peer); !added) return added;
    for (Trade& trade : trades_) {
        if (const auto role = trade.name.role_of(peer)) trade.note_knows(*role);
        settlement_.close_where_all_know(trade);
        const bool for_nobody =
            forgotten_.contains(trade.name.id.proposer) && forgotten_.contains(trade.name.partner);
        if (for_nobody) trade.stage = TradeStage::over;  // only a witness can forget both sides
    }
    outbox_.require_save();
    trades_.sweep();
    return {};
}

// --- trades ---

Trade& TradeBook::hold(Instant now, Trade trade) {
    for (const TradeRole other : others(trade.role)) {  // a forgotten peer need not be told
        trade.knows[static_cast<std::size_t>(other)] = forgotten_.contains(trade.name.peer(other));
    }
    Trade& held = trades_.add(std::move(trade));
    held.enter(now, held.stage);
    voting_.repeat(now, held);
    return held;
}

void TradeBook::bind(Instant now, Trade& trade, std::uint64_t key) {
    trade.name.key = key;
    trade.enter(now, TradeStage::bound);
    outbox_.require_save();
    voting_.repeat(now, trade);
}

void TradeBook::decide(Instant now, Trade& trade, bool commit, TradeReason reason) {
    settlement_.decide(now, trade, commit, reason);
    voting_.repeat(now, trade);
}

void TradeBook::expire(Trade& trade) {
    if (trade.role == TradeRole::proposer) outbox_.send_unknown(trade.name, TradeRole::partner);
    settlement_.drop(trade, TradeReason::timed_out);
}

// --- time ---

void TradeBook::handle_time(Instant now) {
    for (Trade& trade : trades_) {
        if (trade.next > now) continue;
        if (voting_.expired(now, trade)) {
            expire(trade);
        } else if (voting_.unanswered(now, trade) && !trades_.may_record(trade)) {
            trade.stage = TradeStage::over;
            outbox_.require_save();
        } else {
            voting_.repeat(now, trade);
        }
    }
    trades_.sweep();
}

Instant TradeBook::poll_wakeup() const {
    Instant next = kNever;
    for (const Trade& trade : trades_.all()) next = std::min(next, trade.next);
    return next;
}

// --- out ---

std::optional<std::vector<std::uint8_t>> TradeBook::poll_journal() {
    if (!outbox_.take_unsaved()) return std::nullopt;
    TradeJournal journal{.owner = owner_,
                         .seed = numbers_.seed(),
                         .stay = numbers_.stay(),
                         .items = holdings_.items(),
                         .trades = trades_.all(),
                         .closed = settlement_.closed(),
                         .forgotten = forgotten_.all()};
    std::erase_if(journal.trades, [](const Trade& trade) { return !trade.recorded(); });
    return encode(journal);
}

}  // namespace fray
