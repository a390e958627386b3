#pragma once
// One desk: fray/trade.hpp describes the protocol. Each part owns some of the state; the journal is a copy of
// all that must survive a crash.
//
//   TradeNumbers     numbers that are never used twice
//   ForgottenPeers   peers that never return
//   Holdings         items
//   HeldTrades       trades, and quotas for them
//   TradeOutbox      messages, events, whether the journal changed
//   TradeVoting      timeouts; leads each trade to its decision
//   Settlement       trades that are over; ends each trade
//
// The book connects them:
//
//   trade_book.cpp      opening, commands, time, what goes out
//   trade_receive.cpp   one message in

#include <fray/trade.hpp>

#include "trade/forgotten_peers.hpp"
#include "trade/held_trades.hpp"
#include "trade/holdings.hpp"
#include "trade/settlement.hpp"
#include "trade/trade.hpp"
#include "trade/trade_journal.hpp"
#include "trade/trade_numbers.hpp"
#include "trade/trade_outbox.hpp"
#include "trade/trade_packet.hpp"
#include "trade/trade_voting.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class TradeBook {
public:
    TradeBook(Instant now, const TradeOptions& options, TradeJournal journal);
    TradeBook(const TradeBook&) = delete;  // parts refer to one another
    TradeBook& operator=(const TradeBook&) = delete;

    // --- getters ---
    [[nodiscard]] const Items& items() const { return holdings_.items(); }
    [[nodiscard]] std::uint32_t free(ItemId item) const { return holdings_.free(item, trades_.all()); }
    [[nodiscard]] std::size_t undecided() const;
    [[nodiscard]] std::size_t witnessing() const;
    [[nodiscard]] std::size_t remembered() const { return trades_.all().size(); }
    [[nodiscard]] std::vector<TradeState> trades() const;
    [[nodiscard]] std::uint64_t rejected() const { return rejected_; }

    // --- network and time in ---
    void handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes);
    void handle_time(Instant now);

    // --- commands ---
    Result<void> add(const Items& items);
    Result<void> remove(const Items& items);
    [[nodiscard]] Result<TradeId> propose(Instant now, const TradeTerms& terms);
    Result<void> accept(Instant now, const TradeId& id);
    Result<void> refuse(const TradeId& id);
    Result<void> forget(const PeerId& peer);

    // --- out ---
    [[nodiscard]] std::optional<std::vector<std::uint8_t>> poll_journal();
    [[nodiscard]] std::optional<TradeMessage> poll_message() { return outbox_.poll_message(); }
    [[nodiscard]] std::optional<TradeEvent> poll_event() { return outbox_.poll_event(); }
    [[nodiscard]] Instant poll_wakeup() const;

private:
    // --- trade_receive.cpp ---
    /// A packet, and the different roles of receiver and sender.
    struct Heard {
        const TradePacket& packet;
        TradeRole mine;
        TradeRole theirs;
    };
    void receive(Instant now, const Heard& heard);
    void receive_offer(Instant now, const Heard& heard);
    void receive_vote(Instant now, const Heard& heard);
    void receive_first_vote(Instant now, const Heard& heard);
    void receive_unknown(Instant now, const Heard& heard);
    void receive_ballot(Instant now, const Heard& heard, Trade& trade);
    void receive_decided(Instant now, const Heard& heard, Trade& trade);
    void answer_unknown(const Heard& heard);
    [[nodiscard]] Trade* witness_trade(Instant now, const Heard& heard);
    void note_knows(Trade& trade, TradeRole who);
    void reject() { ++rejected_; }

    // --- trade_book.cpp ---
    Trade& hold(Instant now, Trade trade);
    /// Records our vote. The key is the partner's.
    void bind(Instant now, Trade& trade, std::uint64_t key);
    void decide(Instant now, Trade& trade, bool commit, TradeReason reason);
    void expire(Trade& trade);

    PeerId owner_;
    TradeNumbers numbers_;
    ForgottenPeers forgotten_;
    Holdings holdings_;
    HeldTrades trades_;
    TradeOutbox outbox_;
    TradeVoting voting_;
    Settlement settlement_;
    std::uint64_t rejected_ = 0;
};

/// Why a trade ended that was decided by votes or ballots.
[[nodiscard]] constexpr TradeReason reason_of(bool commit) {
    return commit ? TradeReason::agreed : TradeReason::timed_out;
}

}  // namespace fray
