// Requests to the owners of other entities, and our answers about our own.

#include "session/session.hpp"

#include <algorithm>
#include <string>

namespace fray {

namespace {

constexpr std::size_t kRequestRoom = kMaxRequestBytes + 64;

template <class T>
std::vector<std::uint8_t> packed(std::uint8_t kind, const T& value) {
    std::vector<std::uint8_t> bytes(kRequestRoom);
    bytes[0] = kind;
    BitWriter out{std::span{bytes}.subspan(1)};
    write(out, value);
    bytes.resize(1 + out.finish().size());
    return bytes;
}

}  // namespace

Result<RequestId> Session::interact(Instant now, const EntityId& by, const EntityId& target,
                                    std::span<const std::uint8_t> bytes) {
    start(now);
    if (find_primary(by) == nullptr) return Error{"no such entity of ours: " + std::to_string(by.number)};
    if (bytes.size() > kMaxRequestBytes) {
        return Error{"a request of " + std::to_string(bytes.size()) + " bytes is longer than " +
                     std::to_string(kMaxRequestBytes)};
    }
    const auto seen = replica(now, target);
    if (!seen) return Error{"no such entity of another peer: " + std::to_string(target.number)};
    LinkSlot& slot = *links_.up(target.owner);
    if (!slot.link.channel.out.has_room(kRequestRoom))
        return Error{"too many reliable messages wait already"};
    const auto number = requests_.open(target);
    if (!number) return Error{"too many requests are not answered yet"};
    const Request request{.number = *number,
                          .by = by.number,
                          .target = target.number,
                          .seen = wire_time(seen->moment),
                          .bytes = {bytes.begin(), bytes.end()}};
    slot.link.channel.out.queue(packed(static_cast<std::uint8_t>(ReliableKind::request), request), false,
                                Purpose::agreement);
    make_urgent(slot);
    return RequestId{id_, *number};
}

Result<void> Session::answer(Instant now, const RequestId& request, std::span<const std::uint8_t> bytes) {
    start(now);
    if (bytes.size() > kMaxRequestBytes) {
        return Error{"an answer of " + std::to_string(bytes.size()) + " bytes is longer than " +
                     std::to_string(kMaxRequestBytes)};
    }
    LinkSlot* slot = links_.up(request.asker);
    if (slot == nullptr) return Error{"no link with peer " + to_string(request.asker)};
    if (!reply(*slot, {.number = request.number, .answered = true, .bytes = {bytes.begin(), bytes.end()}}))
        return Error{"too many reliable messages wait already"};
    return {};
}

bool Session::reply(LinkSlot& slot, const Reply& reply) {
    const auto bytes = packed(static_cast<std::uint8_t>(ReliableKind::reply), reply);
    make_urgent(slot);
    return slot.link.channel.out.queue(bytes, false, Purpose::agreement);
}

bool Session::read_request(Instant now, LinkSlot& slot, BitReader& in) {
    Request request;
    if (!read(in, request)) return !reject(Rejection::malformed);
    const PeerId asker = slot.link.ends.peer;
    const Primary* primary = find_primary({id_, request.target});
    if (primary == nullptr) return reply(slot, {.number = request.number, .answered = false});
    // Nobody sees the future, and whose screen is far behind must not judge by it for ever.
    const SessionInstant present = session_time(now);
    const SessionInstant seen = std::clamp(session_instant(request.seen), present - kMostRewind, present);
    State then = primary->state();
    then.pose = primary->pose_at(seen, options_.world, codec_);
    return mailbox_.put(Asked{.request = {asker, request.number},
                              .by = {asker, request.by},
                              .target = {id_, request.target},
                              .seen = seen,
                              .then = std::move(then),
                              .bytes = std::move(request.bytes)});
}

bool Session::read_reply(const LinkSlot& slot, BitReader& in) {
    Reply reply;
    if (!read(in, reply)) return !reject(Rejection::malformed);
    if (!mailbox_.has_room(reply.bytes.size())) return false;
    const auto target = requests_.close(reply.number, slot.link.ends.peer);
    if (!target) return !reject(Rejection::impossible);
    mailbox_.put(Answered{{id_, reply.number}, *target, reply.answered, std::move(reply.bytes)});
    return true;
}

void Session::give_up_requests(const PeerId& peer) {
    while (const auto number = requests_.next_of(peer)) {
        if (const auto target = requests_.close(*number, peer))
            mailbox_.put(Answered{{id_, *number}, *target, false, {}});
    }
}

}  // namespace fray
