// One datagram in. Foreign bytes are hostile: whatever is not well-formed is dropped and counted, nothing
// here allocates once warm, and no loop is longer than the datagram.

#include "clock/clock_messages.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace fray {

namespace {
constexpr std::size_t kMaxPassedOn = 256;  // per frame, of peers that are to be linked with us
}  // namespace

void Session::handle_datagram(Instant now, const Address& from, std::span<const std::uint8_t> bytes) {
    start(now);
    ++datagrams_received_;
    bytes_received_ += bytes.size();
    reading_at_ = now;
    auto opened = open_datagram(bytes);
    if (!opened) {
        const bool fits = bytes.size() > kSealBytes && bytes.size() <= kMaxDatagram;
        return rejections_.count(fits                          ? Rejection::unknown_kind
                                 : bytes.size() > kMaxDatagram ? Rejection::too_long
                                                               : Rejection::too_short);
    }
    switch (opened->kind) {
        case DatagramKind::hello:
            return handle_hello(now, from, opened->token, opened->body);
        case DatagramKind::data:
            return handle_data(now, from, opened->token, opened->body);
        case DatagramKind::refusal:
            return handle_refusal(opened->token, opened->body);
    }
}

void Session::handle_data(Instant now, const Address& from, Token token, BitReader& in) {
    LinkSlot* slot = links_.at(read_varint(in));
    if (!in.ok() || slot == nullptr || !slot->link.ends.remote_known)
        return rejections_.count(Rejection::unknown_link);
    LinkEnds& ends = slot->link.ends;
    if (ends.local_token != token) return rejections_.count(Rejection::bad_token);
    ends.proven = true;
    if (!slot->up) establish(now, *slot);
    const LinkNumber number = ends.local_number;
    const std::uint16_t newest = slot->link.arrivals.newest();
    read_body(now, *slot, in);
    // Whoever knows our token may move; a copy of an old datagram moves nobody.
    slot = links_.at(number);
    if (slot != nullptr && slot->link.arrivals.newest() != newest) slot->link.ends.address = from;
}

void Session::read_body(Instant now, LinkSlot& slot, BitReader& in) {
    const auto header = Link::read_header(in);
    if (!header) return rejections_.count(Rejection::malformed);
    if (const auto refused = slot.link.arrivals.refuse(header->sequence)) return rejections_.count(*refused);
    if (header->ack) {
        const auto fates = slot.link.acknowledge(now, *header->ack);
        if (!fates) return rejections_.count(Rejection::impossible);
        if (fates->delivered != 0) settle(slot, *fates);
    }
    reading_ = &slot;
    reading_sequence_ = header->sequence;
    said_goodbye_ = false;
    messages_read_ = 0;
    assembled_.clear();
    assembled_sizes_.clear();
    bool whole = read_messages(now, slot, header->sequence, in);
    whole = whole && read_assembled(now, slot, header->sequence);
    reading_ = nullptr;
    if (said_goodbye_) return drop(now, slot.link.ends.local_number, Reason::left);
    if (!whole) return;
    slot.link.accept(now, header->sequence, messages_read_ != 0);
    overlay_->handle_word(now, slot.link.ends.local_number);
}

void Session::settle(LinkSlot& slot, const Fates& fates) {
    const std::uint16_t next = slot.link.window.next_sequence();
    for (std::uint64_t left = fates.delivered; left != 0; left &= left - 1) {
        const auto sequence = static_cast<std::uint16_t>(fates.newest - std::countr_zero(left));
        const auto age = static_cast<std::uint16_t>(next - 1 - sequence);
        const SentRecord* record = slot.link.window.record(sequence);
        if (record == nullptr || age >= 64) continue;
        for (BaselineTracker::Track& track : slot.baselines.all()) {
            if ((track.carried >> age & 1U) == 0) continue;
            track.arrived = true;
            const Primary* primary = find_primary({id_, track.number});
            const auto frame = primary == nullptr ? std::nullopt : primary->state_frame(record->frame);
            if (!frame || (track.acked != kNoFrame && *frame < track.acked)) continue;
            if (track.acked == *frame && static_cast<std::int16_t>(sequence - track.acked_sequence) < 0)
                continue;
            track.acked = *frame;
            track.acked_sequence = sequence;
        }
    }
}

