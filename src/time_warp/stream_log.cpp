#include "time_warp/stream_log.hpp"

#include <fray/assert.hpp>
#include <fray/encode.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kMostHeld = 65'536;  // messages in the middle queue
constexpr std::uint32_t kHashEvery = 4;    // packets

}  // namespace

StreamLog::StreamLog(Instant now, const PeerId& self, const StreamOptions& options, bool founds)
    : options_{options},
      now_{now},
      roster_{self},
      out_{options.match, counts_},
      losses_{roster_, out_, *this},
      states_{roster_, out_, counts_},
      stay_{static_cast<std::uint32_t>(micros(now.time_since_epoch()))} {
    if (!founds) return;
    roster_.admit_self({self, 0, 0, stay_});
    own_.begin(1);
    out_.event(Admitted{0, 0, options.greeting});
    StreamLine line{.tick = 0, .author = self, .kind = StreamLine::Kind::enter, .subject = self};
    line.count = stay_;
    say_line(std::move(line));
}

void StreamLog::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    now_ = now;
    if (options_.lag == Duration{} && middle_.empty()) return process(from, bytes);
    if (middle_.size() < kMostHeld)
        middle_.push_back({now + options_.lag, from, {bytes.begin(), bytes.end()}});
}

void StreamLog::process(const PeerId& from, std::span<const std::uint8_t> bytes) {
    auto datum = value_of<StreamDatum>(bytes);
    const std::uint32_t match = datum ? (datum->is_note ? datum->note.match : datum->packet.match) : 0;
    if (!datum || match != options_.match) {
        ++counts_.malformed;
        return;
    }
    if (datum->is_note)
        take_note(from, datum->note);
    else
        take_packet(from, datum->packet);
    // Not while the members are looked at.
    if (std::exchange(is_ended_, false)) evict();
}

// --- packets ---

void StreamLog::take_packet(const PeerId& from, const StreamPacket& packet) {
    StreamMember* member = roster_.find(from);
    const bool is_known = roster_.is_member() && member != nullptr && member->is_active();
    if (!is_known || packet.since != member->since) {
        ++counts_.from_strangers;
        return;
    }
    if (packet.heard_since == roster_.since())
        member->acked = std::max(member->acked, std::min(packet.heard, own_.next() - 1));
    if (packet.base != std::max(member->since, roster_.since())) return;
    member->said.begin(packet.first);
    if (!take_lines(*member, from, packet)) return;
    if (packet.through > present_ + options_.most_ahead) {
        ++counts_.too_far;
        return;
    }
    if (packet.through > member->said.through()) member->progressed = now_;
    member->said.promise(packet.through);
    const bool has_hash =
        packet.hash_at != 0 && packet.hash_at % options_.checkpoint == 0 && packet.hash_at <= present_;
    if (has_hash) states_.take_hash(from, packet.hash_at, packet.hash);
}

/// False if a line was refused, or some before these are not known.
bool StreamLog::take_lines(StreamMember& member, const PeerId& from, const StreamPacket& packet) {
    if (packet.first > member.said.next()) return false;
    for (const StreamLine& line : packet.lines) {
        if (line.number >= member.said.next() && !take_line(member, line, from)) return false;
    }
    return true;
}

bool StreamLog::take_line(StreamMember& member, StreamLine line, const PeerId& author) {
    line.author = author;
    if (line.kind == StreamLine::Kind::game) {
        line.subject = author;
        line.seat = member.seat;
    }
    const bool has_seat = line.seat < options_.seats || line.seat == kNoSeat;
    if (!has_seat || line.tick > present_ + options_.most_ahead) {
        ++(has_seat ? counts_.too_far : counts_.malformed);
        return false;
    }
    if (comes_too_soon(line)) return false;
    if (!member.said.append(line)) {
        ++counts_.before_promise;
        return false;
    }
    member.said.trim();
    ++counts_.lines;
    publish(std::move(line));
    return true;
}

