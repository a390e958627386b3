#include "clock/clock_exchange.hpp"

#include "clock/clock_messages.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr unsigned kQuickPings = 10;  // pings per interval until the clock has settled
constexpr std::int64_t kMostHoldMicros = (1 << 24) - 1;
constexpr unsigned kMostHopsTold = 15;
constexpr Duration kStepBack{100ms};      // after a larger step back, earlier stamps would lie in the future
constexpr std::uint32_t kTrusted = 4;     // exchanges with a reference before it is followed
constexpr std::size_t kConfirming = 7;    // answers that confirm or replace the time from the join, ...
constexpr Duration kConfirmedAfter{10s};  // ... or those there are by then
constexpr Duration kMostOff{20ms};        // of a reference from the middle of all clocks
constexpr unsigned kRoundsHeld = 4;       // a reading counts until the peer missed several turns, ...
constexpr unsigned kLeastHeld = 16;       // ... or for as many intervals, whichever is longer

}  // namespace

void ClockExchange::start(Instant now) {
    joined_us_ = wire_time(session_time(now));
    founder_ = true;
    confirmed_at_ = now;
}

ClockStats ClockExchange::stats() const {
    ClockStats stats = sync_.stats();
    stats.hops = hops();
    return stats;
}

void ClockExchange::meet(LinkNumber link, const PeerId& peer, const Met& met) {
    // If both join through each other, the peer with the smaller id is the first of the session, whatever the
    // hellos say.
    exchanges_[link].joined_us = !met.crossing ? met.joined_us : peer < self_ ? 0 : kMaxWireTime;
    if (met.crossing && peer < self_) founder_ = false;
    exchanges_[link].hops = met.hops;
}

void ClockExchange::take_session_time(Instant now, const PeerId& peer, const JoinedClock& clock) {
    if (clock.crossing && self_ < peer) return;  // our clock is session time
    founder_ = false;
    confirmed_at_ = now + kConfirmedAfter;
    joined_us_ = clock.joined_us + 1;
    reference_.reset();        // it may be of a former session
    if (!clock.asked) return;  // session time comes from pings instead
    sync_.start(measure_clock(now, *clock.asked, clock.theirs, clock.hold));
    const std::uint64_t present = wire_time(session_time(now));
    joined_us_ = clock.crossing ? present : std::max(joined_us_, present);
    listener_.handle_clock_set(now);
}

void ClockExchange::run_frame(Instant now) {
    if (reference_ && now < next_ping_at_) return;
    choose_reference();
    if (now < next_ping_at_) return;
    const LinkNumber next = next_in_turn();
    if (next == kNoLink) return;
    // Once the clock has settled, the reference and the others are asked alternately: the middle of all
    // clocks then takes no more exchanges than the reference alone.
    asked_reference_ = reference_ && reference_ != next && (!settled() || !asked_reference_);
    if (asked_reference_) ping(*reference_);
    if (!asked_reference_ || !settled()) {
        exchanges_[next].turn = now;
        ping(next);
    }
    next_ping_at_ = now + (settled() ? options_.interval : options_.interval / kQuickPings);
}

void ClockExchange::ping(LinkNumber link) {
    exchanges_[link].ping_due = true;
    exchanges_[link].is_urgent = !settled();
    out_.wake(link);
}

bool ClockExchange::settled() const {
    return sync_.exchanges() >= PeerClock::kEnough &&
           (!reference_ || exchanges_.find(*reference_)->clock.exchanges() >= PeerClock::kEnough);
}

LinkNumber ClockExchange::next_in_turn() const {
    // The one that waited longest. A peer cannot be asked more often by returning: its turn is then the last.
    LinkNumber next = kNoLink;
    Instant turn = Instant::max();
    for (const LinkNumber link : links_.up_links()) {
        const Instant its_turn = exchanges_.find(link)->turn;
        if (its_turn >= turn || !links_.is_proven(link)) continue;
        next = link;
        turn = its_turn;
    }
    return next;
}

