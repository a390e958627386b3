#include "relay/relay.hpp"

#include "wire/limits.hpp"
#include "wire/session_time.hpp"

#include <algorithm>
#include <array>

namespace fray {

namespace {

constexpr std::size_t kMaxWaiting = 256;  // states per frame, of peers that are about to be linked with us
// Reliable backlog kept free for our own messages: relayed states must not fill it.
constexpr std::size_t kOwnShare = 2048 * kFragmentBytes;
constexpr std::size_t kRelayRoom = kMaxDatagram + kMaxPayloadBytes;
// The first state of a forward is always written. Further entities of its owner follow up to this size, so
// that a peer with many entities does not fill the upload of the peers that forward for it.
constexpr std::size_t kForwardBits = 256 * 8;
constexpr std::size_t kBundleBits = 1000 * 8;  // with headers it fits the shortest path
constexpr std::size_t kBundledBits = 256 * 8;  // of one state in a bundle
constexpr unsigned kFanOutBits = 4;
static_assert(kMaxFanOut < 1U << kFanOutBits);

}  // namespace

// --- out ---

void Relay::forward(Instant now, const Forward& forward) {
    if (!context_.links.is_up(forward.to)) return;
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};
    if (!forward.state.empty())
        out.copy(forward.state, forward.state_bits);
    else if (!write_newest(now, forward.origin, out))
        return;
    out.boolean(false);  // not ordered
    out.copy(forward.header, forward.header_bits);
    const std::size_t bits = out.bit_count();
    const auto written = out.finish();
    if (out.overflowed()) return;
    context_.out.send_bits(forward.to, MessageKind::relayed, written, bits,
                           {Delivery::unreliable, Purpose::relay, true});
}

std::size_t Relay::bundle(Instant now, LinkNumber to, std::span<const BundleMember> members) {
    std::size_t sum = 0;
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    while (!members.empty() && context_.links.is_up(to)) {
        BitWriter out{bytes};
        out.bits(members[0].peer.salt, 8);
        std::size_t count = 0;
        for (const BundleMember& member : members) {
            const std::size_t mark = out.bit_count();
            if (count < kMaxBundledPeers) write_member(now, member, out);
            if (count == kMaxBundledPeers || out.bit_count() > kBundleBits || out.overflowed()) {
                out.rewind(mark);
                break;
            }
            ++count;
        }
        out.boolean(false);
        const std::size_t bits = out.bit_count();
        context_.out.send_bits(to, MessageKind::bundle, out.finish(), bits,
                               {Delivery::unreliable, Purpose::relay});
        members = members.subspan(std::max<std::size_t>(1, count));  // one that never fits is skipped
        sum += bits / 8;
    }
    return sum;
}

void Relay::write_member(Instant now, const BundleMember& member, BitWriter& out) {
    out.boolean(true);
    out.bits(member.peer.name, 16);
    out.boolean(member.peer.fan_out != 0);
    if (member.peer.fan_out != 0) out.bits(member.peer.fan_out, kFanOutBits);
    const std::size_t entities = member.has_news ? replicas_.entities(member.link) : 0;
    if (entities > 0) write_bundled(now, member.link, 0, out);
    if (entities > 1) write_bundled(now, member.link, 1 + turn_++ % (entities - 1), out);
    out.boolean(false);
}

bool Relay::write_bundled(Instant now, LinkNumber owner, std::size_t i, BitWriter& out) const {
    if (!is_timely(now, replicas_.taken_at(owner, i))) return false;
    const std::size_t mark = out.bit_count();
    out.boolean(true);
    replicas_.write_stamped(owner, i, out);
    if (out.bit_count() - mark <= kBundledBits && !out.overflowed()) return true;
    out.rewind(mark);  // a long state is known by direct links only
    return false;
}

