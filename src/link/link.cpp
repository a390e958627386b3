#include "link/link.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace fray {

namespace {

constexpr unsigned kSequenceBits = 16;
constexpr std::uint32_t kMostSequence = (1U << kSequenceBits) - 1;
constexpr unsigned kDelayBits = 8;
constexpr std::int64_t kDelayUnit = 512;     // microseconds
constexpr std::int64_t kDelayUnknown = 255;  // too long for the field: gives no round-trip sample

}  // namespace

void Link::write_header(Instant now, std::uint16_t sequence, const ReceiveWindow* arrivals,
                        DatagramBuilder& datagram) {
    BitWriter& out = datagram.out();
    datagram.set_counter(sequence);
    datagram.book(Purpose::link_header);
    if (arrivals != nullptr && arrivals->any()) {
        // All fixed fields in one write: this runs for every datagram.
        const AckHeader ack = arrivals->acknowledgement(now);
        const bool all = ack.earlier == ~std::uint32_t{0};
        const auto delay = static_cast<std::uint64_t>(
            std::clamp<std::int64_t>(micros(ack.delay) / kDelayUnit, 0, kDelayUnknown));
        const std::uint64_t fields = 1U | std::uint64_t{ack.newest} << 1U | delay << (1 + kSequenceBits) |
                                     std::uint64_t{all} << (1 + kSequenceBits + kDelayBits);
        out.bits(fields, 1 + kSequenceBits + kDelayBits + 1);
        if (!all) out.bits(ack.earlier, kAckBits);
    } else {
        out.boolean(false);
    }
    datagram.book(Purpose::ack);
}

std::optional<Link::Received> Link::read_header(std::uint32_t counter, BitReader& in) {
    if (counter > kMostSequence) return std::nullopt;
    Received header;
    header.sequence = static_cast<std::uint16_t>(counter);
    std::uint64_t fields = in.peek();  // all fixed fields fit one word; skip() fails if they were not there
    const auto take = [&](unsigned bits) {
        const std::uint64_t value = fields & low_mask(bits);
        fields >>= bits;
        return value;
    };
    if (take(1) == 0) {
        in.skip(1);
        return in.ok() ? std::optional{header} : std::nullopt;
    }
    AckHeader& ack = header.ack.emplace();
    ack.newest = static_cast<std::uint16_t>(take(kSequenceBits));
    const auto delay = static_cast<std::int64_t>(take(kDelayBits));
    ack.delay_known = delay != kDelayUnknown;
    ack.delay = Duration{delay * kDelayUnit + kDelayUnit / 2};
    const bool all = take(1) != 0;
    in.skip(1 + kSequenceBits + kDelayBits + 1);
    ack.earlier = all ? ~std::uint32_t{0} : static_cast<std::uint32_t>(in.bits(kAckBits));
    if (!in.ok()) return std::nullopt;
    return header;
}

std::optional<Fates> Link::acknowledge(Instant now, const AckHeader& ack) {
    const auto fates = window.acknowledge(now, ack);
    if (fates && fates->delivered != 0) last_acked = now;
    if (!fates || channel.out.empty()) return fates;
    const auto each_of = [&](std::uint64_t datagrams, auto tell) {
        for (; datagrams != 0; datagrams &= datagrams - 1) {
            const auto age = static_cast<unsigned>(std::countr_zero(datagrams));
            if (const SentRecord* record = window.record(static_cast<std::uint16_t>(fates->newest - age)))
                tell(*record);
        }
    };
    each_of(fates->delivered, [&](const SentRecord& record) { channel.out.delivered(record); });
    each_of(fates->lost, [&](const SentRecord& record) { channel.out.lost(record); });
    return fates;
}

Link::ReadReliable Link::read_reliable(BitReader& in, MessageSink& sink) {
    ReliableHeader header;
    if (!read(in, header) || header.length > kMaxDatagram || header.length * 8 > in.bits_left()) {
        in.fail();
        return {Rejection::malformed, AckWait::usual};
    }
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): filled below
    for (std::size_t i = 0; i < header.length; ++i) bytes[i] = static_cast<std::uint8_t>(in.bits(8));
    AckWait ack = header.in_pieces ? AckWait::soon : AckWait::usual;
    if (header.length != 0 && !header.in_pieces) {
        const auto kind = static_cast<MessageKind>(bytes[0]);
        if (rides(kind)) ack = AckWait::updates;
        if (is_acked_soon(kind)) ack = AckWait::soon;
    }
    return {channel.in.accept(header, std::span{bytes}.first(header.length), sink), ack};
}

bool Link::is_stuck(Instant now, Duration timeout) {
    if (channel.out.has_room(kMaxFragments * kFragmentBytes)) {
        stuck_since = kNever;
        return false;
    }
    if (stuck_since == kNever || stuck_id != channel.out.oldest()) {
        stuck_since = now;
        stuck_id = channel.out.oldest();
    }
    return now - stuck_since > timeout;
}

LinkStats Link::stats() const {
    return LinkStats{.peer = ends.peer,
                     .rtt = window.rtt().smoothed(),
                     .jitter = window.rtt().deviation(),
                     .loss = window.loss(),
                     .delivered = window.delivered(),
                     .lost = window.lost()};
}

std::size_t Link::memory_bytes() const {
    return sizeof(Link) + window.heap_bytes() + channel.out.heap_bytes() + channel.in.heap_bytes() +
           loose_pieces.heap_bytes();
}

}  // namespace fray
