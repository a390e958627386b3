#pragma once
// The trades and items of one desk. fray/trade.hpp describes the protocol.
//
//   trade_book.cpp      commands, items, what goes out
//   trade_receive.cpp   one message in
//   trade_timers.cpp    repetitions and timeouts

#include <fray/trade.hpp>

#include "trade/trade.hpp"
#include "trade/trade_journal.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace fray {

class TradeBook {
public:
    TradeBook(Instant now, const TradeOptions& options, TradeJournal journal);

    // --- getters ---
    [[nodiscard]] const Items& items() const { return book_.items; }
    [[nodiscard]] std::uint32_t free(ItemId item) const;
    [[nodiscard]] std::size_t undecided() const;
    [[nodiscard]] std::size_t witnessing() const;
    [[nodiscard]] std::size_t remembered() const { return book_.trades.size(); }
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
    [[nodiscard]] std::optional<TradeMessage> poll_message();
    [[nodiscard]] std::optional<TradeEvent> poll_event();
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
    void receive_unknown(Instant now, const Heard& heard);
    void receive_ballot(Instant now, const Heard& heard, Trade& trade);
    void receive_prepare(const Heard& heard, Trade& trade);
    void receive_promise(const Heard& heard, Trade& trade);
    void receive_accept(Instant now, const Heard& heard, Trade& trade);
    void receive_decided(Instant now, const Heard& heard, Trade& trade);
    void bind_proposer(Instant now, const Heard& heard, Trade& trade);
    void note_vote(const Heard& heard, Trade& trade);
    void answer_unknown(const Heard& heard);
    [[nodiscard]] Trade* witness_trade(Instant now, const Heard& heard);
    void note_knows(Trade& trade, TradeRole who);
    [[nodiscard]] bool full_for(const PeerId& peer, TradeRole role) const;

    // --- trade_timers.cpp ---
    void look_after(Instant now, Trade& trade);
    void urge(Instant now, Trade& trade);
    void take_the_lead(Trade& trade);
    [[nodiscard]] std::optional<Instant> deadline(const Trade& trade) const;

    // --- trade_book.cpp ---
    [[nodiscard]] Result<void> check_room(const Items& in) const;
    [[nodiscard]] Result<void> check_free(const Items& out) const;
    [[nodiscard]] Trade* find(const TradeName& name);
    /// A trade in which we are a side and have not voted.
    [[nodiscard]] Trade* find_open(const TradeId& id);
    [[nodiscard]] bool forgotten(const PeerId& peer) const;
    [[nodiscard]] const ClosedTrade* closed(const TradeName& name) const;
    /// Never returns a number twice; one cannot be guessed from others.
    [[nodiscard]] std::uint64_t next_number();
    /// Each role has its quota, so that other peers cannot use up the room for our own trades.
    [[nodiscard]] bool full(TradeRole role) const;
    Trade& hold(Instant now, Trade trade);
    void decide(Instant now, Trade& trade, bool commit, TradeReason reason);
    void show(Trade& trade, TradeReason reason);
    /// Ends a trade in which we have not voted.
    void drop(Trade& trade, TradeReason reason);
    void close(Trade& trade);
    void close_where_all_know(Trade& trade);
    void sweep();

    void say(const PeerId& to, const TradePacket& packet);
    void say(const Trade& trade, TradeRole to, TradeKind kind);
    void say_unknown(const TradeName& name, TradeRole to);
    void tell_to_accept(const Trade& trade, const Accepted& what);
    void reject() { ++rejected_; }

    TradeOptions options_;
    TradeJournal book_;
    bool unsaved_ = true;  // the journal changed since the game fetched it
    std::uint32_t counter_ = 0;
    std::deque<TradeMessage> messages_;
    std::deque<TradeEvent> events_;
    std::uint64_t rejected_ = 0;
};

/// The two other roles.
[[nodiscard]] constexpr std::array<TradeRole, 2> others(TradeRole role) {
    const auto n = static_cast<unsigned>(role);
    return {static_cast<TradeRole>((n + 1) % 3), static_cast<TradeRole>((n + 2) % 3)};
}

}  // namespace fray