bool Session::read_messages(Instant now, LinkSlot& slot, std::uint16_t sequence, BitReader& in) {
    while (in.bits_left() >= kMessageTypeBits) {
        const auto type = static_cast<MessageType>(in.bits(kMessageTypeBits));
        if (type == MessageType::end) return true;
        // What overlays say in passing is said again soon: it needs no acknowledgement of its own.
        if (type != MessageType::overlay && type != MessageType::forward) ++messages_read_;
        if (!read_message(now, slot, type, sequence, in) || said_goodbye_) return false;
        if (!in.ok()) return reject(Rejection::malformed);
    }
    return true;
}

bool Session::read_message(Instant now, LinkSlot& slot, MessageType type, std::uint16_t sequence,
                           BitReader& in) {
    switch (type) {
        case MessageType::state:
            return read_state(now, slot, sequence, in);
        case MessageType::reliable: {
            const auto refused = slot.link.read_reliable(in, *this);
            return refused ? reject(*refused) : true;
        }
        case MessageType::fragment:
            return read_fragment(slot, in);
        case MessageType::event: {
            const auto refused = read_event(now, slot, Delivery::unreliable, in);
            return refused ? reject(*refused) : true;
        }
        case MessageType::clock_ping:
            return read_clock_ping(now, slot, in);
        case MessageType::clock_pong:
            return read_clock_pong(now, slot, in);
        case MessageType::overlay:
            return read_overlay(now, slot, in);
        case MessageType::forward:
            return read_forward(now, slot, in);
        case MessageType::serialized:
            return read_serialized(now, slot, in, false);
        case MessageType::goodbye:
            said_goodbye_ = true;
            return true;
        case MessageType::keep_alive:
        case MessageType::end:
            return true;
    }
    return reject(Rejection::unknown_message);
}

bool Session::read_state(Instant now, LinkSlot& slot, std::uint16_t sequence, BitReader& in) {
    const auto stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    const UpdateOrigin origin{sequence, stamp, complete_stamp(stamp, session_time(now))};
    while (in.boolean()) {
        Rejection why{};
        const auto applied = slot.replicas.apply(in, options_.world, codec_, origin, why);
        if (!applied) return reject(why);
        if (!slot.views.empty() || options_.count_corrections) hear_directly(now, slot, *applied, origin);
        if (applied->outcome == ReplicaStore::Outcome::stale) {
            ++updates_stale_;
            continue;
        }
        ++updates_received_;
        if (applied->outcome == ReplicaStore::Outcome::appeared) {
            mailbox_.put(EntityAppeared{{slot.link.ends.peer, applied->number}});
        }
    }
    // What others passed on of it and it does not know itself was never there.
    while (sightings_) {
        const auto gone = slot.replicas.take_unconfirmed();
        if (!gone) break;
        mailbox_.put(EntityGone{{slot.link.ends.peer, *gone}});
        slot.forget_view(*gone);
    }
    if (sightings_ && slot.replicas.size() != 0) {
        overlay_->handle_sighting(
            now, slot.link.ends.local_number,
            {codec_.restore(slot.replicas.pose_at(0)).position, slot.replicas.when_at(0)});
    }
    return in.ok() || reject(Rejection::malformed);
}

