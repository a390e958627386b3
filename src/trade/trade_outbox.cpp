#include "trade/trade_outbox.hpp"

namespace fray {

namespace {

template <class T>
std::optional<T> take_first(std::deque<T>& queue) {
    if (queue.empty()) return std::nullopt;
    T first = std::move(queue.front());
    queue.pop_front();
    return first;
}

}  // namespace

void TradeOutbox::queue(const PeerId& to, const TradePacket& packet) {
    // If the game does not poll, messages are dropped, as the network may drop them.
    constexpr std::size_t kMostUnsent = 1024;
    if (messages_.size() < kMostUnsent && !forgotten_.contains(to)) messages_.push_back({to, encode(packet)});
}

void TradeOutbox::send(const Trade& trade, TradeRole to, TradeKind kind) {
    TradePacket packet{.kind = kind, .name = trade.name};
    if (kind == TradeKind::offer || kind == TradeKind::vote) {
        packet.give = trade.give;
        packet.want = trade.want;
    }
    packet.ballot = trade.verdict.promised();
    packet.accepted = trade.verdict.accepted();
    packet.commit = trade.verdict.decided().value_or(false);
    packet.heard = trade.knows_by(to);
    queue(trade.name.peer(to), packet);
}

void TradeOutbox::send_prepare(const Trade& trade, Ballot ballot) {
    for (const TradeRole other : others(trade.role)) {
        queue(trade.name.peer(other), {.kind = TradeKind::prepare, .name = trade.name, .ballot = ballot});
    }
}

void TradeOutbox::send_accept(const Trade& trade, const Accepted& what) {
    for (const TradeRole other : others(trade.role)) {
        queue(trade.name.peer(other),
              {.kind = TradeKind::accept, .name = trade.name, .ballot = what.ballot, .commit = what.commit});
    }
}

void TradeOutbox::send_closed(const TradeName& name, TradeRole to, bool committed) {
    queue(name.peer(to), {.kind = TradeKind::decided, .name = name, .commit = committed, .heard = true});
}

void TradeOutbox::send_unknown(const TradeName& name, TradeRole to) {
    queue(name.peer(to), {.kind = TradeKind::unknown, .name = name});
}

bool TradeOutbox::full_of_events() const {
    constexpr std::size_t kMostUnread = 1024;
    return events_.size() >= kMostUnread;
}

std::optional<TradeMessage> TradeOutbox::poll_message() {
    return unsaved_ ? std::nullopt : take_first(messages_);
}

std::optional<TradeEvent> TradeOutbox::poll_event() { return unsaved_ ? std::nullopt : take_first(events_); }

}  // namespace fray
