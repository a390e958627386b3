#pragma once
// How a trade reaches its decision: votes, ballots, repetitions and timeouts. The votes and ballots are in
// the Trade; this class changes them, records that the journal changed, and sends what follows. Safety
// depends on votes and ballots only. Repetitions and timeouts are needed for progress.

#include <fray/trade.hpp>

#include "trade/trade.hpp"
#include "trade/trade_outbox.hpp"
#include "trade/trade_packet.hpp"

#include <optional>

namespace fray {

class TradeVoting {
public:
    TradeVoting(const TradeOptions& options, TradeOutbox& outbox) : options_{options}, outbox_{outbox} {}

    /// No side is bound, and the offer was not answered in time.
    [[nodiscard]] bool expired(Instant now, const Trade& trade) const;
    /// We are the witness, and the second vote did not arrive in time: an abort is to be recorded.
    [[nodiscard]] bool unanswered(Instant now, const Trade& trade) const;
    /// Sends what the other peers may have missed, starts recovery if it is due, and sets trade.next.
    void repeat(Instant now, Trade& trade);

    // --- messages about an undecided trade ---
    /// At the witness: a side votes. The second vote for the same terms decides.
    void handle_vote(Trade& trade, TradeRole from, const TradePacket& vote);
    void handle_prepare(Trade& trade, TradeRole from, Ballot ballot);
    void handle_promise(Trade& trade, const TradePacket& promise);
    /// True if the value is accepted, and so decided. Otherwise the leader is told of the higher ballot.
    [[nodiscard]] bool handle_accept(Trade& trade, TradeRole from, const Accepted& told);

private:
    /// When the present stage of the trade times out.
    [[nodiscard]] std::optional<Instant> deadline(const Trade& trade) const;
    void urge(Instant now, Trade& trade);
    /// The witness records its decision as ballot 0.
    void record_first(Trade& trade, bool commit);
    void take_the_lead(Trade& trade);
    void schedule(Instant now, Trade& trade) const;

    TradeOptions options_;
    TradeOutbox& outbox_;
};

}  // namespace fray
