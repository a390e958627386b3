#include "sim/checkers/exactly_once_checker.hpp"

#include "sim/datagram_pool.hpp"

#include <variant>

namespace fray::sim {

namespace {

constexpr Duration kClockMargin{100ms};  // the sender measures by its own clock, which drifts

std::string stay_text(const std::pair<PeerIndex, std::uint32_t>& stay) {
    return "peer " + std::to_string(stay.first) + " (stay " + std::to_string(stay.second) + ")";
}

}  // namespace

void ExactlyOnceChecker::on_started(Duration, PeerIndex index, const Peer& peer) {
    if (stays_.size() <= index) stays_.resize(index + std::size_t{1});
    ++stays_[index];
    index_of_[peer.id()] = index;
}

void ExactlyOnceChecker::on_command(const Command& command) {
    if (command.kind != CommandKind::send || !command.accepted) return;
    if (command.message->delivery == Delivery::unreliable) return;
    Sent sent{.sender = stay_of(command.peer),
              .at = command.at,
              .within = command.message->audience.within,
              .delivery = command.message->delivery,
              .audience = {}};
    const std::vector<PeerId> linked = swarm().peer(command.peer).peers();
    const std::vector<PeerId>& named = command.message->audience.peers;
    for (const PeerId& id : named.empty() ? linked : named) {
        const auto found = index_of_.find(id);
        if (found != index_of_.end()) sent.audience.push_back(stay_of(found->second));
    }
    const auto key = std::make_pair(command.peer, digest(command.message->bytes));
    if (!by_bytes_.emplace(key, messages_.size()).second) {
        violation(stay_text(sent.sender) + " sent the same bytes twice: this check cannot tell them apart");
    }
    if (sent.within > Duration{0}) session_wide_.push_back(messages_.size());
    messages_.push_back(std::move(sent));
}

/// Messages to the whole session are also for peers that are linked later.
void ExactlyOnceChecker::on_linked(Duration at, PeerIndex sender, const PeerId& receiver) {
    const auto found = index_of_.find(receiver);
    if (found == index_of_.end()) return;
    for (const std::size_t number : session_wide_) {
        Sent& sent = messages_[number];
        if (sent.sender == stay_of(sender) && at + kClockMargin < sent.at + sent.within)
            sent.audience.push_back(stay_of(found->second));
    }
}

void ExactlyOnceChecker::on_event(Duration at, PeerIndex index, const Event& event) {
    if (const auto* left = std::get_if<PeerLeft>(&event)) {
        const auto found = index_of_.find(left->peer);
        if (found != index_of_.end()) lost_[{index, found->second}] = at;
    }
    if (const auto* joined = std::get_if<PeerJoined>(&event)) on_linked(at, index, joined->peer);
    const auto* message = std::get_if<Message>(&event);
    if (message != nullptr && message->delivery != Delivery::unreliable) on_message(index, *message);
}

void ExactlyOnceChecker::on_message(PeerIndex receiver, const Message& message) {
    const auto sender = index_of_.find(message.from);
    const auto known = sender == index_of_.end()
                           ? by_bytes_.end()
                           : by_bytes_.find(std::make_pair(sender->second, digest(message.bytes)));
    const Stay to = stay_of(receiver);
    if (known == by_bytes_.end()) return violation(stay_text(to) + " got a message that was never sent");
    ++delivered_;
    const Sent& sent = messages_[known->second];
    if (!arrived_.emplace(known->second, to).second) {
        violation(stay_text(to) + " got a message of " + stay_text(sent.sender) + " twice, sent at " +
                  time_text(sent.at));
    }
    if (sent.delivery == Delivery::ordered) check_order(sent.sender, to, known->second);
}

void ExactlyOnceChecker::check_order(const Stay& sender, const Stay& receiver, std::size_t number) {
    const auto [last, first_time] = last_ordered_.emplace(std::make_pair(sender, receiver), number);
    if (first_time) return;
    if (number < last->second) {
        violation(stay_text(receiver) + " got ordered messages of " + stay_text(sender) +
                  " out of order, one sent at " + time_text(messages_[number].at));
    }
    last->second = number;
}

void ExactlyOnceChecker::conclude() {
    for (std::size_t number = 0; number < messages_.size(); ++number) {
        const Sent& sent = messages_[number];
        for (const Stay& receiver : sent.audience) {
            if (!must_arrive(sent, receiver)) continue;
            ++required_;
            if (arrived_.count({number, receiver}) > 0) continue;
            violation(stay_text(receiver) + " never got a message of " + stay_text(sent.sender) +
                      " sent at " + time_text(sent.at));
        }
    }
}

bool ExactlyOnceChecker::must_arrive(const Sent& sent, const Stay& receiver) const {
    return sent.at + grace_ <= swarm().now() && lasted(sent.sender) && lasted(receiver) &&
           !parted(sent.sender.first, receiver.first, sent.at);
}

bool ExactlyOnceChecker::lasted(const Stay& stay) const {
    return swarm().alive(stay.first) && stays_[stay.first] == stay.second;
}

bool ExactlyOnceChecker::parted(PeerIndex a, PeerIndex b, Duration since) const {
    const auto lost_since = [&](PeerIndex x, PeerIndex y) {
        const auto found = lost_.find({x, y});
        return found != lost_.end() && found->second >= since;
    };
    return lost_since(a, b) || lost_since(b, a);
}

}  // namespace fray::sim
