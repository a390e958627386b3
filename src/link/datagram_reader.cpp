#include "link/datagram_reader.hpp"

#include <fray/assert.hpp>
#include <fray/serialize.hpp>

#include <bit>

namespace fray {

namespace {
constexpr std::uint8_t kGroupsAtOnce = 16;  // fragment groups of a link that may be incomplete
constexpr unsigned kAgesTracked = 64;       // datagrams
}  // namespace

/// Hands each reliable message of one link to its part.
class DatagramReader::Sink final : public MessageSink {
public:
    Sink(DatagramReader& reader, const Arrival& arrival) : reader_{reader}, arrival_{arrival} {}

    bool handle_reliable(Delivery delivery, std::span<const std::uint8_t> bytes) override {
        // A malformed message counts as handled: a retransmit would be malformed as well.
        if (bytes.empty()) return !reader_.reject(Rejection::malformed);
        BitReader in{bytes.subspan(1)};
        Arrival arrival = arrival_;
        arrival.delivery = delivery;
        const Receipt receipt = reader_.hand_over(arrival, bytes[0], in);
        if (receipt.verdict == Receipt::Verdict::malformed) reader_.rejections_.count(receipt.why);
        return receipt.verdict != Receipt::Verdict::later;
    }

private:
    DatagramReader& reader_;
    Arrival arrival_;
};

void DatagramReader::add_part(Part& part) {
    for (const MessageKind kind : part.kinds()) {
        FRAY_ASSERT(kind >= kFirstOfParts && parts_[static_cast<std::size_t>(kind)] == nullptr);
        parts_[static_cast<std::size_t>(kind)] = &part;
    }
}

Link* DatagramReader::find_link(Token token, BitReader& in) {
    Link* link = links_.at(read_varint(in));
    if (!in.ok() || link == nullptr || !link->ends.remote_known) {
        reject(Rejection::unknown_link);
        return nullptr;
    }
    if (link->ends.local_token != token) {
        reject(Rejection::bad_token);
        return nullptr;
    }
    return link;
}

DatagramReader::Outcome DatagramReader::read_body(Instant now, Link& link, std::uint32_t counter,
                                                  BitReader& in) {
    const auto refused = [this](Rejection why) {
        reject(why);
        return Outcome::refused;
    };
    const auto header = Link::read_header(counter, in);
    if (!header) return refused(Rejection::malformed);
    if (const auto why = link.arrivals.refuse(header->sequence)) return refused(*why);
    if (header->ack) {
        const auto fates = link.acknowledge(now, *header->ack);
        if (!fates) return refused(Rejection::impossible);
        if (fates->delivered != 0) report_delivered(link, *fates);
    }
    Reading reading{.arrival = {now, link.ends.local_number, Delivery::unreliable, header->sequence},
                    .link = link};
    assembled_.clear();
    assembled_sizes_.clear();
    const bool whole = read_messages(reading, in) && read_assembled(reading);
    if (reading.said_goodbye) return Outcome::goodbye;
    if (!whole) return Outcome::refused;
    link.accept(now, header->sequence);
    if (reading.wants_ack) link.owe_ack(now, reading.ack_wait);
    return Outcome::whole;
}

inline void DatagramReader::report_delivered(const Link& link, const Fates& fates) {
    const std::uint16_t next = link.window.next_sequence();
    for (std::uint64_t left = fates.delivered; left != 0; left &= left - 1) {
        const auto sequence = static_cast<std::uint16_t>(fates.newest - std::countr_zero(left));
        const auto age = static_cast<std::uint16_t>(next - 1 - sequence);
        const SentRecord* record = link.window.record(sequence);
        if (record == nullptr || age >= kAgesTracked) continue;
        for (DatagramWriter* writer : writers_)
            writer->handle_delivered(link.ends.local_number, record->frame, sequence, age);
    }
}

bool DatagramReader::read_messages(Reading& reading, BitReader& in) {
    while (in.bits_left() >= kMessageKindBits) {
        const MessageKind kind = read_kind(in);
        if (!in.ok()) return reject(Rejection::unknown_message);
        if (kind == MessageKind::end) return true;
        if (!read_message(reading, kind, in) || reading.said_goodbye) return false;
        if (!in.ok()) return reject(Rejection::malformed);
    }
    return true;
}

inline bool DatagramReader::read_message(Reading& reading, MessageKind kind, BitReader& in) {
    switch (kind) {
        case MessageKind::reliable: {
            Sink sink{*this, reading.arrival};
            const auto read = reading.link.read_reliable(in, sink);
            want_ack(reading, read.ack);
            return read.refused ? reject(*read.refused) : true;
        }
        case MessageKind::fragment:
            want_ack(reading);
            return read_fragment(reading, in);
        case MessageKind::goodbye:
            reading.said_goodbye = true;
            return true;
        case MessageKind::keep_alive:
            want_ack(reading);
            return true;
        default: {
            const Receipt receipt = hand_over(reading.arrival, static_cast<std::uint8_t>(kind), in);
            if (receipt.acknowledge) want_ack(reading, receipt.can_wait ? AckWait::updates : AckWait::usual);
            return receipt.verdict == Receipt::Verdict::taken || reject(receipt.why);
        }
    }
}

Receipt DatagramReader::hand_over(const Arrival& arrival, std::uint8_t number, BitReader& in) {
    Part* part = number < parts_.size() ? parts_[number] : nullptr;
    if (part == nullptr) return malformed(Rejection::unknown_message);
    const auto kind = static_cast<MessageKind>(number);
    if (arrival.delivery != Delivery::unreliable || !is_framed(kind))
        return part->handle_message(arrival, kind, in);
    const std::uint64_t length = read_varint(in);
    if (!in.ok() || length > kMaxDatagram || length * 8 > in.bits_left()) return malformed();
    const std::size_t begin = in.position();
    in.skip(static_cast<std::size_t>(length) * 8);
    BitReader body{in.memory(), in.position()};
    body.skip(begin);
    return part->handle_message(arrival, kind, body);
}

bool DatagramReader::read_fragment(Reading& reading, BitReader& in) {
    if (reading.in_fragments) return reject(Rejection::impossible);  // fragments do not nest
    const auto group = static_cast<std::uint32_t>(in.bits(8));
    const FragmentPlace place{static_cast<std::uint8_t>(in.bits(6)), static_cast<std::uint8_t>(in.bits(6))};
    const std::uint64_t length = read_varint(in);
    if (!in.ok() || length > kFragmentBytes || length * 8 > in.bits_left())
        return reject(Rejection::malformed);
    std::array<std::uint8_t, kFragmentBytes> bytes;  // NOLINT(*-member-init): filled below
    const auto piece = std::span{bytes}.first(static_cast<std::size_t>(length));
    in.copy_to(piece);
    Reassembly& pieces = reading.link.loose_pieces;
    pieces.forget_older(static_cast<std::uint8_t>(group), kGroupsAtOnce);
    const auto outcome = pieces.add(group, place, piece);
    if (outcome == Reassembly::Outcome::impossible) return reject(Rejection::impossible);
    if (outcome == Reassembly::Outcome::complete) {
        const auto whole = pieces.bytes();
        assembled_.insert(assembled_.end(), whole.begin(), whole.end());
        assembled_sizes_.push_back(whole.size());
        pieces.release();
    }
    return true;
}

bool DatagramReader::read_assembled(Reading& reading) {
    reading.in_fragments = true;
    std::span<const std::uint8_t> rest = assembled_;
    for (const std::size_t size : assembled_sizes_) {
        BitReader in{rest.first(size)};
        rest = rest.subspan(size);
        if (!read_messages(reading, in)) return false;
    }
    return true;
}

void DatagramReader::offer_again(Instant now) {
    for (const LinkNumber number : links_.up_links()) {
        Link& link = *links_.at(number);
        if (!link.channel.in.stuck()) continue;
        Sink sink{*this, Arrival{.now = now, .link = number}};
        link.channel.in.release_held(sink);
    }
}

}  // namespace fray
