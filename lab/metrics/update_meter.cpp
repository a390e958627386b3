#include "lab/metrics/update_meter.hpp"

#include <algorithm>
#include <limits>

namespace fray::lab {
namespace {

constexpr std::int64_t kNothingHeld = std::numeric_limits<std::int64_t>::min();

std::int64_t stamp_millis(SessionInstant t) {
    return std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count();
}

}  // namespace

UpdateMeter::UpdateMeter(const Swarm& swarm, Duration from)
    : swarm_{swarm}, from_{from}, ages_{0, 0.1, 100'000} {}  // to 10 s

UpdateMeter::Owner& UpdateMeter::owner(PeerIndex index) {
    if (index >= owners_.size()) owners_.resize(index + 1);
    return owners_[index];
}

void UpdateMeter::on_command(const Command& command) {
    if (!command.accepted || (command.kind != CommandKind::update && command.kind != CommandKind::publish))
        return;
    Owner& who = owner(command.peer);
    if (command.kind == CommandKind::publish) {
        who.entity = command.entity;
        who.published = true;
        who.held.assign(who.held.size(), kNothingHeld);
    }
    const Peer& peer = swarm_.peer(command.peer);
    const auto stamp = stamp_millis(peer.session_time(swarm_.local_now(command.peer)));
    who.made[who.count++ % kRemembered] = {.stamp = stamp, .at = command.at};
}

void UpdateMeter::on_gone(Duration, PeerIndex index, const Peer&) {
    owner(index).published = false;
    // Its replicas are gone as well.
    for (Owner& other : owners_) {
        if (index < other.held.size()) other.held[index] = kNothingHeld;
    }
}

const UpdateMeter::Made* UpdateMeter::find(const Owner& owner, std::int64_t stamp) const {
    const std::uint64_t remembered = std::min<std::uint64_t>(owner.count, kRemembered);
    for (std::uint64_t back = 1; back <= remembered; ++back) {
        const Made& made = owner.made[(owner.count - back) % kRemembered];
        if (made.stamp == stamp) return &made;
    }
    return nullptr;
}

void UpdateMeter::on_delivered(const Transit& transit) {
    const PeerIndex receiver = transit.to;
    if (!swarm_.alive(receiver)) return;
    Owner& who = owner(transit.from);
    if (!who.published) return;
    const auto replica = swarm_.peer(receiver).replica(swarm_.local_now(receiver), who.entity);
    if (!replica) return;
    if (receiver >= who.held.size()) who.held.resize(receiver + 1, kNothingHeld);
    const std::int64_t stamp = stamp_millis(replica->stamp);
    if (who.held[receiver] == stamp) return;
    who.held[receiver] = stamp;
    const Made* made = find(who, stamp);
    if (made == nullptr) return;
    if (made->at >= from_) ages_.add(millis(transit.at - made->at));
    if (listener_)
        listener_({.owner = transit.from, .receiver = receiver, .made = made->at, .at = transit.at});
}

}  // namespace fray::lab