/// A member that returns can enter here when all lines of its former stay are known. Until then the keeper's
/// line is not taken, so it comes again.
bool StreamLog::comes_too_soon(const StreamLine& line) {
    if (line.kind != StreamLine::Kind::enter) return false;
    StreamMember* known = roster_.find(line.subject);
    const bool is_other_stay = known != nullptr && !known->watches() && known->stay != line.count;
    if (!is_other_stay || known->is_settled()) return false;
    if (known->suspect && !known->gap_since) known->gap_since = now_;
    return true;
}

/// A line is known here from now on.
void StreamLog::publish(StreamLine line) {
    const bool is_own = line.subject == roster_.self();
    // A newcomer learns from its welcome that it has entered.
    if (line.kind == StreamLine::Kind::enter && !is_own)
        enter({line.subject, line.seat, line.tick, line.count});
    if (line.kind == StreamLine::Kind::leave && !is_own) losses_.settle(line);
    is_ended_ = is_ended_ || (line.kind == StreamLine::Kind::leave && is_own);
    out_.line(std::move(line));
}

// --- own lines ---

Result<void> StreamLog::say(Tick tick, std::span<const std::uint8_t> bytes) {
    if (!roster_.plays()) return Error{"only a member with a seat has a stream"};
    if (bytes.size() > kMostLineBytes) return Error{"a line has at most 64 bytes"};
    if (tick < own_.through())
        return Error{"tick " + std::to_string(tick) + " is promised already: lines follow from tick " +
                     std::to_string(own_.through()) + " on"};
    if (tick > present_ + options_.most_ahead) return Error{"the tick lies too far ahead"};
    StreamLine line{
        .tick = tick, .author = roster_.self(), .subject = roster_.self(), .seat = roster_.seat()};
    line.bytes.assign(bytes.begin(), bytes.end());
    say_line(std::move(line));
    return {};
}

void StreamLog::say_now(StreamLine line) {
    line.tick = own_.through();
    say_line(std::move(line));
}

void StreamLog::say_line(StreamLine line) {
    line.number = own_.next();
    const bool is_next = own_.append(line);
    FRAY_ASSERT(is_next);
    own_.trim();
    publish(std::move(line));
}

void StreamLog::advance(Instant now, Tick present) {
    now_ = now;
    present_ = std::max(present_, present);
    while (!middle_.empty() && middle_.front().due <= now) {
        const Held held = std::move(middle_.front());
        middle_.pop_front();
        process(held.from, held.bytes);
    }
    if (roster_.is_member()) {
        losses_.suspect_laggards(own_);
        losses_.tend(now_, options_);
        if (std::exchange(is_ended_, false)) evict();
    }
    if (roster_.is_member()) {
        admit_knockers();
        greet_rivals();
        own_.promise(present_);
        find_horizon();
    } else {
        knock();
    }
    states_.tend(now_);
    if (roster_.is_member()) send_packets();
}

void StreamLog::set_hash(Tick tick, std::uint64_t hash) {
    if (tick % options_.checkpoint == 0 && tick <= horizon_) states_.set_own_hash(now_, tick, hash);
}

void StreamLog::send_packets() {
    for (auto& [peer, member] : roster_.others()) {
        if (!member.is_active() || !member.linked) continue;
        const bool has_news = member.sent + 1 < own_.next();
        if (has_news || now_ >= member.next_packet) send_packet(peer, member);
    }
}

void StreamLog::send_packet(const PeerId& to, StreamMember& member) {
    StreamPacket packet;
    packet.since = roster_.since();
    packet.base = std::max(roster_.since(), member.since);
    packet.through = own_.through();
    if (packet.through < packet.base) return;  // admitted in a tick that has not begun here
    packet.heard = member.known();
    packet.heard_since = member.since;
    packet.first = std::max(member.acked + 1, own_.first_since(packet.base));
    if (own_.has_forgotten(packet.first, packet.base)) return;  // it is suspected in the next frame
    packet.lines = own_.from(packet.first, kMostLinesInPacket);
    // What does not fit follows when these have arrived.
    while (packet.lines.size() > 1 && measure(packet) > kPacketBytes * 8) packet.lines.pop_back();
    const std::uint32_t after = packet.first + static_cast<std::uint32_t>(packet.lines.size());
    if (after < own_.next()) packet.through = std::min(packet.through, own_.from(after, 1).front().tick);
    if (member.packets++ % kHashEvery == 0) states_.write_hash(packet);
    member.sent = std::max(member.sent, after - 1);
    member.next_packet = now_ + options_.send_interval;
    out_.packet(to, std::move(packet));
}