bool Relay::write_newest(Instant now, const PeerId& origin, BitWriter& out) {
    const auto owner = context_.links.up(origin);
    const std::size_t entities = owner ? replicas_.entities(*owner) : 0;
    if (entities == 0 || !is_timely(now, replicas_.taken_at(*owner, 0))) return false;
    replicas_.write_stamped(*owner, 0, out);
    if (out.overflowed()) return false;
    std::size_t written = 1;
    for (std::size_t i = 1; i < entities && written < kMaxRelayedStates; ++i) {
        const std::size_t at = 1 + turn_++ % (entities - 1);
        if (!is_timely(now, replicas_.taken_at(*owner, at))) continue;
        const std::size_t mark = out.bit_count();
        out.boolean(true);
        replicas_.write_stamped(*owner, at, out);
        if (out.bit_count() > kForwardBits) {
            --turn_;  // its turn comes in the next forward
            out.rewind(mark);
            break;
        }
        ++written;
    }
    out.boolean(false);
    return true;
}

bool Relay::send_ordered(std::span<const LinkNumber> links, const PeerId& origin, std::uint32_t number,
                         SessionInstant when, const WholeStateView& state, bool reliably) {
    bytes_.resize(kRelayRoom);
    BitWriter out{bytes_};
    out.bits(stamp_of(when), kStampBits);
    write_numbered(out, context_.world(), context_.codec, number, state);
    out.boolean(false);  // no further state
    out.boolean(true);   // ordered
    for (const std::uint8_t byte : origin.bytes) out.bits(byte, 8);
    const std::size_t bits = out.bit_count();
    const auto body = out.finish();
    bool everybody = true;
    const bool fits = bits / 8 < kFragmentBytes;
    for (const LinkNumber link : links) {
        const bool now_reliably = reliably || !fits;
        if (now_reliably && !context_.out.has_room(link, kOwnShare)) {
            everybody = false;
            continue;
        }
        const Delivery delivery = now_reliably ? Delivery::reliable : Delivery::unreliable;
        context_.out.send_bits(link, MessageKind::relayed, body, bits, {delivery, Purpose::relay});
    }
    return everybody;
}

// --- in ---

std::span<const MessageKind> Relay::kinds() const {
    static constexpr std::array kKinds{MessageKind::relayed, MessageKind::bundle};
    return kKinds;
}

Receipt Relay::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    if (kind == MessageKind::bundle) return read_bundle(arrival, in);
    if (!read_states(arrival.now, in)) return malformed();
    const bool ordered = in.boolean();
    return ordered ? read_ordered(arrival, in) : read_forward(arrival, in);
}

bool Relay::read_states(Instant now, BitReader& in) {
    arrived_.clear();
    do {
        if (!read_state(now, in)) return false;
    } while (in.boolean());
    return true;
}

bool Relay::read_state(Instant now, BitReader& in) {
    if (arrived_.size() == kMaxRelayedStates) return false;
    RelayedState& read = arrived_.add();
    read.stamp = static_cast<std::uint16_t>(in.bits(kStampBits));
    read.when = complete_stamp(read.stamp, context_.session_time(now));
    return read_numbered(in, context_.world(), context_.codec, read.state);
}

bool Relay::read_bundled(Instant now, BitReader& in) {
    arrived_.clear();
    while (in.boolean()) {
        if (!read_state(now, in)) return false;
    }
    return in.ok();
}

Receipt Relay::read_bundle(const Arrival& arrival, BitReader& in) {
    const Instant now = arrival.now;
    BundledPeer peer{.salt = static_cast<std::uint8_t>(in.bits(8))};
    for (std::size_t count = 0; in.boolean(); ++count) {
        peer.name = static_cast<std::uint16_t>(in.bits(16));
        const bool fans_out = in.boolean();
        peer.fan_out = static_cast<std::uint8_t>(fans_out ? in.bits(kFanOutBits) : 0);
        if (fans_out && peer.fan_out == 0) return malformed();
        if (count == kMaxBundledPeers || !read_bundled(now, in)) return malformed();
        const auto origin = route_->handle_bundled(now, arrival.link, peer);
        const auto owner = origin ? context_.links.number_of(*origin) : std::nullopt;
        for (RelayedState& state : arrived_) {
            if (owner) state.origin = *origin;
            if (!is_timely(now, state.when))
                context_.rejections.count(Rejection::impossible);  // the relay did not write the stamp
            else if (owner)
                deliver(now, owner, state);
        }
    }
    return in.ok() ? taken_unacknowledged() : malformed();
}

