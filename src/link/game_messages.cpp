#include "link/game_messages.hpp"

#include "core/entity_errors.hpp"
#include "wire/limits.hpp"
#include "wire/session_time.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray {

namespace {
constexpr Duration kClockTolerance{1s};         // how far two clocks may differ while they synchronize
constexpr std::size_t kDatagramOverhead = 160;  // bytes around a message in a datagram, rounded up
}  // namespace

Result<void> GameMessages::check(Instant now, const Outgoing& message) const {
    const std::size_t size = message.bytes.size();
    if (size > kMaxMessageBytes) return too_long("the message", size, kMaxMessageBytes);
    if (std::min(size, kFragmentBytes) + kDatagramOverhead > context_.out.largest_datagram())
        return Error{"a message of " + std::to_string(size) +
                     " bytes does not fit link.upload_bytes_per_round"};
    if (message.at && *message.at > context_.session_time(now) + kMostAhead)
        return Error{"the time of a message must be at most 60 s ahead of session time"};
    return {};
}

Result<std::vector<LinkNumber>> GameMessages::links_to(const Audience& audience) const {
    const auto all = context_.links.up_links();
    if (audience.peers.empty()) return std::vector<LinkNumber>(all.begin(), all.end());
    std::vector<LinkNumber> to;
    for (const PeerId& peer : audience.peers) {
        const auto link = context_.links.up(peer);
        if (!link) return Error{"no link with peer " + to_string(peer)};
        to.push_back(*link);
    }
    return to;
}

Result<void> GameMessages::send(Instant now, const Outgoing& message) {
    if (auto checked = check(now, message); !checked) return checked;
    const auto to = links_to(message.audience);
    if (!to) return to.error();
    std::vector<std::uint8_t> bytes(message.bytes.size() + 16);
    BitWriter out{bytes};
    out.bits(wire_time(message.at.value_or(context_.session_time(now))), kSessionTimeBits);
    write_varint(out, message.bytes.size());
    out.copy(message.bytes, message.bytes.size() * 8);
    const std::size_t bits = out.bit_count();
    const std::size_t size = 1 + out.finish().size();
    const bool reliably = message.delivery != Delivery::unreliable;
    if (reliably && !make_room(*to, size))
        return Error{"the queue of reliable messages to a receiver is full: try again later"};
    const Sending sending{message.delivery, reliably ? Purpose::reliable : Purpose::event};
    for (const LinkNumber link : *to) context_.out.send_bits(link, MessageKind::game, bytes, bits, sending);
    return {};
}

/// False if the game sends faster than the receivers acknowledge. A receiver that alone is much slower than
/// the others is given up, so that the others do not wait for it.
bool GameMessages::make_room(std::span<const LinkNumber> to, std::size_t bytes) const {
    constexpr std::size_t kMuchRoom = kMaxReliableBacklog / 2 * kFragmentBytes;
    const auto is_full = [&](LinkNumber link) { return !context_.out.has_room(link, bytes); };
    if (std::ranges::none_of(to, is_full)) return true;
    const auto has_much_room = [&](LinkNumber link) { return context_.out.has_room(link, kMuchRoom); };
    if (std::ranges::none_of(to, has_much_room)) return false;
    for (const LinkNumber link : to) {
        if (is_full(link)) context_.out.give_up(link);
    }
    return true;
}

std::span<const MessageKind> GameMessages::kinds() const {
    static constexpr std::array kKinds{MessageKind::game};
    return kKinds;
}

Receipt GameMessages::handle_message(const Arrival& arrival, MessageKind, BitReader& in) {
    Message message{.from = context_.links.peer(arrival.link), .delivery = arrival.delivery, .bytes = {}};
    message.at = session_instant(in.bits(kSessionTimeBits));
    ReadStream stream{in};
    stream.bytes(message.bytes, kMaxMessageBytes);
    if (!in.ok()) return malformed();
    const SessionInstant present = context_.session_time(arrival.now);
    const SessionInstant latest = present + kMostAhead + kClockTolerance;
    // A reliable message is never lost, even if the clocks disagree: its time is limited instead.
    if (message.at > latest && arrival.delivery == Delivery::unreliable)
        return malformed(Rejection::impossible);
    message.at = std::min(message.at, latest);
    if (!context_.mailbox.put_timed(std::move(message), present)) return later();
    ++delivered_;
    return taken();
}

}  // namespace fray
