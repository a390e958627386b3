#include "lab/metrics/traffic_meter.hpp"

#include <algorithm>
#include <utility>

namespace fray::lab {
namespace {

void add(RoundTraffic& round, std::uint64_t out, std::uint64_t in) {
    round.out_mean += static_cast<double>(out);
    round.in_mean += static_cast<double>(in);
    round.out_max = std::max(round.out_max, static_cast<double>(out));
    round.in_max = std::max(round.in_max, static_cast<double>(in));
}

void divide(RoundTraffic& round, std::uint64_t peers) {
    if (peers == 0) return;
    round.out_mean /= static_cast<double>(peers);
    round.in_mean /= static_cast<double>(peers);
}

}  // namespace

TrafficMeter::TrafficMeter() : uploads_{0, 8, 32'768} {}  // to 256 KiB

TrafficMeter::Counts& TrafficMeter::counts(PeerIndex index) {
    if (index >= counts_.size()) counts_.resize(index + 1);
    return counts_[index];
}

void TrafficMeter::on_started(Duration, PeerIndex index, const Peer&) { counts(index) = {}; }

void TrafficMeter::on_gone(Duration, PeerIndex, const Peer& peer) {
    const PSenseStats stats = peer.stats().psense;
    forwarded += stats.forwarded;
    forward_duplicates += stats.forward_duplicates;
}

void TrafficMeter::on_sent(const Transit& transit) {
    counts(transit.from).real.out += transit.bytes.size() + kHeaderBytes;
}

void TrafficMeter::on_delivered(const Transit& transit) {
    counts(transit.to).real.in += transit.bytes.size() + kHeaderBytes;
}

void TrafficMeter::end_round(const Swarm& swarm, std::span<const Placed> players, bool counted) {
    real_ = {};
    paper_ = {};
    std::uint64_t present = 0;
    for (PeerIndex i = 0; i < players.size(); ++i) {
        Counts& held = counts(i);
        const Bytes real = std::exchange(held.real, {});
        if (!players[i].present || !swarm.alive(i)) continue;
        ++present;
        const PSenseStats stats = swarm.peer(i).stats().psense;
        add(real_, real.out, real.in);
        add(paper_, stats.paper_bytes - held.paper.out, stats.paper_bytes_in - held.paper.in);
        held.paper = {.out = stats.paper_bytes, .in = stats.paper_bytes_in};
        if (counted) uploads_.add(static_cast<double>(real.out));
    }
    divide(real_, present);
    divide(paper_, present);
}

}  // namespace fray::lab
