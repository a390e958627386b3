#include "agreement/pairwise_agreement.hpp"

#include "core/entity_errors.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace fray {

namespace {

constexpr std::size_t kRequestRoom = kMaxRequestBytes + 64;
constexpr Sending kSending{.delivery = Delivery::reliable, .purpose = Purpose::agreement, .prompt = true};
constexpr Sending kRiding{.delivery = Delivery::reliable, .purpose = Purpose::agreement};

Error no_target(const EntityId& target, const PeerId& self, bool is_linked) {
    const std::string entity = "entity " + std::to_string(target.number);
    const std::string owner = "peer " + to_string(target.owner);
    if (target.owner == self)
        return Error{"the target, " + entity + ", is this peer's own: interact with entities of other peers"};
    if (!is_linked) return Error{"no link with " + owner + ", the owner of the target, " + entity};
    return Error{"the target, " + entity + " of " + owner + ", is not among this peer's replicas"};
}

std::string name_of(const RequestId& request) {
    return "request " + std::to_string(request.number) + " of peer " + to_string(request.asker);
}

Error not_waiting(const RequestId& request, bool was_answered) {
    if (was_answered) return Error{name_of(request) + " was answered already, or its target was withdrawn"};
    return Error{name_of(request) + " was never asked, or its asker was gone meanwhile"};
}

Error queue_full() { return Error{"the queue of reliable messages to that peer is full: try again later"}; }

}  // namespace

Result<RequestId> PairwiseAgreement::interact(Instant now, const EntityId& by, const EntityId& target,
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
    if (interactions_ != nullptr) interactions_->handle_interaction(now, *link);
    return RequestId{context_.self, *number};
}

Result<void> PairwiseAgreement::answer(const RequestId& request, std::span<const std::uint8_t> bytes) {
    if (bytes.size() > kMaxRequestBytes) return too_long("the answer", bytes.size(), kMaxRequestBytes);
    const auto link = context_.links.up(request.asker);
    if (!link) return Error{"no link with peer " + to_string(request.asker)};
    const auto target = asked_.target(request);
    if (!target) return not_waiting(request, asked_.was_answered(request));
    const bool is_own = own_.own_state(*target) != nullptr;
    if (!reply(*link,
               {.number = request.number,
                .answered = is_own,
                .bytes = is_own ? std::vector(bytes.begin(), bytes.end()) : std::vector<std::uint8_t>{}}))
        return queue_full();
    asked_.close(request);
    if (!is_own)
        return Error{name_of(request) + " is about entity " + std::to_string(*target) +
                     ", which this peer has withdrawn"};
    return {};
}

void PairwiseAgreement::refuse(std::uint32_t target) {
    for (const RequestId& request : asked_.about(target)) {
        const auto link = context_.links.up(request.asker);
        // Without room in the queue, answer() refuses it later.
        if (link && reply(*link, {.number = request.number, .answered = false})) asked_.close(request);
    }
}

bool PairwiseAgreement::reply(LinkNumber link, const Reply& reply) {
    if (reply.answered && reply.bytes.empty())
        return context_.out.send(link, MessageKind::settled, Settled{reply.number}, kRiding);
    return context_.out.send(link, MessageKind::reply, reply, kSending);
}

std::span<const MessageKind> PairwiseAgreement::kinds() const {
    static constexpr std::array kKinds{MessageKind::request, MessageKind::reply, MessageKind::settled};
    return kKinds;
}

Receipt PairwiseAgreement::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    if (kind == MessageKind::settled) return read_settled(arrival, in);
    return kind == MessageKind::request ? read_request(arrival, in) : read_reply(arrival, in);
}

Receipt PairwiseAgreement::read_request(const Arrival& arrival, BitReader& in) {
    Request request;
    if (!read(in, request)) return malformed();
    // The asker cannot have seen the future, and the owner does not rewind further than kMostRewind.
    const SessionInstant present = context_.session_time(arrival.now);
    const SessionInstant seen = std::clamp(session_instant(request.seen), present - kMostRewind, present);
    auto then = is_lasting(request.target) ? std::nullopt : own_.own_state_at(request.target, seen);
    if (!then) {
        const bool replied = reply(arrival.link, {.number = request.number, .answered = false});
        return replied ? taken() : later();
    }
    const PeerId& asker = context_.links.peer(arrival.link);
    if (!asked_.may_add({asker, request.number})) return malformed(Rejection::impossible);
    const bool room = context_.mailbox.put(Asked{.request = {asker, request.number},
                                                 .by = names_.public_id(asker, request.by),
                                                 .target = {context_.self, request.target},
                                                 .seen = seen,
                                                 .then = std::move(*then),
                                                 .bytes = std::move(request.bytes)});
    if (!room) return later();
    asked_.add({asker, request.number}, request.target);
    if (interactions_ != nullptr) interactions_->handle_interaction(arrival.now, arrival.link);
    return taken();
}

Receipt PairwiseAgreement::read_reply(const Arrival& arrival, BitReader& in) {
    Reply reply;
    if (!read(in, reply)) return malformed();
    return conclude(arrival, std::move(reply));
}

Receipt PairwiseAgreement::read_settled(const Arrival& arrival, BitReader& in) {
    Settled settled;
    if (!read(in, settled)) return malformed();
    return conclude(arrival, {.number = settled.number, .answered = true});
}

Receipt PairwiseAgreement::conclude(const Arrival& arrival, Reply reply) {
    if (!context_.mailbox.has_room(reply.bytes.size())) return later();
    const auto target = open_.close(reply.number, context_.links.peer(arrival.link));
    if (!target) return malformed(Rejection::impossible);
    context_.mailbox.report(
        Answered{{context_.self, reply.number}, *target, reply.answered, std::move(reply.bytes)});
    return taken();
}

void PairwiseAgreement::handle_link_down(Instant, const LinkDown& down) {
    asked_.forget(down.contact.id);
    while (const auto number = open_.next_of(down.contact.id)) {
        if (const auto target = open_.close(*number, down.contact.id))
            context_.mailbox.report(Answered{{context_.self, *number}, *target, false, {}});
    }
}

}  // namespace fray
