#include "clock/clock_exchange.hpp"

#include "clock/clock_messages.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr unsigned kQuickPings = 10;  // pings per interval until the clock has settled
constexpr std::int64_t kMostHoldMicros = (1 << 24) - 1;
constexpr unsigned kMostHopsTold = 15;
constexpr Duration kStepBack{100ms};  // after a larger step back, earlier stamps would lie in the future

}  // namespace

void ClockExchange::start(Instant now) { joined_us_ = wire_time(session_time(now)); }

ClockStats ClockExchange::stats() const {
    ClockStats stats = sync_.stats();
    stats.hops = hops();
    return stats;
}

void ClockExchange::meet(LinkNumber link, const PeerId& peer, const Met& met) {
    // If both join through each other, the peer with the smaller id is the first of the session, whatever the
    // hellos say.
    exchanges_[link].joined_us = !met.crossing ? met.joined_us : peer < self_ ? 0 : kMaxWireTime;
    exchanges_[link].hops = met.hops;
}

void ClockExchange::take_session_time(Instant now, const PeerId& peer, const JoinedClock& clock) {
    if (clock.crossing && self_ < peer) return;  // our clock is session time
    if (!clock.asked) return;                    // session time comes from pings instead
    reference_.reset();                          // it may be of a former session
    sync_.reset();
    sync_.sample(now, *clock.asked, clock.theirs, clock.hold);
    const std::uint64_t present = wire_time(session_time(now));
    joined_us_ = clock.crossing ? present : std::max(clock.joined_us + 1, present);
    listener_.handle_clock_set(now);
}

void ClockExchange::run_frame(Instant now) {
    choose_reference();
    if (!reference_ || now < next_ping_at_) return;
    exchanges_[*reference_].ping_due = true;
    out_.wake(*reference_);
    next_ping_at_ = now + (sync_.settled() ? options_.interval : options_.interval / kQuickPings);
}

void ClockExchange::choose_reference() {
    // Only peers that joined before us. Ties go to the smaller id.
    const auto is_older = [&](LinkNumber link) {
        const std::uint64_t joined = exchanges_[link].joined_us;
        return joined < joined_us_ || (joined == joined_us_ && links_.peer(link) < self_);
    };
    if (reference_ && exchanges_[*reference_].hops == 0) return;
    std::optional<LinkNumber> best = reference_;
    for (const LinkNumber link : links_.up_links()) {
        if (!links_.is_proven(link) || !is_older(link)) continue;
        if (!best || exchanges_[link].hops < exchanges_[*best].hops) best = link;
    }
    if (!best || reference_ == best) return;
    reference_ = best;
    sync_.change_reference();
    ping_sent_.fill(kNever);
    next_ping_at_ = Instant::min();
}

std::span<const MessageKind> ClockExchange::kinds() const {
    static constexpr std::array kKinds{MessageKind::clock_ping, MessageKind::clock_pong};
    return kKinds;
}

Receipt ClockExchange::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    return kind == MessageKind::clock_ping ? read_ping(arrival, in) : read_pong(arrival, in);
}

Receipt ClockExchange::read_ping(const Arrival& arrival, BitReader& in) {
    ClockPing ping;
    if (!read(in, ping)) return malformed();
    Exchange& exchange = exchanges_[arrival.link];
    exchange.ping_id = ping.id;
    exchange.ping_heard = arrival.now;
    exchange.pong_due = true;
    out_.wake(arrival.link);
    return taken();
}

Receipt ClockExchange::read_pong(const Arrival& arrival, BitReader& in) {
    ClockPong pong;
    if (!read(in, pong)) return malformed();
    exchanges_[arrival.link].hops = pong.hops;
    const auto age = static_cast<std::uint8_t>(next_ping_ - pong.id);
    if (reference_ != arrival.link || age == 0 || age > kPings) return taken();  // too old: ignored
    Instant& asked = ping_sent_[pong.id % kPings];
    if (asked == kNever) return taken();
    const Instant now = arrival.now;
    const SessionInstant before = session_time(now);
    sync_.sample(now, asked, session_instant(pong.session_us), Duration{pong.hold_us});
    asked = kNever;
    if (before - session_time(now) > kStepBack) listener_.handle_clock_set(now);
    return taken();
}

void ClockExchange::forget_link(LinkNumber link) {
    exchanges_.erase(link);
    if (reference_ == link) reference_.reset();
}

void ClockExchange::reset() {
    sync_.reset();
    exchanges_.clear();
    reference_.reset();
}

void ClockExchange::write_messages(Instant now, LinkNumber link, std::uint16_t, BitWriter& out) {
    const Exchange& exchange = exchanges_[link];
    if (exchange.ping_due) {
        write_kind(out, MessageKind::clock_ping);
        write(out, ClockPing{next_ping_});
    }
    if (exchange.pong_due) {
        const auto hold = std::clamp<std::int64_t>(micros(now - exchange.ping_heard), 0, kMostHoldMicros);
        write_kind(out, MessageKind::clock_pong);
        write(out, ClockPong{exchange.ping_id, wire_time(session_time(now)), static_cast<std::uint32_t>(hold),
                             static_cast<std::uint8_t>(std::min<unsigned>(hops(), kMostHopsTold))});
    }
}

bool ClockExchange::handle_sent(Instant now, LinkNumber link) {
    Exchange& exchange = exchanges_[link];
    if (exchange.ping_due) ping_sent_[next_ping_++ % kPings] = now;
    exchange.ping_due = false;
    exchange.pong_due = false;
    return false;
}

}  // namespace fray
