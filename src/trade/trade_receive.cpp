// One message in. A message that does not come from one of the trade's three peers is dropped.

#include "trade/trade_book.hpp"

namespace fray {

namespace {

/// Whether a peer of this role may send this message to us.
bool allowed(const TradePacket& packet, TradeRole mine, TradeRole theirs) {
    const TradeKind kind = packet.kind;
    if (kind == TradeKind::unknown) return true;
    if ((kind == TradeKind::offer) != (packet.name.key == 0)) return false;
    if (kind == TradeKind::offer) return mine == TradeRole::partner && theirs == TradeRole::proposer;
    if (kind == TradeKind::vote) return mine != TradeRole::partner && theirs != TradeRole::witness;
    return true;
}

bool matches_offer(const Trade& trade, const TradePacket& vote) {
    return trade.name.partner == vote.name.partner && trade.name.witness == vote.name.witness &&
           trade.give == vote.give && trade.want == vote.want;
}

/// Why a trade ended that this side does not hold.
TradeReason reason_of_refusal(TradeRole side) {
    return side == TradeRole::proposer ? TradeReason::withdrawn : TradeReason::declined;
}

}  // namespace

void TradeBook::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    const auto packet = decode(bytes);
    if (!packet || forgotten_.contains(from)) return reject();
    const auto mine = packet->name.role_of(owner_);
    const auto theirs = packet->name.role_of(from);
    if (!mine || !theirs || mine == theirs || !allowed(*packet, *mine, *theirs)) return reject();
    receive(now, {*packet, *mine, *theirs});
    trades_.sweep();
}

void TradeBook::receive(Instant now, const Heard& heard) {
    const TradeKind kind = heard.packet.kind;
    if (kind == TradeKind::unknown) return receive_unknown(now, heard);
    if (kind == TradeKind::offer) return receive_offer(now, heard);
    if (kind == TradeKind::vote) return receive_vote(now, heard);
    const bool witness = heard.mine == TradeRole::witness;
    Trade* trade = witness ? witness_trade(now, heard) : trades_.find(heard.packet.name);
    if (trade == nullptr) return answer_unknown(heard);
    receive_ballot(now, heard, *trade);
}

/// The witness holds every trade that a side names; one that it has forgotten was known to all.
Trade* TradeBook::witness_trade(Instant now, const Heard& heard) {
    const TradeName& name = heard.packet.name;
    if (Trade* trade = trades_.find(name)) return trade;
    if (heard.packet.kind == TradeKind::promise || settlement_.find_closed(name) != nullptr) return nullptr;
    const PeerId& opener = name.peer(heard.theirs);
    if (trades_.full(TradeRole::witness) && trades_.make_room_for(opener)) outbox_.require_save();
    if (trades_.full_for(opener, TradeRole::witness)) {
        reject();
        return nullptr;
    }
    return &hold(
        now, {.name = name, .role = TradeRole::witness, .stage = TradeStage::bound, .opener = heard.theirs});
}

void TradeBook::receive_offer(Instant now, const Heard& heard) {
    const TradePacket& packet = heard.packet;
    if (const Trade* known = trades_.find_as_side(packet.name.id)) {
        if (known->stage == TradeStage::bound) outbox_.send(*known, heard.theirs, TradeKind::vote);
        return;
    }
    // Only as partner: other peers can make us witness of a trade with any number.
    if (settlement_.offer_closed(packet.name.id, owner_))
        return outbox_.send_unknown(packet.name, heard.theirs);
    const bool nothing = packet.give.empty() && packet.want.empty();
    const bool full =
        trades_.full_for(packet.name.id.proposer, TradeRole::partner) || outbox_.full_of_events();
    if (nothing || full || forgotten_.contains(packet.name.witness)) return reject();
    const Trade& trade = hold(now, {.name = packet.name,
                                    .role = TradeRole::partner,
                                    .stage = TradeStage::offered,
                                    .give = packet.give,
                                    .want = packet.want,
                                    .opener = TradeRole::proposer});
    outbox_.report(
        TradeOffered{trade.name.id, {trade.name.partner, trade.name.witness, trade.give, trade.want}});
}

