// What the game asks for.

#include "session/session.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace fray {

Result<void> Session::check_state(const State& state) const {
    const auto type = static_cast<std::size_t>(state.type);
    if (type >= world().types.size()) {
        return Error{"entity type " + std::to_string(type) + " is not in the world, which has " +
                     std::to_string(world().types.size())};
    }
    const Pose& pose = state.pose;
    for (const float number : {pose.position.x, pose.position.y, pose.position.z, pose.velocity.x,
                               pose.velocity.y, pose.velocity.z, pose.yaw, pose.pitch}) {
        if (!std::isfinite(number)) return Error{"a pose must be finite numbers: one of them is not"};
    }
    if (state.payload.size() > kMaxPayloadBytes) {
        return Error{"a payload of " + std::to_string(state.payload.size()) + " bytes is longer than " +
                     std::to_string(kMaxPayloadBytes)};
    }
    if (state.input.size() > kMaxInputBytes) {
        return Error{"an input of " + std::to_string(state.input.size()) + " bytes is longer than " +
                     std::to_string(kMaxInputBytes)};
    }
    std::vector<std::uint64_t> fields;
    if (!world().types[type].fields(state.payload, fields)) {
        return Error{"the payload is no " + world().types[type].name + ": make it with state_of()"};
    }
    return {};
}

Primary* Session::find_primary(const EntityId& id) {
    const auto place = std::ranges::lower_bound(primaries_, id.number, {}, &Primary::number);
    return id.owner == id_ && place != primaries_.end() && place->number() == id.number ? &*place : nullptr;
}

Result<EntityId> Session::publish(Instant now, const State& state) {
    start(now);
    constexpr std::size_t kMaxPrimaries = 4096;
    if (const auto checked = check_state(state); !checked) return checked.error();
    if (primaries_.size() >= kMaxPrimaries) return Error{"no more than 4096 entities per peer"};
    const EntityId id{id_, next_number_++};
    primaries_.emplace_back(id.number, state.type).set(state, session_time(now));
    own_views_.push_back({.number = id.number, .consistency = {}, .showing = {}});
    choose(now, own_views_.back(), primaries_.back(), options_.consistency);
    show_own(now, own_views_.back(), primaries_.back());
    return id;
}

Result<void> Session::update(Instant now, const EntityId& id, const State& state) {
    start(now);
    Primary* primary = find_primary(id);
    if (primary == nullptr) return Error{"no such entity of ours: " + std::to_string(id.number)};
    if (const auto checked = check_state(state); !checked) return checked.error();
    if (primary->type() != state.type) return Error{"an entity keeps its type"};
    primary->set(state, session_time(now));
    show_own(now, own_views_[static_cast<std::size_t>(primary - primaries_.data())], *primary);
    return {};
}

Result<void> Session::withdraw(Instant now, const EntityId& id) {
    start(now);
    Primary* primary = find_primary(id);
    if (primary == nullptr) return Error{"no such entity of ours: " + std::to_string(id.number)};
    std::array<std::uint8_t, 16> bytes{static_cast<std::uint8_t>(ReliableKind::withdraw)};
    BitWriter out{std::span{bytes}.subspan(1)};
    write_varint(out, id.number);
    const std::size_t size = 1 + out.finish().size();
    for (const LinkNumber number : links_.up_links()) {
        LinkSlot& slot = *links_.at(number);
        slot.baselines.forget(id.number);
        slot.outbox.clear();  // indices move; the next frame chooses again
        slot.link.channel.out.queue_last_word(id.number, std::span{bytes}.first(size), Purpose::reliable);
        make_urgent(slot);
    }
    own_views_.erase(own_views_.begin() + (primary - primaries_.data()));
    primaries_.erase(primaries_.begin() + (primary - primaries_.data()));
    return {};
}

Result<void> Session::check_message(Instant now, const Outgoing& message) const {
    const std::string what = "a message of " + std::to_string(message.bytes.size()) + " bytes ";
    if (message.bytes.size() > kMaxMessageBytes) {
        return Error{what + "is longer than " + std::to_string(kMaxMessageBytes)};
    }
    constexpr std::size_t kOverhead = 160;  // of the datagram a message travels in, generously
    if (std::min(message.bytes.size(), kFragmentBytes) + kOverhead > budget_.largest_datagram()) {
        return Error{what + "does not fit the bytes of a round"};
    }
    if (message.at && *message.at - session_time(now) > kMostAhead) {
        return Error{"a message may be meant for at most a minute ahead"};
    }
    return {};
}

Result<void> Session::send(Instant now, const Outgoing& message) {
    start(now);
    if (auto checked = check_message(now, message); !checked) return checked;
    std::vector<std::uint8_t> bytes(message.bytes.size() + 16);
    bytes[0] = static_cast<std::uint8_t>(ReliableKind::game);
    BitWriter out{std::span{bytes}.subspan(1)};
    out.bits(wire_time(message.at.value_or(session_time(now))), kSessionTimeBits);
    WriteStream stream{out};
    stream.bytes(const_cast<std::vector<std::uint8_t>&>(message.bytes),
                 kMaxMessageBytes);  // writing changes nothing
    const std::size_t body_bits = out.bit_count();
    bytes.resize(1 + out.finish().size());

    std::vector<LinkNumber> to(links_.up_links().begin(), links_.up_links().end());
    if (!message.audience.peers.empty()) {
        to.clear();
        for (const PeerId& peer : message.audience.peers) {
            const LinkSlot* slot = links_.up(peer);
            if (slot == nullptr) return Error{"no link with peer " + to_string(peer)};
            to.push_back(slot->link.ends.local_number);
        }
    }
    const auto full = [&](LinkNumber n) { return !links_.at(n)->link.channel.out.has_room(bytes.size()); };
    if (message.delivery != Delivery::unreliable && std::ranges::any_of(to, full)) {
        return Error{"too many reliable messages wait already"};
    }
    for (const LinkNumber number : to) post(*links_.at(number), message.delivery, bytes, body_bits);
    return {};
}

void Session::post(LinkSlot& slot, Delivery delivery, std::span<const std::uint8_t> bytes,
                   std::size_t body_bits) {
    make_urgent(slot);
    if (delivery != Delivery::unreliable) {
        slot.link.channel.out.queue(bytes, delivery == Delivery::ordered, Purpose::reliable);
        return;
    }
    const auto body = bytes.subspan(1);
    if (body.size() <= kFragmentBytes)
        return queue_loose(slot, MessageType::event, Purpose::event, body, body_bits);
    std::vector<std::uint8_t> typed(body.size() + 1);
    BitWriter out{typed};
    out.bits(static_cast<std::uint64_t>(MessageType::event), kMessageTypeBits);
    out.copy(body, body_bits);
    break_up_loose(slot, out.finish(), Purpose::event);
}

void Session::leave(Instant now) {
    start(now);
    // Farewells go out from here on their own: the links are gone at once, and who misses one times out.
    for (const LinkNumber number : links_.up_links()) {
        const Link& link = links_.at(number)->link;
        for (int copy = 0; copy < 2 && link.open(); ++copy) farewells_.push_back(link);
    }
    while (!links_.up_links().empty()) drop(now, links_.up_links().front(), Reason::left);
    links_.clear();
    urgent_.clear();
    passed_over_.clear();
    ready_.clear();
    ready_at_ = 0;
    restart_as_new_incarnation();
    left_ = true;
    joined_us_ = wire_time(session_time(now));
}

}  // namespace fray
