#include "relay/relay.hpp"

#include "wire/limits.hpp"
#include "wire/session_time.hpp"

#include <array>

namespace fray {

namespace {

constexpr std::size_t kMaxWaiting = 256;  // states per frame of peers that are about to be linked
// Reliable backlog kept free for our own messages: relayed states must not fill it.
constexpr std::size_t kOwnShare = 2048 * kFragmentBytes;
constexpr std::size_t kRelayRoom = kMaxDatagram + kMaxPayloadBytes;

}  // namespace

void Relay::forward(Instant now, const Forward& forward) {
    if (!context_.links.is_up(forward.to)) return;
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};
    if (!forward.state.empty()) {
        out.copy(forward.state, forward.state_bits);
    } else {
        const auto owner = context_.links.up(forward.origin);
        const auto stamp = owner ? replicas_.first_stamp(*owner) : std::nullopt;
        if (!stamp || !is_timely(now, *stamp)) return;  // too old: every peer would drop it
        replicas_.write_first(*owner, out);
    }
    out.copy(forward.header, forward.header_bits);
    const std::size_t bits = out.bit_count();
    const auto written = out.finish();
    if (out.overflowed()) return;
    context_.out.send_bits(forward.to, MessageKind::forward, written, bits,
                           {Delivery::unreliable, Purpose::relay, true});
}

void Relay::deliver_waiting(const std::function<LinkNumber(const PeerId&)>& link_with) {
    for (const RelayedState& state : waiting_) {
        const LinkNumber link = link_with(state.origin);
        if (link != kNoLink) replicas_.take_relayed(link, state);
    }
    waiting_.clear();
}

bool Relay::send_ordered(const PeerId& origin, std::uint32_t number, SessionInstant when,
                         const WholeStateView& state, bool reliably) {
    bytes_.resize(kRelayRoom);
    BitWriter out{bytes_};
    for (const std::uint8_t byte : origin.bytes) out.bits(byte, 8);
    out.bits(stamp_of(when), kStampBits);
    write_numbered(out, context_.world(), context_.codec, number, state);
    const std::size_t bits = out.bit_count();
    const auto body = out.finish();
    bool everybody = true;
    const bool fits = bits / 8 < kFragmentBytes;
    for (const LinkNumber link : context_.links.up_links()) {
        if (!reliably && fits) {
            context_.out.send_bits(link, MessageKind::serialized, body, bits,
                                   {Delivery::unreliable, Purpose::relay});
        } else if (context_.out.has_room(link, kOwnShare)) {
            context_.out.send_bits(link, MessageKind::serialized, body, bits,
                                   {Delivery::reliable, Purpose::relay});
        } else {
            everybody = false;
        }
    }
    return everybody;
}

std::span<const MessageKind> Relay::kinds() const {
    static constexpr std::array kKinds{MessageKind::forward, MessageKind::serialized};
    return kKinds;
}

Receipt Relay::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    return kind == MessageKind::forward ? read_forward(arrival, in) : read_ordered(arrival, in);
}

Receipt Relay::read_forward(const Arrival& arrival, BitReader& in) {
    const Instant now = arrival.now;
    read_.stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    if (!read_numbered(in, context_.world(), context_.codec, read_.state)) return malformed();
    read_.when = complete_stamp(read_.stamp, context_.session_time(now));
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};  // a state has exactly one encoding, so these are its owner's bits
    out.bits(read_.stamp, kStampBits);
    const WholeState& state = read_.state;
    write_numbered(out, context_.world(), context_.codec, state);
    const std::size_t bits = out.bit_count();
    const PassedOn update{{context_.codec.restore(state.pose).position, read_.when},
                          out.finish(),
                          bits,
                          is_timely(now, read_.when)};
    if (out.overflowed()) return malformed(Rejection::impossible);
    const auto origin = route_->handle_forward(now, arrival.link, in, update);
    if (!in.ok()) return malformed();
    // The relaying peer did not write the stamp: do not reject the rest of its datagram.
    if (!update.timely) context_.rejections.count(Rejection::impossible);
    if (!origin) return taken();
    read_.origin = *origin;
    if (const auto owner = context_.links.up(*origin)) {
        replicas_.take_relayed(*owner, read_);
        observer_->handle_passed_on(now, *owner, state.number);
    } else if (waiting_.size() < kMaxWaiting) {  // the overlay may call it in the next frame
        waiting_.add() = read_;
    }
    return taken();
}

Receipt Relay::read_ordered(const Arrival& arrival, BitReader& in) {
    for (std::uint8_t& byte : read_.origin.bytes) byte = static_cast<std::uint8_t>(in.bits(8));
    read_.stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    read_.when = complete_stamp(read_.stamp, context_.session_time(arrival.now));
    if (!read_numbered(in, context_.world(), context_.codec, read_.state)) return malformed();
    // The owner may have written this stamp: do not reject the rest of the datagram. A reliable state may be
    // late, since it is the entity's last one.
    const bool reliably = arrival.delivery != Delivery::unreliable;
    if (is_ahead(arrival.now, read_.when) || (!reliably && is_old(arrival.now, read_.when))) {
        context_.rejections.count(Rejection::impossible);
        return taken();
    }
    observer_->handle_ordered(arrival.now, arrival.link, read_);
    return taken();
}

std::size_t Relay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + bytes_.capacity() + waiting_.all().capacity() * sizeof(RelayedState);
    for (const RelayedState& r : waiting_.all()) sum += r.state.payload.capacity() + r.state.input.capacity();
    return sum;
}

}  // namespace fray