void TradeBook::receive_vote(Instant now, const Heard& heard) {
    const bool witness = heard.mine == TradeRole::witness;
    Trade* trade = witness ? witness_trade(now, heard) : trades_.find(heard.packet.name);
    if (trade == nullptr) {
        if (!witness) receive_first_vote(now, heard);
        return;
    }
    if (!trade->undecided()) return outbox_.send(*trade, heard.theirs, TradeKind::decided);
    if (witness) voting_.handle_vote(*trade, heard.theirs, heard.packet);
}

/// The partner accepts our offer, and we are bound as well.
void TradeBook::receive_first_vote(Instant now, const Heard& heard) {
    Trade* open = trades_.find_open(heard.packet.name.id);
    if (open == nullptr) return answer_unknown(heard);
    if (!matches_offer(*open, heard.packet)) return reject();
    bind(now, *open, heard.packet.name.key);
}

void TradeBook::receive_unknown(Instant now, const Heard& heard) {
    const TradeName& name = heard.packet.name;
    if (name.key == 0) {  // an offer was withdrawn or declined
        Trade* open = trades_.find_open(name.id);
        if (open == nullptr || open->name != name || heard.theirs == TradeRole::witness) return;
        return settlement_.drop(*open, reason_of_refusal(heard.theirs));
    }
    Trade* trade = trades_.find(name);
    if (trade == nullptr) return;
    // A side that does not hold the trade will never vote, or the trade is over, and then only a witness that
    // forgot it can hold it again. So abort is certain. The same message from the witness means nothing.
    const bool veto = trade->undecided() && heard.theirs != TradeRole::witness;
    if (trade->undecided() && !veto) return;
    note_knows(*trade, heard.theirs);
    if (veto) decide(now, *trade, false, reason_of_refusal(heard.theirs));
    settlement_.close_where_all_know(*trade);
}

void TradeBook::note_knows(Trade& trade, TradeRole who) {
    if (trade.note_knows(who)) outbox_.require_save();
}

void TradeBook::receive_ballot(Instant now, const Heard& heard, Trade& trade) {
    const TradePacket& packet = heard.packet;
    if (packet.kind == TradeKind::decided) return receive_decided(now, heard, trade);
    if (!trade.undecided()) return outbox_.send(trade, heard.theirs, TradeKind::decided);
    if (packet.kind == TradeKind::promise) return voting_.handle_promise(trade, packet);
    if (leader_of(packet.ballot) != heard.theirs) return reject();
    if (trade.droppable() && !trades_.may_record(trade)) return reject();  // as if the message was lost
    if (packet.kind == TradeKind::prepare) return voting_.handle_prepare(trade, heard.theirs, packet.ballot);
    if (!voting_.handle_accept(trade, heard.theirs, {packet.ballot, packet.commit})) return;
    decide(now, trade, packet.commit, reason_of(packet.commit));
}

void TradeBook::receive_decided(Instant now, const Heard& heard, Trade& trade) {
    const bool commit = heard.packet.commit;
    if (!trade.undecided() && *trade.verdict.decided() != commit) {
        if (trade.shown) return reject();  // a peer lies
        outbox_.require_save();  // it was over: late copies made us hold it again, one of a ballot that lost
        return settlement_.close(trade);
    }
    note_knows(trade, heard.theirs);
    if (trade.undecided()) decide(now, trade, commit, reason_of(commit));
    if (!trade.shown) settlement_.show(trade, reason_of(commit));
    if (!heard.packet.heard) outbox_.send(trade, heard.theirs, TradeKind::decided);
    settlement_.close_where_all_know(trade);
}

/// We do not hold this trade. Either it is over, or we are a side and promise never to vote in it. An open
/// offer with that number must therefore end here: a vote that is on its way could still bind us.
void TradeBook::answer_unknown(const Heard& heard) {
    const TradePacket& packet = heard.packet;
    const bool wants_answer =
        packet.kind == TradeKind::decided ? !packet.heard : packet.kind != TradeKind::promise;
    if (!wants_answer) return;
    if (const ClosedTrade* over = settlement_.find_closed(packet.name))
        return outbox_.send_closed(packet.name, heard.theirs, over->committed);
    if (heard.mine == TradeRole::witness) return;  // no room: the sides repeat
    Trade* open = trades_.find_open(packet.name.id);
    const bool ours = open != nullptr && open->role == TradeRole::proposer &&
                      open->name.partner == packet.name.partner && open->name.witness == packet.name.witness;
    if (ours) settlement_.drop(*open, TradeReason::withdrawn);
    outbox_.send_unknown(packet.name, heard.theirs);
}

}  // namespace fray