bool ClockExchange::is_older(LinkNumber link) const {
    // Ties go to the smaller id. The founder knows that no other peer is older.
    const std::uint64_t joined = exchanges_.find(link)->joined_us;
    return !founder_ && (joined < joined_us_ || (joined == joined_us_ && links_.peer(link) < self_));
}

void ClockExchange::choose_reference() {
    if (founder_) return;
    if (reference_ && exchanges_[*reference_].is_off) reference_.reset();
    if (reference_ && exchanges_[*reference_].hops == 0) return;
    std::optional<LinkNumber> best = reference_;
    for (const LinkNumber link : links_.up_links()) {
        if (!links_.is_proven(link) || !is_older(link) || exchanges_[link].is_off) continue;
        if (!best || exchanges_[link].hops < exchanges_[*best].hops) best = link;
    }
    if (!best || reference_ == best) return;
    reference_ = best;
    sync_.change_reference();
    next_ping_at_ = Instant::min();
}

ClockVote ClockExchange::ask_all(Instant now) {
    const auto peers = static_cast<unsigned>(links_.up_links().size());
    const Duration held = options_.interval * std::max(kRoundsHeld * peers, kLeastHeld);
    readings_.clear();
    if (readings_.capacity() < peers) readings_.reserve(peers);
    for (const LinkNumber link : links_.up_links()) {
        const auto best = exchanges_[link].clock.best(now - held);
        if (!best) continue;
        const Duration error = sync_.error_of(now, *best);
        const bool may_be_far = error > kClockStep || error < -kClockStep;  // age counts only there
        readings_.push_back({error, best->rtt, may_be_far && is_older(link), link});
    }
    const ClockVote vote = count_votes(readings_, now >= confirmed_at_ || peers == 1);
    if (readings_.size() >= kConfirming) confirmed_at_ = std::min(confirmed_at_, now);
    for (const ClockReading& reading : readings_) {
        const Duration error = vote.step || !vote.middle ? Duration{0} : reading.error - *vote.middle;
        exchanges_[reading.link].is_off = error > kMostOff || error < -kMostOff;
    }
    return vote;
}

void ClockExchange::correct(Instant now) {
    const ClockVote vote = ask_all(now);
    std::optional<ClockSync::Reference> reference;
    if (reference_) {
        const PeerClock& clock = exchanges_[*reference_].clock;
        if (clock.exchanges() >= kTrusted)
            reference = {*clock.best(Instant::min()), clock.exchanges() >= PeerClock::kEnough};
    }
    const SessionInstant before = session_time(now);
    if (sync_.correct(now, reference, vote) && before - session_time(now) > kStepBack)
        listener_.handle_clock_set(now);
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
    Exchange& exchange = exchanges_[arrival.link];
    exchange.hops = pong.hops;
    const auto age = static_cast<std::uint8_t>(next_ping_ - pong.id);
    Ping& ping = pings_[pong.id % kPings];
    if (age == 0 || age > kPings || ping.link != arrival.link) return taken();  // too old: ignored
    ping.link = kNoLink;
    const Instant now = arrival.now;
    exchange.clock.add(
        measure_clock(now, ping.sent, session_instant(pong.session_us), Duration{pong.hold_us}));
    correct(now);
    return taken();
}

void ClockExchange::handle_link_up(Instant now, const LinkUp& up) { exchanges_[up.link].turn = now; }

void ClockExchange::forget_link(LinkNumber link) {
    exchanges_.erase(link);
    for (Ping& ping : pings_) {
        if (ping.link == link) ping.link = kNoLink;
    }
    if (reference_ == link) reference_.reset();
}

void ClockExchange::reset() {
    sync_.reset();
    exchanges_.clear();
    pings_.fill({});
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
    if (exchange.ping_due) pings_[next_ping_++ % kPings] = {link, now};
    exchange.ping_due = exchange.is_urgent = exchange.pong_due = false;
    return false;
}

}  // namespace fray
