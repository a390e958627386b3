// One datagram out. Several messages share it wherever they can; what the budget does not let out waits.

#include "clock/clock_messages.hpp"
#include "replica/input_codec.hpp"
#include "session/session.hpp"

#include <algorithm>

namespace fray {

namespace {

constexpr std::size_t kUpdateOverhead =
    4 + 16 + 1 + 40 + 5 + 1;  // bits: type, stamp, more, number, back, end

void write_type(BitWriter& out, MessageType type) {
    out.bits(static_cast<std::uint64_t>(type), kMessageTypeBits);
}

}  // namespace

void Session::make_urgent(LinkSlot& slot) {
    if (slot.urgent) return;
    slot.urgent = true;
    urgent_.push_back(slot.link.ends.local_number);
}

void Session::pass_over(LinkSlot& slot) {
    // What it has does not fit, now or this round: the others go on, and it is the first in the next frame.
    slot.ready = false;
    if (!slot.urgent) return;
    std::erase(urgent_, slot.link.ends.local_number);
    passed_over_.push_back(slot.link.ends.local_number);
}

void Session::recall_passed_over() {
    std::erase_if(passed_over_,
                  [&](LinkNumber n) { return links_.at(n) == nullptr || !links_.at(n)->urgent; });
    urgent_.insert(urgent_.begin(), passed_over_.begin(), passed_over_.end());
    passed_over_.clear();
    // Whoever wants to come in goes first: all others are in already.
    auto front = urgent_.begin();
    for (auto at = urgent_.begin(); at != urgent_.end(); ++at) {
        const LinkSlot* slot = links_.at(*at);
        if (slot == nullptr || !slot->hello_due) continue;
        std::rotate(front, at, at + 1);
        ++front;
    }
}

void Session::give_turn(const LinkSlot& slot) {
    updates_turn_ = !updates_turn_;
    // Who has more to say goes to the end: nobody keeps the others waiting until it is done.
    if (urgent_.empty() || urgent_.front() != slot.link.ends.local_number) return;
    std::ranges::rotate(urgent_, urgent_.begin() + 1);
}

LinkSlot* Session::next_speaker() {
    // Urgent ones and this frame's updates take turns: a flood of messages does not stop the world.
    LinkSlot* const first = updates_turn_ ? next_ready() : next_urgent();
    if (first != nullptr) return first;
    return updates_turn_ ? next_urgent() : next_ready();
}

LinkSlot* Session::next_urgent() {
    while (!urgent_.empty()) {
        LinkSlot* slot = links_.at(urgent_.front());
        if (slot != nullptr && slot->urgent && has_something(*slot)) return slot;
        if (slot != nullptr) slot->urgent = false;
        urgent_.erase(urgent_.begin());
    }
    return nullptr;
}

LinkSlot* Session::next_ready() {
    for (; ready_at_ < ready_.size(); ++ready_at_) {
        LinkSlot* slot = links_.at(ready_[ready_at_]);
        if (slot != nullptr && slot->ready && !slot->outbox.empty()) return slot;
        if (slot != nullptr) slot->ready = false;
    }
    return nullptr;
}

bool Session::has_something(const LinkSlot& slot) const {
    if (slot.hello_due) return true;
    return slot.up && (slot.speak || slot.ping_due || slot.pong_due || !slot.outbox.empty() ||
                       !slot.loose.empty() || slot.link.channel.out.has_unsent());
}

std::optional<Datagram> Session::poll_datagram(Instant now, std::span<std::uint8_t> buffer) {
    FRAY_ASSERT(buffer.size() >= kMaxDatagram);
    start(now);
    if (blocked_until_ > now && blocked_until_ != kNever) return std::nullopt;
    blocked_until_ = kNever;
    if (!refusals_.empty()) {
        if (auto datagram = poll_refusal(now, buffer)) return datagram;
    }
    if (!farewells_.empty()) return poll_farewell(now, buffer);
    while (LinkSlot* slot = next_speaker()) {
        if (auto datagram = write_datagram(now, *slot, buffer)) {
            give_turn(*slot);
            return datagram;
        }
        if (blocked_until_ != kNever) return std::nullopt;
        pass_over(*slot);
    }
    return std::nullopt;
}

std::optional<Datagram> Session::poll_farewell(Instant now, std::span<std::uint8_t> buffer) {
    const Link& link = farewells_.back();
    DatagramBuilder datagram{buffer, DatagramKind::data};
    write_varint(datagram.out(), link.ends.remote_number);
    datagram.book(Purpose::link_header);
    link.write_header(now, datagram);
    write_type(datagram.out(), MessageType::goodbye);
    datagram.book(Purpose::link_header);
    const std::size_t bytes = datagram.network_bytes(link.ends.address);
    if (!budget_.allows(now, bytes)) {
        blocked_until_ = budget_.next_chance(now, bytes);
        return std::nullopt;
    }
    budget_.spend(now, bytes);
    const Address to = link.ends.address;
    const auto sealed = datagram.finish(link.ends.remote_token, to, ledger_);
    farewells_.pop_back();
    return Datagram{to, sealed};
}

std::optional<Datagram> Session::poll_refusal(Instant now, std::span<std::uint8_t> buffer) {
    const PendingRefusal pending = refusals_.front();
    DatagramBuilder datagram{buffer, DatagramKind::refusal};
    write(datagram.out(), pending.refusal);
    datagram.book(Purpose::overlay);
    const std::size_t bytes = datagram.network_bytes(pending.to);
    if (!budget_.allows(now, bytes)) {
        blocked_until_ = budget_.next_chance(now, bytes);
        return std::nullopt;
    }
    budget_.spend(now, bytes);
    refusals_.erase(refusals_.begin());
    return Datagram{pending.to, datagram.finish(pending.token, pending.to, ledger_)};
}

std::optional<Datagram> Session::write_datagram(Instant now, LinkSlot& slot, std::span<std::uint8_t> buffer) {
    Link& link = slot.link;
    const bool as_data = link.open() && !slot.hello_due;
    buffer =
        buffer.first(std::min(buffer.size(), budget_.largest_datagram() - header_bytes(link.ends.address)));
    DatagramBuilder datagram{buffer, as_data ? DatagramKind::data : DatagramKind::hello};
    if (as_data) {
        write_varint(datagram.out(), link.ends.remote_number);
        datagram.book(Purpose::link_header);
    } else {
        const Hello hello = make_hello(now, slot);
        write(datagram.out(), hello);
        datagram.book(Purpose::overlay);
        if (!hello.early_data) return finish(now, slot, datagram);
    }
    link.write_header(now, datagram);
    SentRecord record{.frame = frame_};
    carried_.clear();
    const std::size_t before = datagram.out().bit_count();
    write_clock(now, slot, datagram);
    write_updates(now, slot, datagram);
    write_loose(slot, datagram);
    link.write_reliable(datagram, record);
    if (datagram.out().bit_count() == before) {
        if (!slot.speak && as_data) return std::nullopt;  // nothing that it has fits
        if (now - link.last_sent >= options_.link.keep_alive)
            write_type(datagram.out(), MessageType::keep_alive);
    }
    datagram.book(Purpose::link_header);
    const auto sent = finish(now, slot, datagram);
    if (sent) note_sent(now, slot, record);
    return sent;
}

std::optional<Datagram> Session::finish(Instant now, LinkSlot& slot, DatagramBuilder& datagram) {
    const LinkEnds& ends = slot.link.ends;
    const std::size_t bytes = datagram.network_bytes(ends.address);
    if (!budget_.allows(now, bytes)) {
        blocked_until_ = budget_.next_chance(now, bytes);
        return std::nullopt;
    }
    budget_.spend(now, bytes);
    if (slot.hello_due) {
        slot.hello_due = false;
        if (join_ && join_->link == ends.local_number)
            join_->hello_sent[slot.hello_attempts % kHelloTimes] = now;
        if (slot.answers_left > 0) --slot.answers_left;
        const unsigned slow =
            slot.unheard_hellos < kQuickHellos ? 0 : slot.unheard_hellos - kQuickHellos + 1U;
        slot.next_hello = now + options_.world.tick * (1U << std::min(slow, 6U));
        ++slot.unheard_hellos;
        ++slot.hello_attempts;
    }
    return Datagram{ends.address, datagram.finish(ends.remote_token, ends.address, ledger_)};
}

void Session::write_clock(Instant now, LinkSlot& slot, DatagramBuilder& datagram) {
    if (slot.ping_due) {
        write_type(datagram.out(), MessageType::clock_ping);
        write(datagram.out(), ClockPing{next_ping_});
    }
    if (slot.pong_due) {
        const auto hold = std::clamp<std::int64_t>(micros(now - slot.ping_heard), 0, kMostHold);
        const unsigned hops = reference_ ? links_.at(*reference_)->clock_hops + 1U : 0U;
        write_type(datagram.out(), MessageType::clock_pong);
        write(datagram.out(),
              ClockPong{slot.ping_id, wire_time(session_time(now)), static_cast<std::uint32_t>(hold),
                        static_cast<std::uint8_t>(std::min<unsigned>(hops, kMostHops))});
    }
    datagram.book(Purpose::clock);
}

void Session::write_updates(Instant now, LinkSlot& slot, DatagramBuilder& datagram) {
    std::optional<std::uint16_t> open_stamp;
    for (std::size_t i = 0; i < slot.outbox.size(); ++i) {
        const std::uint16_t index = slot.outbox[i];
        Primary& primary = primaries_[index];
        const std::uint16_t stamp = stamp_of(primary.stamp());
        BitWriter& out = datagram.out();
        const std::size_t mark = out.bit_count();
        if (open_stamp != stamp) {
            if (open_stamp) out.boolean(false);  // no more of the former stamp
            write_type(out, MessageType::state);
            out.bits(stamp, kStampBits);
        }
        if (!write_update(now, slot, primary, datagram)) {
            out.rewind(mark);
            break;
        }
        open_stamp = stamp;
        carried_.push_back(index);
    }
    if (open_stamp) datagram.out().boolean(false);
    datagram.book(Purpose::state);
}

bool Session::write_update(Instant now, LinkSlot& slot, Primary& primary, DatagramBuilder& datagram) {
    const BaselineTracker::Track* track = slot.baselines.find(primary.number());
    std::optional<Frame> baseline;
    std::uint16_t back = 0;
    if (track != nullptr && track->acked != kNoFrame) {
        back = static_cast<std::uint16_t>(slot.link.window.next_sequence() - track->acked_sequence);
        if (back >= 1 && back <= kMostBack) baseline = track->acked;
    }
    const EncodedBody body = primary.encode(options_.world, codec_, baseline);
    if (body.bits + kUpdateOverhead > datagram.bits_left()) {
        if (carried_.empty()) break_up(now, slot, primary);  // not even alone
        return false;
    }
    BitWriter& out = datagram.out();
    out.boolean(true);
    write_varint(out, primary.number());
    out.bits(body.whole ? 0 : back, kBackBits);
    out.copy(body.bytes, body.bits);
    return true;
}

void Session::break_up(Instant now, LinkSlot& slot, Primary& primary) {
    // Too long for one datagram: it travels whole, in pieces, and is no baseline (no datagram carried it
    // all). Nothing acknowledges pieces, so what does not change any more goes a second time, reliably.
    const EncodedBody body = primary.encode(options_.world, codec_, std::nullopt);
    std::vector<std::uint8_t> bytes(1 + (body.bits + kUpdateOverhead) / 8 + 1);
    bytes[0] = static_cast<std::uint8_t>(ReliableKind::state);
    BitWriter out{std::span{bytes}.subspan(1)};
    write_type(out, MessageType::state);
    out.bits(stamp_of(primary.stamp()), kStampBits);
    out.boolean(true);
    write_varint(out, primary.number());
    out.bits(0, kBackBits);
    out.copy(body.bytes, body.bits);
    out.boolean(false);
    const std::size_t size = out.finish().size();
    BaselineTracker::Track& track = slot.baselines.track(primary.number());
    if (track.sent == primary.frame()) {
        const bool queued =
            slot.link.channel.out.queue(std::span{bytes}.first(size + 1), false, Purpose::state);
        if (queued) track.settled = primary.frame();
        make_urgent(slot);
    } else {
        break_up_loose(slot, std::span{bytes}.subspan(1, size), Purpose::state);
    }
    std::erase(slot.outbox, static_cast<std::uint16_t>(&primary - primaries_.data()));
    track.sent = primary.frame();
    track.sent_at = now;
    track.acked = kNoFrame;
    ++updates_sent_;
}

void Session::queue_loose(LinkSlot& slot, MessageType type, Purpose purpose,
                          std::span<const std::uint8_t> bytes, std::size_t bits, bool passing) {
    constexpr std::size_t kOverhead = 160;
    if (bits / 8 + kOverhead > budget_.largest_datagram()) return rejections_.count(Rejection::no_room);
    slot.loose.push(type, purpose, bytes, bits, passing);
    make_urgent(slot);
}

void Session::break_up_loose(LinkSlot& slot, std::span<const std::uint8_t> bytes, Purpose purpose) {
    const std::size_t pieces = (bytes.size() + kFragmentBytes - 1) / kFragmentBytes;
    const std::uint8_t group = slot.next_group++;
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::size_t begin = i * kFragmentBytes;
        const auto piece = bytes.subspan(begin, std::min(kFragmentBytes, bytes.size() - begin));
        std::vector<std::uint8_t> framed(piece.size() + 8);
        BitWriter out{framed};
        out.bits(group, 8);
        out.bits(i, 6);
        out.bits(pieces - 1, 6);
        write_varint(out, piece.size());
        out.copy(piece, piece.size() * 8);
        const std::size_t bits = out.bit_count();
        queue_loose(slot, MessageType::fragment, purpose, out.finish(), bits);
    }
}

void Session::write_loose(LinkSlot& slot, DatagramBuilder& datagram) {
    std::size_t written = 0;
    for (const LooseQueue::Message& message : slot.loose.messages()) {
        if (kMessageTypeBits + message.bits > datagram.bits_left()) break;
        write_type(datagram.out(), message.type);
        datagram.out().copy(slot.loose.bytes(message), message.bits);
        datagram.book(message.purpose);
        ++written;
    }
    slot.loose_written = written;
}

void Session::note_sent(Instant now, LinkSlot& slot, const SentRecord& record) {
    slot.link.sent(now, record);
    slot.baselines.datagram_sent();
    for (const std::uint16_t index : carried_) {
        slot.baselines.mark_carried(now, primaries_[index].number(), primaries_[index].frame());
    }
    updates_sent_ += carried_.size();
    slot.outbox.erase(slot.outbox.begin(),
                      slot.outbox.begin() + static_cast<std::ptrdiff_t>(carried_.size()));
    if (slot.loose_written > 0) slot.loose.pop(slot.loose_written);
    if (slot.ping_due) ping_sent_[next_ping_++ % kPings] = now;
    slot.ping_due = false;
    slot.pong_due = false;
    slot.speak = false;
}

}  // namespace fray
