#include "consistency/views.hpp"

#include "wire/session_time.hpp"

#include <array>

namespace fray {

std::span<const MessageKind> Views::kinds() const {
    static constexpr std::array kKinds{MessageKind::consistency, MessageKind::overruled};
    return kKinds;
}

Receipt Views::handle_message(const Arrival& arrival, MessageKind kind, BitReader& in) {
    if (kind == MessageKind::overruled) return read_overruled(arrival, in);
    ConsistencyChoice choice;
    if (!read(in, choice) || !choice.consistency.check()) return malformed();
    return remote_.handle_choice(arrival.now, arrival.link, choice);
}

Receipt Views::read_overruled(const Arrival& arrival, BitReader& in) {
    const SessionInstant when = session_instant(in.bits(kSessionTimeBits));
    if (!read_numbered(in, context_.world(), context_.codec, state_)) return malformed();
    const State* own = own_entities_.own_state(state_.number);
    const bool ours = own != nullptr && own->type == state_.type &&
                      own_.through(state_.number) == context_.links.peer(arrival.link);
    if (!ours) return malformed(Rejection::impossible);
    const bool room = context_.mailbox.put(Overruled{names_.public_id(context_.self, state_.number),
                                                     State{.pose = context_.codec.restore(state_.pose),
                                                           .payload = state_.payload,
                                                           .input = state_.input,
                                                           .type = state_.type},
                                                     when});
    return room ? taken() : later();
}

void Views::handle_ordered(Instant now, LinkNumber from, const RelayedState& relayed) {
    const PeerId& orderer = context_.links.peer(from);
    const WholeState& state = relayed.state;
    const auto reject = [this](Rejection why) { context_.rejections.count(why); };
    moment_.when = relayed.when;
    moment_.pose = context_.codec.restore(state.pose);
    moment_.payload = state.payload;
    moment_.input = state.input;
    if (relayed.origin == context_.self) {
        // Rejected if we chose another orderer and this one does not know yet.
        if (!own_.handle_echo(now, orderer, state.number, moment_)) reject(Rejection::unknown_entity);
        return;
    }
    const auto owner = context_.links.up(relayed.origin);
    if (!owner) return;  // its link is down, or not up yet
    // Only the peer that the owner chose may order its states; the choice may still be on its way.
    if (remote_.through(*owner, state.number) != orderer) return reject(Rejection::unknown_entity);
    sink_.take_relayed(*owner, relayed);
    const auto newest = replicas_.newest(*owner, state.number);
    if (!newest) return reject(Rejection::unknown_entity);
    if (newest->type != state.type) return reject(Rejection::impossible);
    remote_.handle_ordered(now, *owner, *newest, moment_);
}

}  // namespace fray
