#include "trade/trade_voting.hpp"

#include <algorithm>

namespace fray {

// --- timeouts ---

std::optional<Instant> TradeVoting::deadline(const Trade& trade) const {
    if (trade.stage < TradeStage::bound) return trade.since + options_.offer;
    if (trade.stage != TradeStage::bound || trade.in_doubt) return std::nullopt;
    if (!trade.is_side() && trade.verdict.untouched()) return trade.since + options_.vote;
    return trade.since + options_.doubt;
}

bool TradeVoting::expired(Instant now, const Trade& trade) const {
    return trade.stage < TradeStage::bound && now >= *deadline(trade);
}

bool TradeVoting::unanswered(Instant now, const Trade& trade) const {
    return trade.droppable() && now >= trade.since + options_.vote;
}

void TradeVoting::repeat(Instant now, Trade& trade) {
    if (trade.stage == TradeStage::offering) outbox_.send(trade, TradeRole::partner, TradeKind::offer);
    if (trade.stage == TradeStage::bound) urge(now, trade);
    if (trade.stage == TradeStage::decided) {
        for (const TradeRole other : others(trade.role)) {
            if (!trade.knows_by(other)) outbox_.send(trade, other, TradeKind::decided);
        }
    }
    schedule(now, trade);
}

/// The back-off differs by role and grows beyond the time of any answer, so that leaders do not overtake each
/// other for ever.
void TradeVoting::schedule(Instant now, Trade& trade) const {
    constexpr Duration kLongPause = 4s;
    const unsigned steps = trade.in_doubt ? 2 + static_cast<unsigned>(trade.role) : 1;
    const Duration most = std::max(32 * options_.resend, trade.in_doubt ? kLongPause : Duration{});
    Duration pause = options_.resend;
    for (unsigned i = 0; i < trade.tries && pause < most; ++i) pause *= 2;
    trade.next = now + pause * steps;
    ++trade.tries;
    if (const auto limit = deadline(trade); limit && *limit > now) trade.next = std::min(trade.next, *limit);
}

void TradeVoting::urge(Instant now, Trade& trade) {
    const auto limit = deadline(trade);
    const bool waited = !limit || now >= *limit;
    if (trade.is_side()) {
        outbox_.send(trade, TradeRole::witness, TradeKind::vote);
        if (trade.role == TradeRole::partner) outbox_.send(trade, TradeRole::proposer, TradeKind::vote);
    } else if (waited && trade.verdict.untouched()) {
        return record_first(trade, false);
    }
    if (waited && !trade.in_doubt) {
        trade.in_doubt = true;
        trade.tries = 0;
    }
    if (const auto led = trade.verdict.leading(trade.role)) {
        outbox_.send_accept(trade, *led);
    } else if (trade.in_doubt) {
        take_the_lead(trade);
    }
}

// --- votes and ballots ---

void TradeVoting::record_first(Trade& trade, bool commit) {
    trade.verdict.record_first(commit);
    outbox_.require_save();
    outbox_.send_accept(trade, *trade.verdict.accepted());
}

void TradeVoting::take_the_lead(Trade& trade) {
    const Ballot before = trade.verdict.promised();
    const auto ballot = trade.verdict.lead(trade.role);
    if (!ballot) return;
    if (*ballot != before) outbox_.require_save();
    outbox_.send_prepare(trade, *ballot);
}

void TradeVoting::handle_vote(Trade& trade, TradeRole from, const TradePacket& vote) {
    const bool first = !trade.voted[0] && !trade.voted[1];
    if (first) {
        trade.give = vote.give;
        trade.want = vote.want;
    }
    const bool same_terms = trade.give == vote.give && trade.want == vote.want;
    bool& voted = trade.voted[static_cast<std::size_t>(from)];
    if (same_terms && !voted) outbox_.require_save();
    voted = voted || same_terms;
    if (trade.verdict.untouched() && (!same_terms || (trade.voted[0] && trade.voted[1]))) {
        return record_first(trade, same_terms);
    }
    if (const auto told = trade.verdict.leading(TradeRole::witness)) outbox_.send_accept(trade, *told);
}

void TradeVoting::handle_prepare(Trade& trade, TradeRole from, Ballot ballot) {
    const Ballot before = trade.verdict.promised();
    (void)trade.verdict.handle_prepare(ballot);
    if (trade.verdict.promised() != before) outbox_.require_save();
    outbox_.send(trade, from, TradeKind::promise);
}

void TradeVoting::handle_promise(Trade& trade, const TradePacket& promise) {
    const auto told = trade.verdict.handle_promise(promise.ballot, promise.accepted);
    if (!told) return;
    outbox_.require_save();
    outbox_.send_accept(trade, *told);
}

bool TradeVoting::handle_accept(Trade& trade, TradeRole from, const Accepted& told) {
    if (trade.verdict.handle_accept(told)) return true;
    outbox_.send(trade, from, TradeKind::promise);
    return false;
}

}  // namespace fray
