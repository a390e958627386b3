// Repetitions and timeouts. They are needed for progress, not for safety.

#include "trade/trade_book.hpp"

#include <algorithm>

namespace fray {

void TradeBook::handle_time(Instant now) {
    for (Trade& trade : book_.trades) {
        if (trade.next <= now) look_after(now, trade);
    }
    sweep();
}

Instant TradeBook::poll_wakeup() const {
    Instant next = kNever;
    for (const Trade& trade : book_.trades) next = std::min(next, trade.next);
    return next;
}

/// When its stage times out.
std::optional<Instant> TradeBook::deadline(const Trade& trade) const {
    if (trade.stage < TradeStage::bound) return trade.since + options_.offer;
    if (trade.stage != TradeStage::bound || trade.in_doubt) return std::nullopt;
    if (!trade.is_side() && trade.verdict.untouched()) return trade.since + options_.vote;
    return trade.since + options_.doubt;
}

void TradeBook::look_after(Instant now, Trade& trade) {
    const bool late = trade.stage < TradeStage::bound && now >= *deadline(trade);
    if (late) {
        if (trade.role == TradeRole::proposer) say_unknown(trade.name, TradeRole::partner);
        return drop(trade, TradeReason::timed_out);
    }
    if (trade.stage == TradeStage::offering) say(trade, TradeRole::partner, TradeKind::offer);
    if (trade.stage == TradeStage::bound) urge(now, trade);
    if (trade.stage == TradeStage::decided) {
        for (const TradeRole other : others(trade.role)) {
            if (!trade.knows_by(other)) say(trade, other, TradeKind::decided);
        }
    }
    // The back-off differs by role and grows beyond the time of any answer, so that leaders do not overtake
    // each other for ever.
    constexpr Duration kLongPause = 4s;
    const unsigned steps = trade.in_doubt ? 2 + static_cast<unsigned>(trade.role) : 1;
    const Duration most = std::max(32 * options_.resend, trade.in_doubt ? kLongPause : Duration{});
    Duration pause = options_.resend;
    for (unsigned i = 0; i < trade.tries && pause < most; ++i) pause *= 2;
    trade.next = now + pause * steps;
    ++trade.tries;
    if (const auto limit = deadline(trade); limit && *limit > now) trade.next = std::min(trade.next, *limit);
}

void TradeBook::urge(Instant now, Trade& trade) {
    const auto limit = deadline(trade);
    const bool waited = !limit || now >= *limit;
    if (trade.is_side()) {
        say(trade, TradeRole::witness, TradeKind::vote);
        if (trade.role == TradeRole::partner) say(trade, TradeRole::proposer, TradeKind::vote);
    } else if (waited && trade.verdict.untouched()) {
        trade.verdict.record_first(false);
        unsaved_ = true;
        return tell_to_accept(trade, *trade.verdict.accepted());
    }
    if (waited && !trade.in_doubt) {
        trade.in_doubt = true;
        trade.tries = 0;
    }
    if (const auto led = trade.verdict.leading(trade.role)) {
        tell_to_accept(trade, *led);
    } else if (trade.in_doubt) {
        take_the_lead(trade);
    }
}

void TradeBook::take_the_lead(Trade& trade) {
    const Ballot before = trade.verdict.promised();
    const auto ballot = trade.verdict.lead(trade.role);
    if (!ballot) return;
    unsaved_ = unsaved_ || *ballot != before;
    for (const TradeRole other : others(trade.role)) {
        say(trade.name.peer(other), {.kind = TradeKind::prepare, .name = trade.name, .ballot = *ballot});
    }
}

}  // namespace fray
