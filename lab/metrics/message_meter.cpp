#include "lab/metrics/message_meter.hpp"

namespace fray::lab {

void MessageMeter::on_command(const Command& command) {
    if (command.kind != CommandKind::send || !command.accepted) return;
    if (command.message->delivery == Delivery::unreliable) return;
    Sent message{.from = stay_of(command.peer), .at = command.at};
    message.ordered = command.message->delivery == Delivery::ordered;
    const auto& named = command.message->audience.peers;
    const auto linked = swarm_.peer(command.peer).peers();
    for (const PeerId& id : named.empty() ? linked : named) {
        const PeerIndex to = index_of(id);
        message.receivers.emplace(Stay{to, linked_[{message.from, to}]}, false);
    }
    sent += message.receivers.size();
    by_bytes_[{command.peer, command.message->bytes}] = messages_.size();
    messages_.push_back(std::move(message));
}

void MessageMeter::on_event(Duration, PeerIndex index, const Event& event) {
    if (!swarm_.alive(index)) return;  // a leaving peer still gets events
    if (const auto* joined = std::get_if<PeerJoined>(&event))
        linked_[{stay_of(index), index_of(joined->peer)}] = joined->incarnation;
    const auto* message = std::get_if<Message>(&event);
    if (message != nullptr && message->delivery != Delivery::unreliable) on_message(index, *message);
}

void MessageMeter::on_message(PeerIndex index, const Message& message) {
    const PeerIndex from = index_of(message.from);
    const auto known = by_bytes_.find({from, message.bytes});
    const Stay to = stay_of(index);
    ++delivered;
    if (known == by_bytes_.end() || !messages_[known->second].receivers.contains(to)) {
        ++stray;
        return;
    }
    Sent& original = messages_[known->second];
    if (std::exchange(original.receivers[to], true)) ++duplicated;
    if (!original.ordered) return;
    auto& last = last_ordered_[{original.from, to}];
    if (known->second < last) ++misordered;
    last = known->second;
}

void MessageMeter::conclude(Duration last) {
    for (const Sent& message : messages_) {
        if (message.at > last || !lives(message.from)) continue;
        for (const auto& [receiver, arrived] : message.receivers) {
            if (!lives(receiver)) continue;
            ++required;
            if (!arrived) ++missing;
        }
    }
}

}  // namespace fray::lab
