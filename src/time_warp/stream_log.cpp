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
constexpr std::size_t kMostQueuedLines = 65'536;

}  // namespace

StreamLog::StreamLog(Instant now, const PeerId& self, const StreamOptions& options, bool founds)
    : self_{self}, options_{options}, now_{now} {
    if (!founds) return;
    is_member_ = true;
    seat_ = 0;
    own_.begin(1);
    events_.push_back(Admitted{0, 0, options.greeting});
    say_line({.tick = 0, .author = self, .kind = StreamLine::Kind::enter, .subject = self, .seat = 0});
}

std::vector<PeerId> StreamLog::members() const {
    std::vector<PeerId> all;
    if (is_member_ && seat_ != kNoSeat) all.push_back(self_);
    for (const auto& [peer, member] : members_) {
        if (member.is_active() && !member.watches()) all.push_back(peer);
    }
    std::ranges::sort(all);
    return all;
}

StreamLog::Member* StreamLog::find(const PeerId& peer) {
    const auto found = members_.find(peer);
    return found == members_.end() ? nullptr : &found->second;
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
}

// --- packets ---

void StreamLog::take_packet(const PeerId& from, const StreamPacket& packet) {
    Member* member = find(from);
    if (!is_member_ || member == nullptr || !member->is_active() || packet.since != member->since) {
        ++counts_.from_strangers;
        return;
    }
    if (packet.heard_since == since_)
        member->acked = std::max(member->acked, std::min(packet.heard, own_.next() - 1));
    if (packet.base != std::max(member->since, since_)) return;
    member->said.begin(packet.first);
    if (!take_lines(*member, from, packet)) return;
    if (packet.through > present_ + options_.most_ahead) {
        ++counts_.too_far;
        return;
    }
    if (packet.through > member->said.through()) member->progressed = now_;
    member->said.promise(packet.through);
    if (packet.hash_at != 0) take_hash(from, packet.hash_at, packet.hash);
}

/// False if a line was refused, or some before these are not known.
bool StreamLog::take_lines(Member& member, const PeerId& from, const StreamPacket& packet) {
    if (packet.first > member.said.next()) return false;
    for (const StreamLine& line : packet.lines) {
        if (line.number >= member.said.next() && !take_line(member, line, from)) return false;
    }
    return true;
}

bool StreamLog::take_line(Member& member, StreamLine line, const PeerId& author) {
    line.author = author;
    if (line.kind == StreamLine::Kind::game) {
        line.subject = author;
        line.seat = member.seat;
    }
    if (line.tick > present_ + options_.most_ahead) {
        ++counts_.too_far;
        return false;
    }
    if (!member.said.append(line)) {
        ++counts_.before_promise;
        return false;
    }
    member.said.trim();
    ++counts_.lines;
    publish(std::move(line));
    return true;
}

/// A line is known here from now on.
void StreamLog::publish(StreamLine line) {
    if (line.kind == StreamLine::Kind::enter) apply_enter(line);
    if (line.kind == StreamLine::Kind::leave) apply_leave(line);
    if (lines_.size() < kMostQueuedLines) lines_.push_back(std::move(line));
}

// --- own lines ---

Result<void> StreamLog::say(Tick tick, std::span<const std::uint8_t> bytes) {
    if (!is_member_ || seat_ == kNoSeat) return Error{"only a member with a seat has a stream"};
    if (bytes.size() > kMostLineBytes) return Error{"a line has at most 64 bytes"};
    if (tick < own_.through())
        return Error{"tick " + std::to_string(tick) + " is promised already: lines follow from tick " +
                     std::to_string(own_.through()) + " on"};
    if (tick > present_ + options_.most_ahead) return Error{"the tick lies too far ahead"};
    say_line({.tick = tick,
              .author = self_,
              .kind = StreamLine::Kind::game,
              .subject = self_,
              .seat = seat_,
              .bytes = {bytes.begin(), bytes.end()}});
    return {};
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
    if (is_member_) {
        keep_members();
        own_.promise(present_);
        find_horizon();
        vote();
        send_packets();
    } else {
        knock();
    }
    ask_again();
    if (auto piece = sender_.next()) note(piece->first, std::move(piece->second));
}

void StreamLog::send_packets() {
    for (auto& [peer, member] : members_) {
        if (!member.is_active() || !member.linked) continue;
        const bool has_news = member.sent + 1 < own_.next();
        if (has_news || now_ - member.sent_at >= options_.send_interval) send_packet(peer, member);
    }
}

void StreamLog::send_packet(const PeerId& to, Member& member) {
    StreamPacket packet;
    packet.match = options_.match;
    packet.since = since_;
    packet.base = std::max(since_, member.since);
    packet.through = own_.through();
    packet.heard = member.said.has_begun() ? member.said.next() - 1 : 0;
    packet.heard_since = member.since;
    packet.first = std::max(member.acked + 1, own_.first_since(packet.base));
    packet.lines = own_.from(packet.first, kMostLinesInPacket);
    // What does not fit follows when these have arrived.
    while (packet.lines.size() > 1 && measure(packet) > kPacketBytes * 8) packet.lines.pop_back();
    const std::uint32_t after = packet.first + static_cast<std::uint32_t>(packet.lines.size());
    if (after < own_.next()) packet.through = std::min(packet.through, own_.from(after, 1).front().tick);
    const std::optional<Tick> newest = votes_.newest_of(self_);
    if (member.packets++ % kHashEvery == 0 && newest && *newest <= packet.through) {
        packet.hash_at = *newest;
        packet.hash = votes_.hash_of(self_, *newest).value_or(0);
    }
    member.sent = std::max(member.sent, after - 1);
    member.sent_at = now_;
    StreamDatum datum{.is_note = false, .packet = std::move(packet)};
    messages_.push_back({to, to_bytes(datum), Delivery::unreliable});
}

void StreamLog::note(const PeerId& to, StreamNote note) {
    note.match = options_.match;
    StreamDatum datum{.is_note = true, .note = std::move(note)};
    messages_.push_back({to, to_bytes(datum), Delivery::ordered});
}

void StreamLog::find_horizon() {
    Tick all = own_.through();
    if (seat_ == kNoSeat) all = present_;
    for (const auto& [peer, member] : members_) {
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

const PeerId& TickStreams::self() const { return log_->self(); }
bool TickStreams::is_member() const { return log_->is_member(); }
PartNumber TickStreams::seat() const { return log_->seat(); }
Tick TickStreams::horizon() const { return log_->horizon(); }
Tick TickStreams::promised() const { return log_->promised(); }
std::vector<PeerId> TickStreams::members() const { return log_->members(); }
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
    log_->offer_state(to, tick, std::move(bytes));
}
void TickStreams::report_desync(Tick tick, std::vector<std::uint8_t> text) {
    log_->report_desync(tick, std::move(text));
}
void TickStreams::set_lag(Duration lag) { log_->set_lag(lag); }
std::optional<StreamMessage> TickStreams::poll_message() { return log_->poll_message(); }
std::optional<StreamLine> TickStreams::poll_line() { return log_->poll_line(); }
std::optional<StreamEvent> TickStreams::poll_event() { return log_->poll_event(); }

}  // namespace fray
