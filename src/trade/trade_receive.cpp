// One message in. A message that does not come from one of the trade's three peers is dropped.

#include "trade/trade_book.hpp"

#include <algorithm>

namespace fray {

void TradeBook::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    const auto packet = decode(bytes);
    if (!packet || forgotten(from)) return reject();
    const auto mine = packet->name.role_of(book_.owner);
    const auto theirs = packet->name.role_of(from);
    if (!mine || !theirs || mine == theirs) return reject();
    receive(now, {*packet, *mine, *theirs});
    sweep();
}

void TradeBook::receive(Instant now, const Heard& heard) {
    const TradeKind kind = heard.packet.kind;
    if (kind == TradeKind::unknown) return receive_unknown(now, heard);
    if ((kind == TradeKind::offer) != (heard.packet.name.key == 0)) return reject();
    if (kind == TradeKind::offer) return receive_offer(now, heard);
    if (kind == TradeKind::vote) return receive_vote(now, heard);
    Trade* trade = heard.mine == TradeRole::witness ? witness_trade(now, heard) : find(heard.packet.name);
    if (trade == nullptr) return answer_unknown(heard);
    receive_ballot(now, heard, *trade);
}

bool TradeBook::full_for(const PeerId& peer, TradeRole role) const {
    const auto opened = [&](const Trade& trade) { return trade.name.peer(trade.opener) == peer; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(book_.trades, opened));
    return count >= kMostPerPeer || full(role);
}

/// The witness holds every trade that a side names; one that it has forgotten was known to all.
Trade* TradeBook::witness_trade(Instant now, const Heard& heard) {
    if (Trade* trade = find(heard.packet.name)) return trade;
    if (heard.packet.kind == TradeKind::promise || closed(heard.packet.name) != nullptr) return nullptr;
    if (full_for(heard.packet.name.peer(heard.theirs), TradeRole::witness)) {
        reject();
        return nullptr;
    }
    return &hold(now, {.name = heard.packet.name,
                       .role = TradeRole::witness,
                       .stage = TradeStage::bound,
                       .opener = heard.theirs});
}

void TradeBook::receive_offer(Instant now, const Heard& heard) {
    const TradePacket& packet = heard.packet;
    if (heard.mine != TradeRole::partner || heard.theirs != TradeRole::proposer) return reject();
    const auto same = [&](const Trade& trade) { return trade.name.id == packet.name.id && trade.is_side(); };
    const auto known = std::ranges::find_if(book_.trades, same);
    if (known != book_.trades.end()) {
        if (known->stage == TradeStage::bound) say(*known, heard.theirs, TradeKind::vote);
        return;
    }
    // Only as partner: other peers can make us witness of a trade with any number.
    const auto over = [&](const ClosedTrade& trade) {
        return trade.name.id == packet.name.id && trade.name.partner == book_.owner;
    };
    if (std::ranges::any_of(book_.closed, over)) return say_unknown(packet.name, heard.theirs);
    const bool nothing = packet.give.empty() && packet.want.empty();
    constexpr std::size_t kMostUnread = 1024;  // if the game does not poll, offers are dropped
    const bool full = full_for(packet.name.id.proposer, TradeRole::partner) || events_.size() >= kMostUnread;
    if (nothing || full || forgotten(packet.name.witness)) return reject();
    const Trade& trade = hold(now, {.name = packet.name,
                                    .role = TradeRole::partner,
                                    .stage = TradeStage::offered,
                                    .give = packet.give,
                                    .want = packet.want,
                                    .opener = TradeRole::proposer});
    events_.emplace_back(
        TradeOffered{trade.name.id, {trade.name.partner, trade.name.witness, trade.give, trade.want}});
}

void TradeBook::receive_vote(Instant now, const Heard& heard) {
    if (heard.mine == TradeRole::partner || heard.theirs == TradeRole::witness) return reject();
    if (heard.mine == TradeRole::witness) {
        Trade* trade = witness_trade(now, heard);
        if (trade == nullptr) return;
        if (trade->undecided()) return note_vote(heard, *trade);
        return say(*trade, heard.theirs, TradeKind::decided);
    }
    Trade* trade = find(heard.packet.name);
    if (trade != nullptr) {
        if (!trade->undecided()) say(*trade, heard.theirs, TradeKind::decided);
        return;
    }
    trade = find_open(heard.packet.name.id);
    if (trade == nullptr) return answer_unknown(heard);
    bind_proposer(now, heard, *trade);
}

void TradeBook::bind_proposer(Instant now, const Heard& heard, Trade& trade) {
    const TradePacket& vote = heard.packet;
    if (trade.name.partner != vote.name.partner || trade.name.witness != vote.name.witness ||
        trade.give != vote.give || trade.want != vote.want) {
        return reject();
    }
    trade.name.key = vote.name.key;
    trade.enter(now, TradeStage::bound);
    unsaved_ = true;
    look_after(now, trade);
}