bool Session::read_forward(Instant now, LinkSlot& slot, BitReader& in) {
    const auto stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    if (!ReplicaStore::read_whole(in, options_.world, codec_, forwarded_.state))
        return reject(Rejection::malformed);
    forwarded_.stamp = stamp;
    forwarded_.when = complete_stamp(stamp, session_time(now));
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};  // a state has one spelling: these are the bits its owner wrote
    out.bits(stamp, kStampBits);
    ReplicaStore::write_whole(out, forwarded_.state, options_.world, codec_);
    const std::size_t bits = out.bit_count();
    const PassedOn update{{codec_.restore(forwarded_.state.pose).position, forwarded_.when},
                          out.finish(),
                          bits,
                          is_timely(now, forwarded_.when)};
    if (out.overflowed()) return reject(Rejection::impossible);
    const auto origin = overlay_->handle_forward(now, slot.link.ends.local_number, in, update);
    if (!in.ok()) return reject(Rejection::malformed);
    // Who passes on is not to blame for a stamp that others wrote: the rest of its datagram counts.
    if (!update.timely) rejections_.count(Rejection::impossible);
    if (!origin) return true;
    forwarded_.origin = *origin;
    if (LinkSlot* theirs = links_.up(*origin)) {
        take_over(*theirs, forwarded_);
        hear_passed_on(now, *theirs, forwarded_.state.number);
    } else if (passed_on_.size() < kMaxPassedOn) {  // the overlay may call it in the next frame
        passed_on_.add() = forwarded_;
    }
    return true;
}

void Session::take_over(LinkSlot& theirs, const Relayed& relayed) {
    const auto outcome = theirs.replicas.relay(relayed.state, relayed.stamp, relayed.when);
    if (outcome == ReplicaStore::Outcome::stale) return;
    ++updates_received_;
    if (outcome == ReplicaStore::Outcome::appeared && theirs.up) {
        mailbox_.put(EntityAppeared{{relayed.origin, relayed.state.number}});
    }
}

std::optional<Rejection> Session::read_event(Instant now, LinkSlot& slot, Delivery delivery, BitReader& in) {
    Message message{.from = slot.link.ends.peer, .delivery = delivery, .bytes = {}};
    message.at = session_instant(in.bits(kSessionTimeBits));
    ReadStream stream{in};
    stream.bytes(message.bytes, kMaxMessageBytes);
    if (!in.ok()) return Rejection::malformed;
    const SessionInstant latest = session_time(now) + kMostAhead + kClockTolerance;
    // A reliable message is never lost, whatever our clocks think of each other.
    if (message.at > latest && delivery == Delivery::unreliable) return Rejection::impossible;
    message.at = std::min(message.at, latest);
    if (!mailbox_.put_timed(std::move(message), session_time(now))) return Rejection::no_room;
    ++messages_delivered_;
    return std::nullopt;
}

bool Session::read_overlay(Instant now, LinkSlot& slot, BitReader& in) {
    const std::uint64_t length = read_varint(in);
    if (!in.ok() || length > kMaxDatagram || length * 8 > in.bits_left()) return reject(Rejection::malformed);
    const std::size_t begin = in.position();
    in.skip(static_cast<std::size_t>(length) * 8);
    BitReader body{in.memory(), in.position()};
    body.skip(begin);
    return overlay_->handle_message(now, slot.link.ends.local_number, body) || reject(Rejection::malformed);
}

bool Session::read_fragment(LinkSlot& slot, BitReader& in) {
    if (reading_pieces_) return reject(Rejection::impossible);  // pieces do not nest
    const auto group = static_cast<std::uint32_t>(in.bits(8));
    const FragmentPlace place{static_cast<std::uint8_t>(in.bits(6)), static_cast<std::uint8_t>(in.bits(6))};
    const std::uint64_t length = read_varint(in);
    if (!in.ok() || length > kFragmentBytes || length * 8 > in.bits_left())
        return reject(Rejection::malformed);
    std::array<std::uint8_t, kFragmentBytes> bytes;  // NOLINT(*-member-init): filled below
    for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<std::uint8_t>(in.bits(8));
    constexpr std::uint8_t kGroupsAtOnce = 16;
    slot.link.loose_pieces.forget_older(static_cast<std::uint8_t>(group), kGroupsAtOnce);
    const auto outcome =
        slot.link.loose_pieces.add(group, place, std::span{bytes}.first(static_cast<std::size_t>(length)));
    if (outcome == Reassembly::Outcome::impossible) return reject(Rejection::impossible);
    if (outcome == Reassembly::Outcome::complete) {  // read after the datagram, see read_assembled()
        const auto whole = slot.link.loose_pieces.bytes();
        assembled_.insert(assembled_.end(), whole.begin(), whole.end());
        assembled_sizes_.push_back(whole.size());
        slot.link.loose_pieces.release();
    }
    return true;
}