Receipt Relay::read_ordered(const Arrival& arrival, BitReader& in) {
    PeerId origin;
    for (std::uint8_t& byte : origin.bytes) byte = static_cast<std::uint8_t>(in.bits(8));
    if (!in.ok()) return malformed();
    // The last state of an entity comes reliably, and may come late.
    const bool reliably = arrival.delivery != Delivery::unreliable;
    for (RelayedState& state : arrived_) {
        state.origin = origin;
        // The owner may have written this stamp: do not reject the rest of the datagram.
        if (is_ahead(arrival.now, state.when) || (!reliably && is_old(arrival.now, state.when)))
            context_.rejections.count(Rejection::impossible);
        else
            observer_->handle_ordered(arrival.now, arrival.link, state);
    }
    return taken();
}

Receipt Relay::read_forward(const Arrival& arrival, BitReader& in) {
    const Instant now = arrival.now;
    std::array<std::uint8_t, kMaxDatagram> bytes;  // NOLINT(*-member-init): written below
    BitWriter out{bytes};
    const RelayedState& first = arrived_[0];
    const bool timely = is_timely(now, first.when);
    write_arrived(now, out);
    const std::size_t bits = out.bit_count();
    const PassedOn update{
        {context_.codec.restore(first.state.pose).position, first.when}, out.finish(), bits, timely};
    if (out.overflowed()) return malformed(Rejection::impossible);
    const auto origin = route_->handle_forward(now, arrival.link, in, update);
    if (!in.ok()) return malformed();
    // The relaying peer did not write the stamp: do not reject the rest of its datagram.
    if (!timely) context_.rejections.count(Rejection::impossible);
    if (!origin) return taken_unacknowledged();
    const auto owner = context_.links.up(*origin);
    for (RelayedState& state : arrived_) {
        state.origin = *origin;
        if (is_timely(now, state.when)) deliver(now, owner, state);
    }
    return taken_unacknowledged();
}

void Relay::write_arrived(Instant now, BitWriter& out) const {
    // A state has one encoding, so these are its owner's bits.
    bool any = false;
    for (const RelayedState& arrived : arrived_) {
        if (any && !is_timely(now, arrived.when)) continue;
        if (any) out.boolean(true);
        out.bits(arrived.stamp, kStampBits);
        write_numbered(out, context_.world(), context_.codec, arrived.state);
        any = true;
    }
    out.boolean(false);
}

void Relay::deliver(Instant now, const std::optional<LinkNumber>& owner, const RelayedState& state) {
    if (owner) {
        if (replicas_.take_relayed(*owner, state))
            observer_->handle_passed_on(now, *owner, state.state.number);
    } else if (waiting_.size() < kMaxWaiting) {  // the overlay may call it in the next frame
        waiting_.add() = state;
    }
}

void Relay::deliver_waiting(const std::function<LinkNumber(const PeerId&)>& link_with) {
    for (const RelayedState& state : waiting_) {
        const LinkNumber link = link_with(state.origin);
        if (link != kNoLink) replicas_.take_relayed(link, state);
    }
    waiting_.clear();
}

std::size_t Relay::memory_bytes() const {
    std::size_t sum = sizeof(*this) + bytes_.capacity();
    for (const auto* list : {&arrived_, &waiting_}) {
        sum += list->all().capacity() * sizeof(RelayedState);
        for (const RelayedState& r : list->all())
            sum += r.state.payload.capacity() + r.state.input.capacity();
    }
    return sum;
}

}  // namespace fray
