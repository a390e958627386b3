#include "lab/metrics/contact_meter.hpp"

#include <algorithm>

namespace fray::lab {

ContactMeter::ContactMeter(const Swarm& swarm, Duration healed, std::vector<bool> side)
    : swarm_{swarm},
      healed_{healed},
      side_{std::move(side)},
      pairs_(side_.size() * side_.size()),
      since_(side_.size()) {}

void ContactMeter::on_started(Duration at, PeerIndex index, const Peer&) {
    since_[index] = at;
    for (PeerIndex other = 0; other < side_.size(); ++other) pair(other, index) = {};
}

void ContactMeter::on_event(Duration at, PeerIndex index, const Event& event) {
    const auto owner_of = [&](const PeerId& id) {
        return swarm_.index_of(Address::from_number(id.number()));
    };
    if (const auto* joined = std::get_if<PeerJoined>(&event)) pair(owner_of(joined->peer), index).linked = at;
    if (const auto* left = std::get_if<PeerLeft>(&event)) pair(owner_of(left->peer), index).linked.reset();
}

void ContactMeter::on_delivered(const Transit& transit) {
    if (transit.at < healed_) return;
    auto& heard = pair(transit.from, transit.to).heard;
    if (!heard) heard = transit.at;
}

void ContactMeter::note(const UpdateMeter::Arrival& arrival) {
    auto& held = pair(arrival.owner, arrival.receiver).held;
    if (arrival.made >= healed_ && !held) held = arrival.at;
}

void ContactMeter::judge(PeerIndex owner, PeerIndex receiver) {
    const Pair& there = pair(owner, receiver);
    const Pair& back = pair(receiver, owner);
    ++result_.pairs;
    if (!there.held || !there.linked || !back.linked) {
        ++result_.never;
        return;
    }
    const Duration contact = std::max({healed_, *there.linked, *back.linked});
    reunion_ms_ = std::max(reunion_ms_, millis(contact - healed_));
    result_.since_linked.add(millis(std::max(Duration{}, *there.held - contact)));
    if (there.heard) result_.since_heard.add(millis(std::max(Duration{}, *there.held - *there.heard)));
}

void ContactMeter::conclude() {
    const auto stayed = [&](PeerIndex i) { return swarm_.alive(i) && since_[i] < healed_; };
    for (PeerIndex owner = 0; owner < side_.size(); ++owner) {
        for (PeerIndex receiver = 0; receiver < side_.size(); ++receiver) {
            if (side_[owner] != side_[receiver] && stayed(owner) && stayed(receiver)) judge(owner, receiver);
        }
    }
}

}  // namespace fray::lab
