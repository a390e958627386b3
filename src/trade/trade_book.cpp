#include "trade/trade_book.hpp"

#include "trade/items.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

namespace fray {

namespace {
Error too_many() { return Error{"a stack may count at most 4294967295 of an item"}; }
}  // namespace

TradeBook::TradeBook(Instant now, const TradeOptions& options, TradeJournal journal)
    : options_{options}, book_{std::move(journal)} {
    ++book_.stay;
    for (Trade& trade : book_.trades) {
        trade.enter(now, trade.stage);
        if (trade.undecided() || !trade.shown) continue;
        const bool commit = *trade.verdict.decided();  // perhaps the game did not get it before the crash
        events_.emplace_back(TradeDecided{trade.name.id, trade.role, commit,
                                          commit ? TradeReason::agreed : TradeReason::timed_out});
    }
}

// --- items ---

std::uint32_t TradeBook::free(ItemId item) const {
    return count_of(book_.items, item) - static_cast<std::uint32_t>(locked(book_.trades, item));
}

std::size_t TradeBook::undecided() const {
    const auto waits = [](const Trade& trade) { return trade.undecided() && trade.is_side(); };
    return static_cast<std::size_t>(std::ranges::count_if(book_.trades, waits));
}

std::size_t TradeBook::witnessing() const {
    const auto watches = [](const Trade& trade) { return trade.undecided() && !trade.is_side(); };
    return static_cast<std::size_t>(std::ranges::count_if(book_.trades, watches));
}

std::vector<TradeState> TradeBook::trades() const {
    std::vector<TradeState> all;
    for (const Trade& trade : book_.trades) {
        const TradeName& name = trade.name;
        all.push_back({name.id, name.partner, name.witness, trade.role, !trade.undecided(), trade.since});
    }
    return all;
}

Result<void> TradeBook::check_room(const Items& in) const {
    for (const Stack& stack : in) {
        const std::uint64_t most = std::uint64_t{count_of(book_.items, stack.item)} +
                                   incoming(book_.trades, stack.item) + stack.count;
        if (most > std::numeric_limits<std::uint32_t>::max()) return too_many();
    }
    if (kinds(book_.items, book_.trades, in) > kMostItems) {
        return Error{"a desk may hold at most " + std::to_string(kMostItems) + " different items"};
    }
    return {};
}

Result<void> TradeBook::check_free(const Items& out) const {
    for (const Stack& stack : out) {
        if (free(stack.item) >= stack.count) continue;
        return Error{"item " + std::to_string(static_cast<std::uint64_t>(stack.item)) + ": " +
                     std::to_string(stack.count) + " needed, but only " + std::to_string(free(stack.item)) +
                     " are not locked"};
    }
    return {};
}

Result<void> TradeBook::add(const Items& items) {
    const auto in = sorted(items);
    if (!in) return too_many();
    if (auto room = check_room(*in); !room) return room;
    put_in(book_.items, *in);
    unsaved_ = true;
    return {};
}

Result<void> TradeBook::remove(const Items& items) {
    const auto out = sorted(items);
    if (!out) return too_many();
    if (auto enough = check_free(*out); !enough) return enough;
    take_out(book_.items, *out);
    unsaved_ = true;
    return {};
}

// --- commands ---

Result<TradeId> TradeBook::propose(Instant now, const TradeTerms& terms) {
    const auto give = sorted(terms.give);
    const auto want = sorted(terms.want);
    if (!give || !want) return too_many();
    if (give->empty() && want->empty()) return Error{"a trade must contain at least one item"};
    if (give->size() > kMostStacks || want->size() > kMostStacks) {
        return Error{"each side of a trade may have at most " + std::to_string(kMostStacks) +
                     " different items"};
    }
    const TradeName name{
        .id = {book_.owner, next_number()}, .partner = terms.partner, .witness = terms.witness};
    if (!name.three_peers()) return Error{"proposer, partner and witness must be three different peers"};
    if (forgotten(terms.partner) || forgotten(terms.witness))
        return Error{"partner and witness must not be forgotten peers"};
    if (full(TradeRole::proposer)) return Error{"too many trades are open: wait until one is decided"};
    if (const auto enough = check_free(*give); !enough) return enough.error();
    if (const auto room = check_room(*want); !room) return room.error();
    (void)hold(now, {.name = name,
                     .role = TradeRole::proposer,
                     .stage = TradeStage::offering,
                     .give = *give,
                     .want = *want,
                     .opener = TradeRole::proposer});
    return name.id;
}

Result<void> TradeBook::accept(Instant now, const TradeId& id) {
    Trade* trade = find_open(id);
    if (trade == nullptr || trade->role != TradeRole::partner)
        return Error{"there is no open offer with this id to accept"};
    if (auto enough = check_free(trade->out()); !enough) return enough;
    if (auto room = check_room(trade->in()); !room) return room;
    trade->name.key = next_number();
    trade->enter(now, TradeStage::bound);
    unsaved_ = true;
    look_after(now, *trade);
    return {};
}

Result<void> TradeBook::refuse(const TradeId& id) {
    Trade* trade = find_open(id);
    if (trade == nullptr) return Error{"there is no open offer with this id to refuse"};
    const bool proposer = trade->role == TradeRole::proposer;
    say_unknown(trade->name, proposer ? TradeRole::partner : TradeRole::proposer);
    drop(*trade, proposer ? TradeReason::withdrawn : TradeReason::declined);
    sweep();
    return {};
}

Result<void> TradeBook::forget(const PeerId& peer) {
    if (forgotten(peer)) return {};
    if (peer == book_.owner) return Error{"a desk cannot forget its own peer"};
    if (book_.forgotten.size() >= kMostForgotten)
        return Error{"a desk may forget at most " + std::to_string(kMostForgotten) + " peers"};
    book_.forgotten.insert(std::ranges::lower_bound(book_.forgotten, peer), peer);
    for (Trade& trade : book_.trades) {
        const auto role = trade.name.role_of(peer);
        if (role) trade.knows[static_cast<std::size_t>(*role)] = true;
        close_where_all_know(trade);
        const bool for_nobody = forgotten(trade.name.id.proposer) && forgotten(trade.name.partner);
        if (for_nobody) trade.stage = TradeStage::over;  // only a witness can forget both sides
    }
    unsaved_ = true;
    sweep();
    return {};
}

// --- trades ---

/// The stay and a count. The count is permuted (Feistel, four rounds), so that numbers stay distinct.
std::uint64_t TradeBook::next_number() {
    ++counter_;
    std::uint64_t left = counter_ >> 16U;
    std::uint64_t right = counter_ & 0xFFFFU;
    for (std::uint64_t round = 0; round < 4; ++round) {
        const std::uint64_t index = std::uint64_t{book_.stay} << 32U | round << 16U | right;
        const std::uint64_t mixed = RandomStream{book_.seed, "trade number", index}.next() & 0xFFFFU;
        left = std::exchange(right, left ^ mixed);
    }
    return std::uint64_t{book_.stay} << 32U | left << 16U | right;
}

bool TradeBook::full(TradeRole role) const {
    constexpr std::array<std::size_t, 3> kShares{kMostTrades - kMostWitnessed - kMostOffered, kMostOffered,
                                                 kMostWitnessed};
    const auto held = std::ranges::count(book_.trades, role, &Trade::role);
    return static_cast<std::size_t>(held) >= kShares[static_cast<std::size_t>(role)];
}

Trade& TradeBook::hold(Instant now, Trade trade) {
    for (const TradeRole other : others(trade.role)) {  // a forgotten peer need not be told
        trade.knows[static_cast<std::size_t>(other)] = forgotten(trade.name.peer(other));
    }
    Trade& held = book_.trades.emplace_back(std::move(trade));
    held.enter(now, held.stage);
    look_after(now, held);
    return held;
}

Trade* TradeBook::find(const TradeName& name) {
    const auto place = std::ranges::find(book_.trades, name, &Trade::name);
    return place == book_.trades.end() || !place->recorded() ? nullptr : &*place;
}

Trade* TradeBook::find_open(const TradeId& id) {
    const auto open = [&](const Trade& trade) {
        return trade.name.id == id && trade.stage < TradeStage::bound;
    };
    const auto place = std::ranges::find_if(book_.trades, open);
    return place == book_.trades.end() ? nullptr : &*place;
}

bool TradeBook::forgotten(const PeerId& peer) const {
    return std::ranges::binary_search(book_.forgotten, peer);
}

const ClosedTrade* TradeBook::closed(const TradeName& name) const {
    const auto place = std::ranges::find(book_.closed, name, &ClosedTrade::name);
    return place == book_.closed.end() ? nullptr : &*place;
}

void TradeBook::decide(Instant now, Trade& trade, bool commit, TradeReason reason) {
    if (commit && trade.is_side()) {
        take_out(book_.items, trade.out());
        put_in(book_.items, trade.in());
    }
    trade.verdict.decide(commit);
    trade.knows[static_cast<std::size_t>(trade.role)] = true;
    trade.enter(now, TradeStage::decided);
    unsaved_ = true;
    // A witness may hold a trade again that was over, with a wrong decision: it reports only what a side
    // confirms.
    if (trade.is_side()) show(trade, reason);
    look_after(now, trade);
}

void TradeBook::show(Trade& trade, TradeReason reason) {
    events_.emplace_back(TradeDecided{trade.name.id, trade.role, *trade.verdict.decided(), reason});
    trade.shown = true;
    unsaved_ = true;
}

void TradeBook::drop(Trade& trade, TradeReason reason) {
    events_.emplace_back(TradeDecided{trade.name.id, trade.role, false, reason});
    // After a crash, a partner must not be offered again what it declined. A proposer never reuses a number.
    unsaved_ = unsaved_ || trade.role == TradeRole::partner;
    close(trade);
}

void TradeBook::close(Trade& trade) {
    const bool sure = trade.undecided() || trade.shown;  // otherwise no side confirmed the decision
    if (sure) book_.closed.push_back({trade.name, trade.verdict.decided().value_or(false)});
    if (book_.closed.size() > kMostClosed) book_.closed.erase(book_.closed.begin());
    trade.stage = TradeStage::over;
}

void TradeBook::close_where_all_know(Trade& trade) {
    if (trade.stage != TradeStage::decided || !trade.all_know()) return;
    close(trade);
    unsaved_ = true;
}

void TradeBook::sweep() {
    std::erase_if(book_.trades, [](const Trade& trade) { return trade.stage == TradeStage::over; });
}

// --- out ---

void TradeBook::say(const PeerId& to, const TradePacket& packet) {
    // If the game does not poll, messages are dropped, as the network may drop them.
    constexpr std::size_t kMostUnsent = 1024;
    if (messages_.size() < kMostUnsent && !forgotten(to)) messages_.push_back({to, encode(packet)});
}

void TradeBook::say(const Trade& trade, TradeRole to, TradeKind kind) {
    TradePacket packet{.kind = kind, .name = trade.name};
    if (kind == TradeKind::offer || kind == TradeKind::vote) {
        packet.give = trade.give;
        packet.want = trade.want;
    }
    packet.ballot = trade.verdict.promised();
    packet.accepted = trade.verdict.accepted();
    packet.commit = trade.verdict.decided().value_or(false);
    packet.heard = trade.knows_by(to);
    say(trade.name.peer(to), packet);
}

void TradeBook::say_unknown(const TradeName& name, TradeRole to) {
    say(name.peer(to), {.kind = TradeKind::unknown, .name = name});
}

void TradeBook::tell_to_accept(const Trade& trade, const Accepted& what) {
    for (const TradeRole other : others(trade.role)) {
        say(trade.name.peer(other),
            {.kind = TradeKind::accept, .name = trade.name, .ballot = what.ballot, .commit = what.commit});
    }
}

std::optional<std::vector<std::uint8_t>> TradeBook::poll_journal() {
    if (!unsaved_) return std::nullopt;
    unsaved_ = false;
    TradeJournal kept = book_;
    std::erase_if(kept.trades, [](const Trade& trade) { return !trade.recorded(); });
    return encode(kept);
}

std::optional<TradeMessage> TradeBook::poll_message() {
    if (unsaved_ || messages_.empty()) return std::nullopt;
    TradeMessage next = std::move(messages_.front());
    messages_.pop_front();
    return next;
}

std::optional<TradeEvent> TradeBook::poll_event() {
    if (unsaved_ || events_.empty()) return std::nullopt;
    TradeEvent next = std::move(events_.front());
    events_.pop_front();
    return next;
}

}  // namespace fray