bool Session::read_assembled(Instant now, LinkSlot& slot, std::uint16_t sequence) {
    std::span<const std::uint8_t> rest = assembled_;
    for (const std::size_t size : assembled_sizes_) {
        BitReader in{rest.first(size)};
        rest = rest.subspan(size);
        reading_pieces_ = true;
        const bool whole = read_messages(now, slot, sequence, in);
        reading_pieces_ = false;
        if (!whole) return false;
    }
    return true;
}

bool Session::read_clock_ping(Instant now, LinkSlot& slot, BitReader& in) {
    ClockPing ping;
    if (!read(in, ping)) return reject(Rejection::malformed);
    slot.ping_id = ping.id;
    slot.ping_heard = now;
    slot.pong_due = true;
    make_urgent(slot);
    return true;
}

bool Session::read_clock_pong(Instant now, LinkSlot& slot, BitReader& in) {
    ClockPong pong;
    if (!read(in, pong)) return reject(Rejection::malformed);
    slot.clock_hops = pong.hops;
    const auto age = static_cast<std::uint8_t>(next_ping_ - pong.id);
    if (reference_ != slot.link.ends.local_number || age == 0 || age > kPings)
        return true;  // an old one: no harm
    Instant& asked = ping_sent_[pong.id % kPings];
    if (asked == kNever) return true;
    const SessionInstant before = session_time(now);
    clock_.sample(now, asked, session_instant(pong.session_us), Duration{pong.hold_us});
    if (is_ahead(now, before)) clock_was_set(now);  // back, and by more than it may be wrong
    asked = kNever;
    return true;
}

bool Session::handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) {
    // What makes no sense is counted and done with: it would make no more sense the next time.
    if (bytes.empty()) return !reject(Rejection::malformed);
    LinkSlot& slot = *reading_;
    BitReader in{bytes.subspan(1)};
    switch (static_cast<ReliableKind>(bytes[0])) {
        case ReliableKind::game: {
            const auto refused = read_event(reading_at_, slot, delivery, in);
            if (refused && *refused != Rejection::no_room) rejections_.count(*refused);
            return refused != Rejection::no_room;
        }
        case ReliableKind::withdraw:
            return read_withdraw(slot, in) || true;
        case ReliableKind::consistency:
            return read_consistency(reading_at_, slot, in) || true;
        case ReliableKind::serialized:
            return read_serialized(reading_at_, slot, in, true) || true;
        case ReliableKind::overruled:
            return read_overruled(slot, in);
        case ReliableKind::request:
            return read_request(reading_at_, slot, in);
        case ReliableKind::reply:
            return read_reply(slot, in);
        case ReliableKind::state:
            in.skip(kMessageTypeBits);
            read_state(reading_at_, slot, reading_sequence_, in);
            return true;
        case ReliableKind::overlay:
            if (!overlay_->handle_message(reading_at_, slot.link.ends.local_number, in)) {
                rejections_.count(Rejection::malformed);
            }
            return true;
    }
    return !reject(Rejection::unknown_message);
}

bool Session::read_withdraw(LinkSlot& slot, BitReader& in) {
    const std::uint64_t number = read_varint(in);
    if (!in.ok() || number > 0xFFFFFFFF) return reject(Rejection::malformed);
    const EntityId gone{slot.link.ends.peer, static_cast<std::uint32_t>(number)};
    if (slot.replicas.withdraw(gone.number)) mailbox_.put(EntityGone{gone});
    slot.forget_view(gone.number);
    return true;
}

void Session::offer_again(Instant now) {
    // Ordered messages that the full mailbox did not take, although they are acknowledged.
    reading_at_ = now;
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        if (!slot.link.channel.in.stuck()) continue;
        reading_ = &slot;
        slot.link.channel.in.release_held(*this);
    }
    reading_ = nullptr;
}

}  // namespace fray
