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
constexpr Duration kClockTolerance{1s};  // how far two clocks may differ while they synchronize
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

Result<void> GameMessages::check_kept(Instant now, const Outgoing& message) {
    expire(now);
    const Audience& audience = message.audience;
    if (audience.within < Duration{0} || audience.within > kMostLinkedWithin)
        return Error{"Audience::within must be at most 60 s, and not negative"};
    if (!audience.peers.empty()) return Error{"Audience::within goes without a list of peers"};
    if (message.delivery == Delivery::unreliable || message.delivery == Delivery::riding)
        return Error{"a session-wide message must be reliable or ordered"};
    if (kept_.size() >= kMaxKeptMessages || kept_bytes_ + message.bytes.size() > kMaxKeptBytes) {
        return Error{"too many session-wide messages: " + std::to_string(kept_.size()) + " with " +
                     std::to_string(kept_bytes_) + " bytes are kept for peers that may be linked, at most " +
                     std::to_string(kMaxKeptMessages) + " with " + std::to_string(kMaxKeptBytes) +
                     " are allowed: try again later"};
    }
    return {};
}

GameMessages::Encoded GameMessages::encode(const Outgoing& message, SessionInstant at) {
    Encoded encoded{std::vector<std::uint8_t>(message.bytes.size() + 16)};
    BitWriter out{encoded.bytes};
    out.bits(wire_time(at), kSessionTimeBits);
    write_varint(out, message.bytes.size());
    out.copy(message.bytes, message.bytes.size() * 8);
    encoded.bits = out.bit_count();
    out.finish();
    return encoded;
}

Result<void> GameMessages::send(Instant now, const Outgoing& message) {
    if (auto checked = check(now, message); !checked) return checked;
    const bool is_session_wide = message.audience.within != Duration{0};
    if (is_session_wide) {
        if (auto checked = check_kept(now, message); !checked) return checked;
    }
    const auto to = links_to(message.audience);
    if (!to) return to.error();
    const SessionInstant at = message.at.value_or(context_.session_time(now));
    const Encoded encoded = encode(message, at);
    const bool reliably = message.delivery != Delivery::unreliable;
    if (reliably && !make_room(*to, encoded.queued_bytes()))
        return Error{"the queue of reliable messages to a receiver is full: try again later"};
    const Sending sending{message.delivery, reliably ? Purpose::reliable : Purpose::event};
    const MessageKind kind = message.delivery == Delivery::riding ? MessageKind::tidings : MessageKind::game;
    for (const LinkNumber link : *to)
        context_.out.send_bits(link, kind, encoded.bytes, encoded.bits, sending);
    if (!is_session_wide) return {};
    kept_bytes_ += message.bytes.size();
    kept_.push_back({message, at, now + message.audience.within, next_number_++});
    return {};
}

// --- messages that are kept ---

void GameMessages::handle_link_up(Instant now, const LinkUp& up) {
    expire(now);
    std::uint64_t first = 0;
    std::erase_if(departed_, [&](const Departed& d) {
        if (d.peer != up.contact.id) return false;
        if (d.incarnation == up.contact.incarnation) first = d.number;
        return true;
    });
    for (const Kept& kept : kept_) {
        if (kept.number < first) continue;
        const Encoded encoded = encode(kept.message, kept.at);
        const Sending sending{kept.message.delivery, Purpose::reliable};
        // A new channel has room for all of them. One that continues may be full: then its peer is too slow.
        if (!context_.out.send_bits(up.link, MessageKind::game, encoded.bytes, encoded.bits, sending))
            return context_.out.give_up(up.link);
    }
}

void GameMessages::handle_link_down(Instant now, const LinkDown& down) {
    constexpr std::size_t kMaxDeparted = 4096;
    expire(now);
    if (kept_.empty() || down.reason == Reason::left || down.reason == Reason::rejoined) return;
    if (departed_.size() >= kMaxDeparted) {  // better missed by a late peer than delivered twice
        kept_.clear();
        kept_bytes_ = 0;
        departed_.clear();
        return;
    }
    departed_.push_back({down.contact.id, down.contact.incarnation, next_number_});
}

void GameMessages::handle_clock_set(Instant now) {
    for (Kept& kept : kept_) {
        if (!kept.message.at) kept.at = context_.session_time(now);
    }
}

void GameMessages::expire(Instant now) {
    std::erase_if(kept_, [&](const Kept& kept) {
        if (now <= kept.until) return false;
        kept_bytes_ -= kept.message.bytes.size();
        return true;
    });
    if (kept_.empty()) departed_.clear();
}

void GameMessages::reset() {
    kept_.clear();
    kept_bytes_ = 0;
    departed_.clear();
}

std::size_t GameMessages::memory_bytes() const {
    return sizeof(*this) + kept_.size() * sizeof(Kept) + kept_bytes_ +
           departed_.capacity() * sizeof(Departed);
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
    static constexpr std::array kKinds{MessageKind::game, MessageKind::tidings};
    return kKinds;
}

Receipt GameMessages::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    Message message{.from = context_.links.peer(arrival.link), .delivery = arrival.delivery, .bytes = {}};
    if (kind == MessageKind::tidings) {
        if (arrival.delivery != Delivery::reliable) return malformed(Rejection::impossible);
        message.delivery = Delivery::riding;
    }
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