void StreamLog::find_horizon() {
    Tick all = roster_.plays() ? own_.through() : present_;
    for (const auto& [peer, member] : roster_.others()) {
        if (!member.watches() && !member.is_settled()) all = std::min(all, member.said.through());
    }
    horizon_ = std::max(horizon_, all);
}

// --- TickStreams ---

Result<void> StreamOptions::check() const {
    if (seats < 1 || seats > kMostSeats) return Error{"a match has 1 to 256 seats"};
    if (greeting.size() > kMostGreetingBytes) return Error{"a greeting has at most 256 bytes"};
    if (lag < Duration{} || lag > 10s) return Error{"the lag of the middle queue is 0 to 10 seconds"};
    if (send_interval < 1ms || send_interval > 1s) return Error{"send_interval is 1 ms to 1 s"};
    if (patience < 10ms || silence < 100ms) return Error{"patience or silence is too short"};
    if (checkpoint < 1) return Error{"checkpoint is at least one tick"};
    if (most_ahead < 1) return Error{"most_ahead is at least one tick"};
    return {};
}

TickStreams::TickStreams(std::unique_ptr<StreamLog> log) : log_{std::move(log)} {}
TickStreams::TickStreams(TickStreams&&) noexcept = default;
TickStreams& TickStreams::operator=(TickStreams&&) noexcept = default;
TickStreams::~TickStreams() = default;

Result<TickStreams> TickStreams::found(Instant now, const PeerId& self, const StreamOptions& options) {
    if (auto checked = options.check(); !checked) return checked.error();
    return TickStreams{std::make_unique<StreamLog>(now, self, options, true)};
}
Result<TickStreams> TickStreams::join(Instant now, const PeerId& self, const StreamOptions& options) {
    if (auto checked = options.check(); !checked) return checked.error();
    return TickStreams{std::make_unique<StreamLog>(now, self, options, false)};
}

const PeerId& TickStreams::self() const { return log_->roster().self(); }
bool TickStreams::is_member() const { return log_->roster().is_member(); }
PartNumber TickStreams::seat() const { return log_->roster().seat(); }
Tick TickStreams::horizon() const { return log_->horizon(); }
Tick TickStreams::promised() const { return log_->promised(); }
std::vector<PeerId> TickStreams::members() const { return log_->roster().players(); }
const StreamCounts& TickStreams::counts() const { return log_->counts(); }
void TickStreams::link_up(Instant now, const PeerId& peer) { log_->link_up(now, peer); }
void TickStreams::link_down(Instant now, const PeerId& peer) { log_->link_down(now, peer); }
void TickStreams::handle_message(Instant now, const PeerId& from, std::span<const std::uint8_t> bytes) {
    log_->handle_message(now, from, bytes);
}
Result<void> TickStreams::say(Tick tick, std::span<const std::uint8_t> bytes) {
    return log_->say(tick, bytes);
}
void TickStreams::advance(Instant now, Tick present) { log_->advance(now, present); }
void TickStreams::set_hash(Tick tick, std::uint64_t hash) { log_->set_hash(tick, hash); }
void TickStreams::offer_state(const PeerId& to, Tick tick, std::vector<std::uint8_t> bytes) {
    log_->states().offer(to, tick, std::move(bytes));
}
void TickStreams::report_desync(Tick tick, std::vector<std::uint8_t> text) {
    log_->states().report_desync(tick, std::move(text));
}
void TickStreams::drop(const PeerId& member) { log_->drop(member); }
void TickStreams::set_lag(Duration lag) { log_->set_lag(lag); }
std::optional<StreamMessage> TickStreams::poll_message() { return log_->out().poll_message(); }
std::optional<StreamLine> TickStreams::poll_line() { return log_->out().poll_line(); }
std::optional<StreamEvent> TickStreams::poll_event() { return log_->out().poll_event(); }

}  // namespace fray