void TradeBook::note_vote(const Heard& heard, Trade& trade) {
    const TradePacket& vote = heard.packet;
    const bool first = !trade.voted[0] && !trade.voted[1];
    if (first) {
        trade.give = vote.give;
        trade.want = vote.want;
    }
    const bool same_terms = trade.give == vote.give && trade.want == vote.want;
    bool& voted = trade.voted[static_cast<std::size_t>(heard.theirs)];
    unsaved_ = unsaved_ || (same_terms && !voted);
    voted = voted || same_terms;
    if (trade.verdict.untouched() && (!same_terms || (trade.voted[0] && trade.voted[1]))) {
        trade.verdict.record_first(same_terms);
        unsaved_ = true;
        return tell_to_accept(trade, *trade.verdict.accepted());
    }
    if (const auto told = trade.verdict.leading(TradeRole::witness)) tell_to_accept(trade, *told);
}

void TradeBook::receive_unknown(Instant now, const Heard& heard) {
    const TradeName& name = heard.packet.name;
    if (name.key == 0) {  // an offer was withdrawn or declined
        Trade* open = find_open(name.id);
        if (open == nullptr || open->name != name || heard.theirs == TradeRole::witness) return;
        return drop(*open,
                    heard.theirs == TradeRole::proposer ? TradeReason::withdrawn : TradeReason::declined);
    }
    Trade* trade = find(name);
    if (trade == nullptr) return;
    // A side that does not hold the trade will never vote, or the trade is over, and then only a witness that
    // forgot it can hold it again. So abort is certain. The same message from the witness means nothing.
    const bool veto = trade->undecided() && heard.theirs != TradeRole::witness;
    if (trade->undecided() && !veto) return;
    note_knows(*trade, heard.theirs);
    if (veto) {
        decide(now, *trade, false,
               heard.theirs == TradeRole::proposer ? TradeReason::withdrawn : TradeReason::declined);
    }
    close_where_all_know(*trade);
}

void TradeBook::note_knows(Trade& trade, TradeRole who) {
    bool& knows = trade.knows[static_cast<std::size_t>(who)];
    unsaved_ = unsaved_ || !knows;
    knows = true;
}

void TradeBook::receive_ballot(Instant now, const Heard& heard, Trade& trade) {
    const TradeKind kind = heard.packet.kind;
    if (kind == TradeKind::decided) return receive_decided(now, heard, trade);
    if (!trade.undecided()) return say(trade, heard.theirs, TradeKind::decided);
    if (kind == TradeKind::promise) return receive_promise(heard, trade);
    if (leader_of(heard.packet.ballot) != heard.theirs) return reject();
    if (kind == TradeKind::prepare) return receive_prepare(heard, trade);
    receive_accept(now, heard, trade);
}

void TradeBook::receive_prepare(const Heard& heard, Trade& trade) {
    const Ballot before = trade.verdict.promised();
    (void)trade.verdict.handle_prepare(heard.packet.ballot);
    unsaved_ = unsaved_ || trade.verdict.promised() != before;
    say(trade, heard.theirs, TradeKind::promise);
}

void TradeBook::receive_promise(const Heard& heard, Trade& trade) {
    const auto told = trade.verdict.handle_promise(heard.packet.ballot, heard.packet.accepted);
    if (!told) return;
    unsaved_ = true;
    tell_to_accept(trade, *told);
}

void TradeBook::receive_accept(Instant now, const Heard& heard, Trade& trade) {
    const Accepted told{heard.packet.ballot, heard.packet.commit};
    if (!trade.verdict.handle_accept(told)) return say(trade, heard.theirs, TradeKind::promise);
    decide(now, trade, told.commit, told.commit ? TradeReason::agreed : TradeReason::timed_out);
}

void TradeBook::receive_decided(Instant now, const Heard& heard, Trade& trade) {
    const bool commit = heard.packet.commit;
    if (!trade.undecided() && *trade.verdict.decided() != commit) {
        if (trade.shown) return reject();  // a peer lies
        unsaved_ = true;  // it was over: late copies made us hold it again, one of them of a ballot that lost
        return close(trade);
    }
    note_knows(trade, heard.theirs);
    const TradeReason reason = commit ? TradeReason::agreed : TradeReason::timed_out;
    if (trade.undecided()) decide(now, trade, commit, reason);
    if (!trade.shown) show(trade, reason);
    if (!heard.packet.heard) say(trade, heard.theirs, TradeKind::decided);
    close_where_all_know(trade);
}

/// We do not hold this trade. Either it is over, or we are a side and promise never to vote in it. An open
/// offer with that number must therefore end here: a vote that is on its way could still bind us.
void TradeBook::answer_unknown(const Heard& heard) {
    const TradePacket& packet = heard.packet;
    const bool wants_answer =
        packet.kind == TradeKind::decided ? !packet.heard : packet.kind != TradeKind::promise;
    if (!wants_answer) return;
    if (const ClosedTrade* over = closed(packet.name)) {
        return say(
            packet.name.peer(heard.theirs),
            {.kind = TradeKind::decided, .name = packet.name, .commit = over->committed, .heard = true});
    }
    if (heard.mine == TradeRole::witness) return;  // no room: the sides repeat
    Trade* open = find_open(packet.name.id);
    const bool ours = open != nullptr && open->role == TradeRole::proposer &&
                      open->name.partner == packet.name.partner && open->name.witness == packet.name.witness;
    if (ours) drop(*open, TradeReason::withdrawn);
    say_unknown(packet.name, heard.theirs);
}

}  // namespace fray
