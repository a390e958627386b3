#include "lab/metrics/stats_meter.hpp"

namespace fray::lab {

void StatsMeter::on_gone(Duration, PeerIndex, const Peer& peer) {
    const Stats stats = peer.stats();
    ledger_bytes += stats.ledger.total_bytes();
    datagrams += stats.ledger.datagrams();
    state_bits += stats.ledger.bits(Purpose::state);
    updates_sent += stats.updates_sent;
    updates_received += stats.updates_received;
    updates_stale += stats.updates_stale;
    messages_delivered += stats.messages_delivered;
    memory_bytes += peer.memory_bytes();
    for (std::size_t i = 0; i < kRejectionCount; ++i) rejections.counts[i] += stats.rejections.counts[i];
    for (const LinkStats& link : stats.links) {
        ++links;
        links_delivered += link.delivered;
        links_lost += link.lost;
        if (link.rtt > Duration{}) rtts_.add(millis(link.rtt));
    }
}

std::uint64_t StatsMeter::unlinked_rejections() const {
    return rejections.of(Rejection::unknown_link) + rejections.of(Rejection::bad_token);
}

std::uint64_t StatsMeter::strange_rejections() const {
    return rejections.total() - rejections.of(Rejection::duplicate) - rejections.of(Rejection::stale) -
           unlinked_rejections();
}

}  // namespace fray::lab
