#include "agreement/pairwise_agreement.hpp"

#include "core/entity_errors.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kRequestRoom = kMaxRequestBytes + 64;
constexpr Sending kSending{Delivery::reliable, Purpose::agreement};

Error no_target(const EntityId& target, const PeerId& self, bool is_linked) {
    const std::string entity = "entity " + std::to_string(target.number);
    const std::string owner = "peer " + to_string(target.owner);
    if (target.owner == self)
        return Error{"the target, " + entity + ", is this peer's own: interact with entities of other peers"};
    if (!is_linked) return Error{"no link with " + owner + ", the owner of the target, " + entity};
    return Error{"the target, " + entity + " of " + owner + ", is not among this peer's replicas"};
}

Error queue_full() { return Error{"the queue of reliable messages to that peer is full: try again later"}; }

}  // namespace

Result<RequestId> PairwiseAgreement::interact(const EntityId& by, const EntityId& target,
                                              const std::optional<SessionInstant>& seen,
                                              std::span<const std::uint8_t> bytes) {
    if (by.owner != context_.self || own_.own_state(by.number) == nullptr)
        return not_own_entity(by, context_.self);
    if (bytes.size() > kMaxRequestBytes) return too_long("the request", bytes.size(), kMaxRequestBytes);
    const auto link = context_.links.up(target.owner);
    if (!seen || !link) return no_target(target, context_.self, link.has_value());
    if (!context_.out.has_room(*link, kRequestRoom)) return queue_full();
    const auto number = open_.open(target);
    if (!number) return Error{"too many requests are open: wait for answers"};
    const Request request{.number = *number,
                          .by = by.number,
                          .target = target.number,
                          .seen = wire_time(*seen),
                          .bytes = {bytes.begin(), bytes.end()}};
    context_.out.send(*link, MessageKind::request, request, kSending);
    return RequestId{context_.self, *number};
}

Result<void> PairwiseAgreement::answer(const RequestId& request, std::span<const std::uint8_t> bytes) {
    if (bytes.size() > kMaxRequestBytes) return too_long("the answer", bytes.size(), kMaxRequestBytes);
    const auto link = context_.links.up(request.asker);
    if (!link) return Error{"no link with peer " + to_string(request.asker)};
    if (!reply(*link, {.number = request.number, .answered = true, .bytes = {bytes.begin(), bytes.end()}}))
        return queue_full();
    return {};
}

bool PairwiseAgreement::reply(LinkNumber link, const Reply& reply) {
    return context_.out.send(link, MessageKind::reply, reply, kSending);
}

std::span<const MessageKind> PairwiseAgreement::kinds() const {
    static constexpr std::array kKinds{MessageKind::request, MessageKind::reply};
    return kKinds;
}

Receipt PairwiseAgreement::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    return kind == MessageKind::request ? read_request(arrival, in) : read_reply(arrival, in);
}

Receipt PairwiseAgreement::read_request(const Arrival& arrival, BitReader& in) {
    Request request;
    if (!read(in, request)) return malformed();
    // The asker cannot have seen the future, and the owner does not rewind further than kMostRewind.
    const SessionInstant present = context_.session_time(arrival.now);
    const SessionInstant seen = std::clamp(session_instant(request.seen), present - kMostRewind, present);
    auto then = own_.own_state_at(request.target, seen);
    if (!then) {
        const bool replied = reply(arrival.link, {.number = request.number, .answered = false});
        return replied ? taken() : later();
    }
    const PeerId& asker = context_.links.peer(arrival.link);
    const bool room = context_.mailbox.put(Asked{.request = {asker, request.number},
                                                 .by = {asker, request.by},
                                                 .target = {context_.self, request.target},
                                                 .seen = seen,
                                                 .then = std::move(*then),
                                                 .bytes = std::move(request.bytes)});
    return room ? taken() : later();
}

Receipt PairwiseAgreement::read_reply(const Arrival& arrival, BitReader& in) {
    Reply reply;
    if (!read(in, reply)) return malformed();
    if (!context_.mailbox.has_room(reply.bytes.size())) return later();
    const auto target = open_.close(reply.number, context_.links.peer(arrival.link));
    if (!target) return malformed(Rejection::impossible);
    context_.mailbox.report(
        Answered{{context_.self, reply.number}, *target, reply.answered, std::move(reply.bytes)});
    return taken();
}

void PairwiseAgreement::handle_link_down(Instant, const LinkDown& down) {
    while (const auto number = open_.next_of(down.contact.id)) {
        if (const auto target = open_.close(*number, down.contact.id))
            context_.mailbox.report(Answered{{context_.self, *number}, *target, false, {}});
    }
}

}  // namespace fray
