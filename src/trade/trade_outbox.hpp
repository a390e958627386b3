#pragma once
// What a desk has for the game to fetch: messages, events, and whether the journal has changed. Messages and
// events wait until the changed journal was fetched, so that nothing leaves that a crash could undo.

#include <fray/trade.hpp>

#include "trade/forgotten_peers.hpp"
#include "trade/trade.hpp"
#include "trade/trade_packet.hpp"

#include <deque>
#include <optional>
#include <utility>

namespace fray {

class TradeOutbox {
public:
    /// Messages to forgotten peers are dropped.
    explicit TradeOutbox(const ForgottenPeers& forgotten) : forgotten_{forgotten} {}

    // --- in ---
    /// To be called on every change of what the journal holds.
    void require_save() { unsaved_ = true; }
    /// A message of this kind with what we hold of the trade.
    void send(const Trade& trade, TradeRole to, TradeKind kind);
    /// To both other peers.
    void send_prepare(const Trade& trade, Ballot ballot);
    void send_accept(const Trade& trade, const Accepted& what);
    /// The trade is over: its decision, to a peer that need not answer.
    void send_closed(const TradeName& name, TradeRole to, bool committed);
    void send_unknown(const TradeName& name, TradeRole to);
    void report(TradeEvent event) { events_.push_back(std::move(event)); }
    /// The game does not fetch its events: no more offers.
    [[nodiscard]] bool full_of_events() const;

    // --- out ---
    /// Whether the journal changed since the last call.
    [[nodiscard]] bool take_unsaved() { return std::exchange(unsaved_, false); }
    [[nodiscard]] std::optional<TradeMessage> poll_message();
    [[nodiscard]] std::optional<TradeEvent> poll_event();

private:
    void queue(const PeerId& to, const TradePacket& packet);

    const ForgottenPeers& forgotten_;
    bool unsaved_ = true;  // opening the desk is a change: numbers of an earlier stay must not come again
    std::deque<TradeMessage> messages_;
    std::deque<TradeEvent> events_;
};

}  // namespace fray
